import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { type OutcomeServices, outcomesPlugin } from '#plugins/outcomes/index.ts';
import { startService } from '../../support/service.ts';
import { type SharedService, sharedService } from '../../support/shared.ts';
import { lastChange, query } from '../evidence/support.ts';

/** Stops work after some looks at it, as a kill between two transactions would. */
const stopsAfter = (looks: number): AbortSignal => {
  let left = looks;
  const throwIfAborted = (): void => {
    left -= 1;
    if (left < 0) throw new Error('killed');
  };
  return { throwIfAborted } as unknown as AbortSignal;
};

describe('the grading of a whole base', function () {
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

  it('killed on its way leaves whole grades, and the next run brings the rest', async () => {
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
    await services.catchUp();
    assert.deepEqual(await digests(), whole);
    assert.deepEqual(await members(), sources);
    assert.equal(await lastChange(service), last, 'a first grade is no change');
  });

  it('is left off where it stands when the program ends, and says nothing of it', async () => {
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

  it('says of no supplement that it is safe, and of none that is unread that it works', async () => {
    const grades = await services.list({});
    const safety = grades.filter(({ topic_slug }) => topic_slug === 'safety');
    assert.ok(safety.length > 10);
    assert.deepEqual(
      safety.filter(({ direction, certainty }) => /positive|null/.test(direction) || /high|moderate/.test(certainty)),
      [],
    );
    assert.deepEqual(
      grades.filter(({ figures, direction }) => !figures.judged && direction !== 'unclear'),
      [],
    );
  });

  it('does not answer from a study in which nobody went without', async () => {
    const grade = await services.ofVertical('folate-pregnancy-outcomes');
    assert.deepEqual([grade?.certainty, grade?.direction], ['very_low', 'unclear']);
  });
});
