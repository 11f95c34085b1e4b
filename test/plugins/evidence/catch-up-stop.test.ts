/** Tests a stop of the service while its index is catching up with many sources. */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { discard, newPlace, startService, type TestService } from '../../support/service.ts';
import { query, servicesOf } from './support.ts';

const SOURCES = 2_500;
/** Duration of one batch with a slow embedding model, in milliseconds. */
const BATCH_MS = 700;

/** Inserts copies of one source under other ids, with revisions newer than those of all existing sources. */
const bringMany = (service: TestService): Promise<unknown> =>
  query(
    service,
    `insert into evidence_source
     select copy.* from (select * from evidence_source where removed_at is null order by source_id limit 1) one,
       generate_series(70000001, 70000000 + ${SOURCES}) n,
       jsonb_populate_record(null::evidence_source, to_jsonb(one) || jsonb_build_object('source_id', 'pmid-' || n,
         'pmid', n::text, 'doi', '', 'nct_id', '', 'revision', nextval('evidence_revision'))) copy`,
  );

const newestOf = async (service: TestService): Promise<number> => {
  const [row] = await query<{ last: number }>(service, 'select max(revision)::float8 as last from evidence_source');
  return row?.last ?? 0;
};

describe('stopping the service while the index catches up', function () {
  this.timeout(300_000);
  let place: Awaited<ReturnType<typeof newPlace>>;
  before(async () => {
    place = await newPlace();
  });
  after(() => discard(place));

  it('waits only for the batch in progress, and the next start continues with the following batch', async () => {
    const service = await startService({}, place);
    const { index } = servicesOf(service);
    const before = index.state().revision;
    const apply = index.apply.bind(index);
    const first = Promise.withResolvers<void>();
    let batches = 0;
    index.apply = async (change) => {
      batches += 1;
      if (batches === 2) first.resolve();
      await sleep(BATCH_MS);
      await apply(change);
    };
    await bringMany(service);
    await first.promise;
    const startedAt = Date.now();
    await service.stop();
    assert.ok(Date.now() - startedAt < 60_000, `${Date.now() - startedAt} ms`);
    assert.equal(batches, 2);
    const again = await startService({}, place);
    const { index: after } = servicesOf(again);
    const wanted = await newestOf(again);
    while (after.state().revision < wanted) await sleep(50);
    const [row] = await query<{ n: number }>(
      again,
      'select count(*)::int as n from evidence_source where removed_at is null',
    );
    assert.equal(after.state().documents, row?.n);
    assert.ok(before < wanted);
    await again.stop();
  });

  it('does not wait for a batch that hangs', async () => {
    const service = await startService({}, place);
    const { index } = servicesOf(service);
    const hung = Promise.withResolvers<void>();
    index.apply = async () => {
      hung.resolve();
      await new Promise(() => undefined);
    };
    await query(service, "update evidence_source set revision = nextval('evidence_revision') where pmid = '70000001'");
    await hung.promise;
    const startedAt = Date.now();
    await service.stop();
    assert.ok(Date.now() - startedAt < 60_000, `${Date.now() - startedAt} ms`);
  });
});
