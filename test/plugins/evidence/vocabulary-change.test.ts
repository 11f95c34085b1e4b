import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { syncContent } from '#core/content-sync.ts';
import {
  changesAfter,
  idsOf,
  ingest,
  lastChange,
  levelIndex,
  MADE_TOPICS,
  madeArticle,
  madeFile,
  madeSupplement,
  query,
  servicesOf,
  temporaryFolder,
  useService,
  zincTrial,
} from './support.ts';

const [COLD, SLEEP, ROOT] = [99400001, 99400002, 99400003];

describe('a change of the vocabulary', () => {
  const content = temporaryFolder();
  const files = temporaryFolder();
  before(async () => {
    await content.put('topics.yaml', MADE_TOPICS);
    await content.put('supplements/zinc.md', madeSupplement('Zinc'));
  });
  const sleep = zincTrial(SLEEP, {
    title: 'Zinc and insomnia.',
    abstract: 'Zinc was given against insomnia. Sleep was longer with zinc.',
  });
  const root = zincTrial(ROOT, {
    title: 'Maca and insomnia: a randomised trial.',
    abstract: 'We gave maca to 80 adults with insomnia. Sleep was no longer with maca.',
  });
  const base = useService(
    () => ({ contentDir: content.path() }),
    async ({ service }) => {
      const made = madeFile(...[zincTrial(COLD), sleep, root].map(madeArticle));
      await ingest(service, 'pubmed', await files.put('made.xml', made));
    },
  );

  /** Synchronises the content, refreshes stale sources and the index, as a start after a content change does. */
  const sync = async (): Promise<number> => {
    await syncContent(base.service.runtime, content.path());
    const stale = await servicesOf(base.service).refreshStale(new AbortController().signal);
    await levelIndex(base.service);
    return stale;
  };
  const verticalsOf = async (): Promise<Record<number, string[]>> => {
    const { body } = await base.client.sources({ page_size: 200 });
    return Object.fromEntries(
      body.sources.map(({ pmid, verticals }: { pmid: string; verticals: string[] }) => [pmid, verticals]),
    );
  };
  const updatedAt = async (): Promise<Record<string, string>> => {
    const { body } = await base.client.sources({ page_size: 200 });
    return Object.fromEntries(
      body.sources.map((source: { pmid: string; updated_at: string }) => [source.pmid, source.updated_at]),
    );
  };
  const evidenceChanges = async (from: number): Promise<string[]> =>
    (await changesAfter(base.service, from))
      .filter(({ kind }) => kind.startsWith('evidence'))
      .map(({ kind, subject_id: id }) => `${kind} ${id}`);

  it('starts with the verticals of the known supplements and topics', async () => {
    assert.deepEqual(await verticalsOf(), { [COLD]: ['zinc-colds'], [SLEEP]: ['zinc-sleep'], [ROOT]: [] });
  });

  it('links sources to a new supplement, and logs only those as changed', async () => {
    const [before, last] = [await updatedAt(), await lastChange(base.service)];
    await content.put('supplements/maca.md', madeSupplement('Maca'));
    assert.equal(await sync(), 3);
    assert.deepEqual(await verticalsOf(), { [COLD]: ['zinc-colds'], [SLEEP]: ['zinc-sleep'], [ROOT]: ['maca-sleep'] });
    assert.deepEqual(await evidenceChanges(last), [`evidence.updated pmid-${ROOT}`]);
    const after = await updatedAt();
    assert.deepEqual([after[COLD], after[SLEEP]], [before[COLD], before[SLEEP]]);
    assert.notEqual(after[ROOT], before[ROOT]);
    const found = await base.client.search({ q: 'insomnia', vertical: 'maca-sleep' });
    assert.deepEqual(idsOf(found.body.results), [`pmid-${ROOT}`]);
  });

  it('refreshes no source when nothing changed', async () => {
    assert.equal(await sync(), 0);
  });

  it("makes sources searchable by a supplement's new name that their own text does not contain", async () => {
    assert.deepEqual((await base.client.search({ q: 'Lepidium' })).body.results, []);
    const last = await lastChange(base.service);
    await content.put('supplements/maca.md', madeSupplement('Lepidium', ['maca']));
    await sync();
    assert.deepEqual(idsOf((await base.client.search({ q: 'Lepidium' })).body.results), [`pmid-${ROOT}`]);
    assert.deepEqual(await evidenceChanges(last), []);
  });

  it('unlinks sources from a removed topic, also in the vertical table', async () => {
    await content.put(
      'topics.yaml',
      MADE_TOPICS.split('\n')
        .filter((line) => !line.includes('sleep'))
        .join('\n'),
    );
    await sync();
    assert.deepEqual(await verticalsOf(), { [COLD]: ['zinc-colds'], [SLEEP]: [], [ROOT]: [] });
    assert.deepEqual(await query(base.service, 'select source_id, vertical from evidence_vertical'), [
      { source_id: `pmid-${COLD}`, vertical: 'zinc-colds' },
    ]);
    const found = await base.client.search({ q: 'insomnia', vertical: 'zinc-sleep' });
    assert.deepEqual(found.body.results, []);
  });

  it('unlinks sources from a removed supplement', async () => {
    await rm(content.path('supplements/maca.md'));
    await content.put('topics.yaml', MADE_TOPICS);
    await sync();
    assert.deepEqual(await verticalsOf(), { [COLD]: ['zinc-colds'], [SLEEP]: ['zinc-sleep'], [ROOT]: [] });
  });
});
