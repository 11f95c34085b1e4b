import assert from 'node:assert/strict';
import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { withDatabase } from '../../kill/support.ts';
import { discard, newPlace, startService, type TestService } from '../../support/service.ts';
import {
  clientOf,
  idsOf,
  ingest,
  madeArticle,
  madeFile,
  query,
  servicesOf,
  temporaryFolder,
  zincTrial,
} from './support.ts';

type Place = Awaited<ReturnType<typeof newPlace>>;

/** Replaces the database of a data folder with another one, as restoring a copy or changing DATABASE_URL does. */
const withDatabaseOf = async ({ dataDir: kept }: Place, { dataDir, databaseUrl }: Place): Promise<Place> => {
  if (databaseUrl) return { dataDir: kept, databaseUrl };
  await rm(join(kept, 'db'), { recursive: true });
  await cp(join(dataDir, 'db'), join(kept, 'db'), { recursive: true });
  return { dataDir: kept, databaseUrl };
};

describe('an index built from another database', function () {
  this.timeout(180_000);
  const files = temporaryFolder();
  const places: Place[] = [];
  let place: Place;
  const newOne = async (): Promise<Place> => {
    const made = await newPlace();
    places.push(made);
    return made;
  };
  const running = async <T>(on: Place, work: (service: TestService) => Promise<T>): Promise<T> => {
    const service = await startService({}, on);
    try {
      return await work(service);
    } finally {
      await service.stop();
    }
  };
  const bring = async (service: TestService, ...pmids: number[]): Promise<void> => {
    const made = madeFile(...pmids.map((pmid) => madeArticle({ ...zincTrial(pmid), title: `Wombat ${pmid}` })));
    await ingest(service, 'pubmed', await files.put('made.xml', made));
  };
  const wombats = async (service: TestService): Promise<string[]> => {
    const { search } = await clientOf(service);
    const { body } = await search({ q: 'wombat', top_k: 50 }).expect(200);
    return idsOf(body.results).filter((id) => id.startsWith('pmid-996'));
  };
  const isLevel = async (service: TestService): Promise<void> => {
    const [row] = await query<{ n: number }>(
      service,
      'select count(*)::int as n from evidence_source where removed_at is null',
    );
    assert.equal(servicesOf(service).index.state().documents, row?.n);
  };
  before(async () => {
    place = await newOne();
  });
  after(async () => {
    for (const each of places) await discard(each);
  });

  it('is not searched after an older copy of the database is restored', async () => {
    const older = await newOne();
    await running(place, (service) => bring(service, 99600001, 99600002, 99600003));
    place = await withDatabaseOf(place, older);
    await running(place, async (service) => {
      await isLevel(service);
      await bring(service, 99600011);
      await isLevel(service);
      assert.deepEqual(await wombats(service), ['pmid-99600011']);
    });
  });

  it('is not searched when DATA_DIR stays the same and the database is another, longer one', async () => {
    const other = await newOne();
    await withDatabase(other, async (em) => {
      await em.execute("update fact set value = 'another' where name = 'corpus_id'");
      await em.execute("update evidence_source set revision = nextval('evidence_revision')");
    });
    await running(await withDatabaseOf(place, other), async (service) => {
      await isLevel(service);
      assert.deepEqual(await wombats(service), []);
    });
  });
});
