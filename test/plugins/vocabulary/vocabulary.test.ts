import assert from 'node:assert/strict';
import { syncContent } from '#core/content-sync.ts';
import { api } from '../../support/client.ts';
import { sql } from '../../support/database.ts';
import type { TestService } from '../../support/service.ts';
import { type MadeContent, makeContent, startOver } from './support.ts';

const BASE = 'http://evidence.test';

describe('vocabulary', () => {
  let content: MadeContent;
  let service: TestService;
  before(async () => {
    content = await makeContent();
    service = await startOver(content);
  });
  after(async () => {
    await service?.stop();
    await content?.remove();
  });

  const resolved = async (name: string, kind?: string) =>
    (await api(service).get('/api/resolve').query({ name, kind }).expect(200)).body;
  const korvelia = { kind: 'supplement', slug: 'korvelia', name: 'Korvelia', url: `${BASE}/supplements/korvelia` };

  it('resolves slugs, names, synonyms, Latin names, brands and previous slugs, and states the match type', async () => {
    for (const [input, match_type, confidence] of [
      ['korvelia', 'exact', 1],
      ['KORVELIA™', 'exact', 1],
      ['Marsh-Korvel', 'synonym', 0.95],
      ['korvelia root powder', 'synonym', 0.95],
      ['korvel-root', 'synonym', 0.95],
      ['Korvelia officinalis', 'latin', 0.95],
      ['brandovex®', 'brand', 0.9],
    ] as const) {
      assert.deepEqual(await resolved(input), {
        resolved: { ...korvelia, input, match_type, confidence },
        near: [],
        warning: null,
      });
    }
  });

  it('resolves ids of other vocabularies as exact matches, with or without the vocabulary name', async () => {
    for (const id of ['C9999999', '99999999', 'RxCUI 99999999', 'zz0000000z', 'UNII: ZZ0000000Z', 'D999999']) {
      const { resolved: hit } = await resolved(id);
      assert.deepEqual([id, hit?.slug, hit?.match_type], [id, 'korvelia', 'exact']);
    }
    assert.equal((await resolved('mesh:D999998')).resolved.slug, 'testitis');
  });

  it('resolves a misspelling as a typo and suggests similar names when nothing matches', async () => {
    const { resolved: hit } = await resolved('brandovx');
    assert.deepEqual([hit.slug, hit.match_type], ['korvelia', 'typo']);
    assert.ok(hit.confidence >= 0.5 && hit.confidence <= 0.85);
    const lost = await resolved('korvelia officinalis extract of the root');
    assert.equal(lost.resolved, null);
    assert.equal(lost.near[0].slug, 'korvelia');
    assert.deepEqual(await resolved('qqqqqqqqq'), { resolved: null, near: [], warning: null });
  });

  it('does not resolve an ambiguous synonym but suggests both meanings', async () => {
    const answer = await resolved('Korvel mix');
    assert.equal(answer.resolved, null);
    const near = answer.near.slice(0, 2).map(({ slug }: { slug: string }) => slug);
    assert.deepEqual(near.toSorted(), ['korvelia', 'melindra']);
  });

  it('does not treat the exact name of one kind as a misspelling of another kind', async () => {
    assert.equal((await resolved('korvelian', 'supplement')).resolved.slug, 'korvelia');
    assert.equal((await resolved('korveliane', 'supplement')).resolved, null);
  });

  it('returns a warning for a name of a banned substance', async () => {
    const warning = {
      slug: 'forbidweed',
      name: 'Forbidweed',
      kind: 'banned',
      statement: 'Nobody may sell it.',
      authority: { name: 'FDA', address: 'https://www.fda.gov/' },
      status_as_of: '2026-01',
    };
    const answer = await resolved('No-no Korvel');
    assert.deepEqual([answer.resolved.kind, answer.resolved.url, answer.warning], ['substance', null, warning]);
    const missing = await api(service).get('/api/supplements/forbidweed').expect(404);
    assert.deepEqual(missing.body.warning, warning);
    await api(service).get('/supplements/forbidweed').expect(404);
  });

  it('resolves every name of a restricted supplement to the supplement with its legal status', async () => {
    const status = {
      slug: 'melindra',
      name: 'Melindra',
      kind: 'restricted',
      statement: 'Some may not sell it.',
      authority: { name: 'FDA', address: 'https://www.fda.gov/melindra' },
      status_as_of: '2026-02',
    };
    for (const name of ['melindra', 'Melindra', 'MLD', 'sly melindra', 'Melindra officinalis', 'C9999997']) {
      const { resolved: hit, near, warning } = await resolved(name);
      assert.deepEqual([name, hit?.kind, hit?.slug, near], [name, 'supplement', 'melindra', []]);
      assert.deepEqual([hit.url, warning], [`${BASE}/supplements/melindra`, status]);
      assert.equal((await resolved(name, 'supplement')).resolved.slug, 'melindra');
      assert.equal((await resolved(name, 'substance')).resolved, null);
    }
    const { body } = await api(service).get('/api/supplements/melindra').expect(200);
    assert.deepEqual([body.synonyms, body.legal_status], [['korvel mix'], status]);
    const missing = await api(service).get('/api/conditions/sly-melindra').expect(404);
    assert.deepEqual(missing.body.warning, status);
    const page = await api(service).get('/supplements/melindra').expect(200);
    assert.match(
      page.text,
      /Restricted.*Some may not sell it\..*https:\/\/www\.fda\.gov\/melindra.*as of February 2026/s,
    );
  });

  it('ignores a supplement synonym that is a banned substance but accepts one that is a food', async () => {
    assert.equal((await resolved('Forbidweed', 'supplement')).resolved, null);
    assert.equal((await resolved('no no korvel', 'supplement')).resolved, null);
    assert.equal((await resolved('no no korvel')).resolved.slug, 'forbidweed');
    assert.equal((await resolved('korvel soup', 'supplement')).resolved.slug, 'korvelia');
  });

  it('resolves only the requested kinds', async () => {
    assert.equal((await resolved('testitis', 'supplement')).resolved, null);
    assert.equal((await resolved('testitis', 'condition')).resolved.slug, 'testitis');
    await api(service).get('/api/resolve').query({ name: 'x', kind: 'drug' }).expect(422);
    await api(service).get('/api/resolve').expect(422);
  });

  it('returns a supplement with its names, ids, doses and intake', async () => {
    const { body } = await api(service).get('/api/supplements/korvelia').expect(200);
    assert.deepEqual(body, {
      slug: 'korvelia',
      name: 'Korvelia',
      latin_name: 'Korvelia officinalis',
      category: 'herb',
      traditions: ['folk'],
      synonyms: ['marsh korvel', 'korvel mix', 'forbidweed', 'no no korvel', 'korvel soup'],
      brands: ['Brandovex'],
      parts_used: ['root'],
      ids: { umls_cui: 'C9999999', rxcui: '99999999', unii: 'ZZ0000000Z', mesh: 'D999999' },
      answer: 'A plant that tests grow.',
      intake: {
        unit: 'mg',
        upper_limit: null,
        upper_limit_note: 'No upper limit was set. This does not mean that any amount is safe.',
        recommended: [{ group: 'Male', age: '19-30', value: 400, kind: 'RDA' }],
        authority: { name: 'NIH ODS', address: 'https://ods.od.nih.gov/' },
      },
      legal_status: null,
      url: `${BASE}/supplements/korvelia`,
      updated_at: '2026-11-21',
      forms: [{ name: 'Korvelia root powder' }],
      dosing: [
        {
          context: 'Nothing',
          dose: '300 mg twice daily',
          amount: { min: 600, max: 600, unit: 'mg', of: 'root powder' },
          sources: ['pmid:1'],
        },
      ],
      safety: [],
      unknown: ['Everything.'],
      further_reading: [],
      replaces: ['korvel-root'],
    });
  });

  it('returns a condition with its topics, questions and warning signs', async () => {
    const { body } = await api(service).get('/api/conditions/testitis').expect(200);
    assert.deepEqual(body, {
      slug: 'testitis',
      name: 'Testitis',
      category: 'other',
      synonyms: ['inflamed tests'],
      ids: { mesh: 'D999998' },
      topics: [{ slug: 'sleep', name: body.topics[0].name }],
      answer: 'Tests that hurt.',
      url: `${BASE}/conditions/testitis`,
      updated_at: '2026-11-21',
      ask: ['Is it red?', 'Is it green?', 'Is it flaky?'],
      red_flags: ['smoke'],
      see_doctor: ['a test that lasts'],
      further_reading: [],
      replaces: ['sore-tests'],
    });
  });

  it('redirects previous slugs and other names permanently, and returns 404 with suggestions for an unknown slug', async () => {
    for (const [from, kind, to] of [
      ['korvel-root', 'supplements', 'korvelia'],
      ['Korvelia', 'supplements', 'korvelia'],
      ['marsh-korvel', 'supplements', 'korvelia'],
      ['sore-tests', 'conditions', 'testitis'],
    ]) {
      const reply = await api(service).get(`/api/${kind}/${from}`).expect(301).expect('Location', `/api/${kind}/${to}`);
      assert.deepEqual(reply.body, { replaced_by: to, url: `${BASE}/${kind}/${to}` });
    }
    for (const from of ['korvel-root', 'KORVELIA', 'marsh-korvel', 'Korvelia%20officinalis']) {
      await api(service).get(`/supplements/${from}`).expect(301).expect('Location', '/supplements/korvelia');
    }
    const { body } = await api(service).get('/api/supplements/korvelja').expect(404);
    assert.deepEqual(
      [body.code, body.resource, body.id, body.did_you_mean[0]],
      ['not_found', 'supplement', 'korvelja', 'korvelia'],
    );
    await api(service).get('/supplements/korvelja').expect(404);
    await api(service).get('/supplements/brandovex').expect(404);
  });

  it('lists supplements by name in pages, with a next link in the Link header', async () => {
    const { body: all } = await api(service).get('/api/supplements').query({ page_size: 200 }).expect(200);
    assert.ok(all.total >= 41);
    const names = all.supplements.map(({ name }: { name: string }) => name);
    assert.deepEqual(
      names,
      names.toSorted((a: string, b: string) => a.localeCompare(b, 'en')),
    );
    const { body, headers } = await api(service).get('/api/supplements').query({ page: 2, page_size: 3 }).expect(200);
    assert.deepEqual(body.supplements, all.supplements.slice(3, 6));
    assert.deepEqual([body.page, body.page_size, body.has_next], [2, 3, true]);
    assert.match(headers.link ?? '', /<http:\/\/evidence\.test\/api\/supplements\?page_size=3&page=3>; rel="next"/);
    const { body: past } = await api(service).get('/api/supplements').query({ page: 9_999 }).expect(200);
    assert.deepEqual([past.supplements, past.has_next, past.total], [[], false, all.total]);
    await api(service).get('/api/supplements').query({ page_size: 201 }).expect(422);
  });

  it('filters lists by part of a name, misspelling, category and tradition', async () => {
    const slugs = async (query: object, kind = 'supplements'): Promise<string[]> =>
      (await api(service).get(`/api/${kind}`).query(query).expect(200)).body[kind].map(
        ({ slug }: { slug: string }) => slug,
      );
    assert.deepEqual(await slugs({ q: 'korveli' }), ['korvelia']);
    assert.deepEqual(await slugs({ q: 'marsh korvl' }), ['korvelia']);
    assert.deepEqual(await slugs({ q: 'korveli', category: 'vitamin' }), []);
    assert.deepEqual(await slugs({ q: 'inflamed' }, 'conditions'), ['testitis']);
    assert.ok((await slugs({ tradition: 'folk', category: 'herb' })).includes('korvelia'));
  });

  it('does not regrade evidence when a brand or an id changes', async () => {
    const versions = () => sql(service, 'select distinct projection from evidence_source where removed_at is null');
    const digest = async (): Promise<string> =>
      (await service.runtime.db.read(async (em) => (await import('#plugins/vocabulary/terms.ts')).loadTerms(em)))
        .digest;
    const [before, graded] = [await digest(), await versions()];
    const text = await content.read('supplements/korvelia.md');
    await content.write(
      'supplements/korvelia.md',
      text.replace('[Brandovex]', '[Brandovex, Other]').replace('D999999', 'D999997'),
    );
    await syncContent(service.runtime, content.folder);
    assert.equal(await digest(), before);
    assert.deepEqual(await versions(), graded);
    assert.equal((await resolved('D999997')).resolved.slug, 'korvelia');
    assert.equal((await resolved('other')).resolved.slug, 'korvelia');
  });
});
