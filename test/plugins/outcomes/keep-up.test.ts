import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { type FindingServices, findingsPlugin } from '#plugins/findings/index.ts';
import { type OutcomeServices, outcomesPlugin } from '#plugins/outcomes/index.ts';
import { startService } from '../../support/service.ts';
import { type SharedService, sharedService, startBeside } from '../../support/shared.ts';
import { lastChange, query } from '../evidence/support.ts';

/** Returns a signal that aborts after the given number of checks, like a kill between two transactions. */
const stopsAfter = (looks: number): AbortSignal => {
  let left = looks;
  const throwIfAborted = (): void => {
    left -= 1;
    if (left < 0) throw new Error('killed');
  };
  return { throwIfAborted } as unknown as AbortSignal;
};

describe('grading of a whole database', function () {
  this.timeout(300_000);
  let service: SharedService;
  let services: OutcomeServices;
  before(async () => {
    service = await sharedService();
    services = service.runtime.servicesOf(outcomesPlugin) as OutcomeServices;
    await services.catchUp();
  });

  const digests = () => query(service, 'select vertical, digest from outcome_grade order by vertical collate "C"');
  const members = () =>
    query(
      service,
      'select vertical, source_id from outcome_source order by vertical collate "C", source_id collate "C"',
    );

  it('leaves complete grades when killed, and the next run adds the rest', async () => {
    const [whole, sources, last] = [await digests(), await members(), await lastChange(service)];
    assert.ok(whole.length > 500);
    await service.runtime.db.write(async (em) => {
      await em.execute('delete from outcome_grade');
      await em.execute('delete from outcome_source');
      await em.execute("delete from fact where name = 'outcomes_revision'");
    });
    await assert.rejects(services.catchUp(stopsAfter(3)), /killed/);
    const part = await digests();
    assert.ok(part.length > 0 && part.length < whole.length, `${part.length} of ${whole.length}`);
    // A kill ends a process, so another process without shared state performs the next run.
    const next = await startBeside(service, {});
    try {
      await (next.runtime.servicesOf(outcomesPlugin) as OutcomeServices).catchUp();
      assert.deepEqual(await digests(), whole);
      assert.deepEqual(await members(), sources);
      assert.equal(await lastChange(service), last, 'a first grade is no change');
    } finally {
      await next.stop();
    }
  });

  it('stops without a log message when the program ends', async () => {
    const lines: string[] = [];
    const other = await startService({ onLog: (line) => lines.push(line) });
    try {
      const here = other.runtime.servicesOf(outcomesPlugin) as OutcomeServices;
      await here.catchUp();
      await other.runtime.db.write(async (em) => {
        await em.execute('delete from outcome_grade');
        await em.execute("delete from fact where name = 'outcomes_revision'");
      });
      const run = here.level();
      while (here.stage().status !== 'running' || !here.stage().done) await sleep(1);
      await here.stop();
      await run;
      const [{ n = 0 } = {}] = (await query(other, 'select count(*)::int as n from outcome_grade')) as { n: number }[];
      assert.ok(n > 0 && n < 300, `${n} graded`);
      assert.deepEqual(
        lines.filter((line) => line.includes('outcomes_not_graded')),
        [],
      );
    } finally {
      await other.stop();
    }
  });

  it('returns no benefit or absence of harm on the safety of any supplement', async () => {
    const safety = (await services.list({ topic: 'safety' })).filter(({ assessed }) => assessed);
    assert.ok(safety.length > 10);
    assert.deepEqual(
      safety
        .flatMap(({ vertical, assessments }) => assessments.map((assessment) => ({ vertical, ...assessment })))
        .filter(({ direction }) => /positive|null/.test(direction))
        .map(({ vertical, population, direction }) => `${vertical} in ${population.people}: ${direction}`),
      [],
    );
  });

  it('returns no direction from sources that nobody read', async () => {
    const grades = await services.list({});
    const unread = grades.filter(({ figures }) => !figures.judged);
    assert.ok(unread.length > 100);
    assert.deepEqual(
      unread
        .filter(({ assessed, direction, assessments }) =>
          assessed ? assessments.some(({ basis }) => basis === 'sources') : direction !== 'unclear',
        )
        .map(({ vertical }) => vertical),
      [],
    );
  });

  it('leaves unassessed questions without a direction and gives every assessment its own population', async () => {
    const grades = await services.list({});
    const [assessed, open] = [grades.filter((one) => one.assessed), grades.filter((one) => !one.assessed)];
    assert.ok(assessed.length > 300 && open.length > 300);
    for (const { vertical, assessments, direction, certainty } of open)
      assert.deepEqual([assessments, direction, certainty], [[], 'unclear', 'very_low'], vertical);
    for (const { vertical, assessments, direction, certainty } of assessed) {
      const [lead] = assessments;
      assert.deepEqual([lead?.direction, lead?.certainty], [direction, certainty], vertical);
      const keys = assessments.map(({ population: { people, condition } }) => `${people}/${condition}`);
      assert.equal(new Set(keys).size, keys.length, vertical);
    }
  });

  it('does not use comparisons with another treatment or dose', async () => {
    const book = await (service.runtime.servicesOf(findingsPlugin) as FindingServices).book();
    const byId = new Map(book.all.map((finding) => [finding.id, finding]));
    const used = (await services.list({})).flatMap(({ assessments }) =>
      assessments.flatMap(({ outcomes }) => outcomes),
    );
    assert.ok(used.length > 300);
    assert.deepEqual(
      used.filter(({ finding }) => /^(active|dose)/.test(byId.get(finding)?.comparator ?? '')),
      [],
    );
  });
});
