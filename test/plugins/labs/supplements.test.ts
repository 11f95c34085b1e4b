import { strict as assert } from 'node:assert';
import type { LogEntry } from '../../../plugins/labs/supplements/kept-entry.ts';
import { addEntry, readLog } from '../../../plugins/labs/supplements/log-store.ts';
import type { TestService } from '../../support/service.ts';
import { sharedService } from '../../support/shared.ts';
import { Visitor } from './supplements-support.ts';

const today = (): string => new Date().toISOString().slice(0, 10);

describe('supplement log', () => {
  let service: TestService;
  const someone = (name: string) => new Visitor(service, name);
  before(async function () {
    this.timeout(300_000);
    service = await sharedService();
  });

  it('returns the entry to a JSON client, with the name resolved to a slug and today as its start', async () => {
    const { body } = await someone('a')
      .send('/blood-test/supplement-log', {
        name: 'fish oil',
        dose_amount: 1000,
        dose_unit: 'mg',
        frequency: 'daily',
        reason: 'triglycerides',
      })
      .expect(200);
    assert.deepEqual(
      [
        body.supplement_slug,
        body.status,
        body.started_at,
        body.stopped_at,
        body.dose_amount,
        body.frequency,
        body.kind,
      ],
      ['omega-3', 'started', today(), null, 1000, 'daily', 'supplement'],
    );
    assert.ok(Number.isInteger(body.log_id));
    assert.match(body.interactions_checked.message, /no pair to check.*says nothing about its safety/);
  });

  it('accepts a slug, a start in the past, and target biomarkers', async () => {
    const { body } = await someone('b')
      .send('/urine-test/supplement-log', {
        supplement_slug: 'magnesium',
        started_at: '2026-03-01',
        target_biomarkers: ['Ferritin', 'mojo'],
      })
      .expect(200);
    assert.deepEqual([body.name, body.started_at, body.unknown_targets], ['Magnesium', '2026-03-01', ['mojo']]);
    assert.equal(body.target_biomarkers.length, 1);
  });

  it('shows the interaction of a supplement with a medicine on both entries', async () => {
    const person = someone('c');
    const wort = (await person.send('/blood-test/supplement-log', { name: 'St. John’s wort' }).expect(200)).body;
    const pill = (await person.send('/blood-test/supplement-log', { kind: 'medicine', name: 'warfarin' }).expect(200))
      .body;
    assert.deepEqual([pill.kind, pill.drug_slug, pill.supplement_slug], ['medicine', 'warfarin', '']);
    const [found] = pill.interactions;
    assert.deepEqual([found.with.log_id, found.url], [wort.log_id, '/interactions/st-johns-wort-warfarin']);
    assert.ok(['contraindicated', 'major'].includes(found.severity) && found.effect && found.to_do);
    const { body: list } = await person.get('/api/urine-test/supplement-log').expect(200);
    assert.deepEqual(
      list.map((entry: { interactions: unknown[] }) => entry.interactions.length),
      [1, 1],
    );
  });

  it('records a medicine that was entered as a supplement as a medicine', async () => {
    const { body } = await someone('d').send('/blood-test/supplement-log', { name: 'warfarin' }).expect(200);
    assert.deepEqual([body.kind, body.drug_slug], ['medicine', 'warfarin']);
  });

  it('does not imply safety for "no record", and does not report an unknown name as checked', async () => {
    const person = someone('e');
    await person.send('/blood-test/supplement-log', { name: 'Zzyqx powder' }).expect(200);
    await person.send('/blood-test/supplement-log', { name: 'biotin' }).expect(200);
    const { body } = await person.send('/blood-test/supplement-log', { name: 'creatine' }).expect(200);
    assert.deepEqual([body.interactions_checked.no_record, body.interactions_checked.not_recognised], [1, 1]);
    assert.match(
      body.interactions_checked.message,
      /No record in our sources\. This does not mean the combination is safe\./,
    );
    assert.match(body.interactions_checked.message, /a name that we do not know: nothing was looked up/);
  });

  it('reports that a misspelt name was corrected', async () => {
    const { body } = await someone('f').send('/blood-test/supplement-log', { name: 'magnesuim' }).expect(200);
    assert.deepEqual(
      [body.supplement_slug, body.given_name, body.needs_confirmation],
      ['magnesium', 'magnesuim', true],
    );
  });

  it('stops an entry once: a second stop returns the same entry', async () => {
    const person = someone('g');
    const { body } = await person.send('/blood-test/supplement-log', { name: 'zinc', started_at: '2026-01-10' });
    const first = await person
      .send(`/blood-test/supplement-log/${body.log_id}/stop`, { stopped_at: '2026-02-10' })
      .expect(200);
    const second = await person
      .send(`/urine-test/supplement-log/${body.log_id}/stop`, { stopped_at: '2026-03-10' })
      .expect(200);
    assert.deepEqual([first.body.status, first.body.stopped_at], ['stopped', '2026-02-10']);
    assert.deepEqual(second.body, first.body);
  });

  it('rejects a stop before the start, future dates, missing names, unknown slugs and frequencies', async () => {
    const person = someone('h');
    const { body } = await person.send('/blood-test/supplement-log', { name: 'zinc', started_at: '2026-01-10' });
    await person.send(`/blood-test/supplement-log/${body.log_id}/stop`, { stopped_at: '2026-01-09' }).expect(422);
    await person.send('/blood-test/supplement-log', { name: 'zinc', started_at: '2099-01-01' }).expect(422);
    await person.send('/blood-test/supplement-log', { name: ' ' }).expect(422);
    await person.send('/blood-test/supplement-log', { supplement_slug: 'no-such-thing' }).expect(422);
    await person.send('/blood-test/supplement-log', { name: 'zinc', frequency: 'hourly' }).expect(422);
  });

  it('returns 404 for an entry of another device', async () => {
    const { body } = await someone('i').send('/blood-test/supplement-log', { name: 'zinc' });
    const other = someone('j');
    await other.send(`/blood-test/supplement-log/${body.log_id}/stop`).expect(404);
    await other.form(`/blood-test/supplement-log/${body.log_id}/delete`).expect(404);
    await other.send('/blood-test/supplement-log/2000000000/stop').expect(404);
    assert.deepEqual((await other.get('/api/blood-test/supplement-log')).body, []);
  });

  it('works as a form without scripts, and shows the entry and its stop form', async () => {
    const person = someone('k');
    await person
      .form('/blood-test/supplement-log', {
        kind: 'supplement',
        name: 'vitamin D',
        started_at: '2026-04-01',
        dose_amount: '2000',
        dose_unit: 'IU',
        frequency: '',
        target_biomarkers: 'Ferritin, LDL cholesterol',
      })
      .expect(303)
      .expect('Location', '/blood-test/supplement-log?notice=noted');
    const { text } = await person
      .get('/blood-test/supplement-log?notice=noted')
      .expect(200)
      .expect('Cache-Control', 'no-store')
      .expect('X-Robots-Tag', /noindex/);
    assert.match(text, /2,000 IU/);
    assert.match(text, /1 April 2026/);
    assert.match(text, /Ferritin<\/a>, <a[^>]*>LDL/);
    const stop = /action="(\/blood-test\/supplement-log\/\d+\/stop)"/.exec(text)?.[1] ?? '';
    await person.form(stop, { stopped_at: '' }).expect(303);
    assert.equal((await person.get('/api/blood-test/supplement-log')).body[0].stopped_at, today());
  });

  it('deletes an entry that was a mistake', async () => {
    const person = someone('l');
    const { body } = await person.send('/blood-test/supplement-log', { name: 'zinc' });
    await person.form(`/blood-test/supplement-log/${body.log_id}/delete`).expect(303);
    assert.deepEqual((await person.get('/api/blood-test/supplement-log')).body, []);
  });

  it('returns 403 for a request from another site', async () => {
    await someone('m')
      .send('/blood-test/supplement-log', { name: 'zinc' })
      .set('Sec-Fetch-Site', 'cross-site')
      .expect(403);
  });

  it('rejects the 201st current entry', async () => {
    const person = someone('o');
    const { body } = await person.send('/blood-test/supplement-log', { name: 'zinc' });
    const { db, secrets } = service.runtime;
    await db.write(async (em) => {
      const shelf = { em, secrets, device: person.device };
      const [{ logId, createdAt, revision, ...entry }] = (await readLog(shelf)) as [LogEntry];
      for (let at = 0; at < 199; at += 1) await addEntry(shelf, entry);
    });
    const { body: problem } = await person.send('/blood-test/supplement-log', { name: 'iron' }).expect(422);
    assert.match(JSON.stringify(problem), /At most 200 things/);
    await person.send(`/blood-test/supplement-log/${body.log_id}/stop`).expect(200);
    await person.send('/blood-test/supplement-log', { name: 'iron' }).expect(200);
  });

  it('stores nothing readable in the database', async () => {
    const person = someone('n');
    await person.send('/blood-test/supplement-log', { name: 'zinc', reason: 'a very private reason' });
    const rows = await service.runtime.db.read((em) =>
      em.execute("select encode(sealed, 'escape') as text from supplement_log where device = ?", [person.device]),
    );
    assert.ok(!/private|zinc/i.test(JSON.stringify(rows)));
  });
});
