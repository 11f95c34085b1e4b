import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { syncContent } from '#core/content-sync.ts';
import { ContentError } from '#core/errors.ts';
import {
  ingest,
  levelIndex,
  MADE_TOPICS,
  madeArticle,
  madeFile,
  madeSupplement,
  temporaryFolder,
  useService,
  zincTrial,
} from './support.ts';

const PMID = 99_009_001;

describe('content/corrections', () => {
  const content = temporaryFolder();
  const imports = temporaryFolder();
  before(async () => {
    await content.put('topics.yaml', MADE_TOPICS);
    await content.put('supplements/zinc.md', madeSupplement('Zinc'));
  });
  const base = useService(() => ({ contentDir: content.path() }));

  const sync = async (): Promise<void> => {
    await syncContent(base.service.runtime, content.path());
    await levelIndex(base.service);
  };
  const source = async () => (await base.client.sources()).body.sources[0];
  const importTrial = async (): Promise<void> => {
    const path = await imports.put('trial.xml', madeFile(madeArticle(zincTrial(PMID))));
    await ingest(base.service, 'pubmed', path);
  };
  const put = (fields: string) =>
    content.put(
      'corrections/read-wrongly.yaml',
      `- pmid: "${PMID}"\n  why: The program counted two arms of three.\n${fields}`,
    );

  it('have no effect until the source that they correct is imported', async () => {
    await put('  sample_size: 360\n');
    await sync();
    assert.equal((await base.client.sources()).body.total, 0);
  });

  it('override the fields that they state and no others', async () => {
    await importTrial();
    const { sample_size_n: people, evidence_level: design, effect_direction: direction } = await source();
    assert.deepEqual([people, design, direction === 'null'], [360, 'rct', false]);
    await put('  sample_size: 360\n  direction: "null"\n  topics: []\n');
    await sync();
    const corrected = await source();
    assert.deepEqual([corrected.effect_direction, corrected.verticals], ['null', []]);
  });

  it('survive another import of the source', async () => {
    await importTrial();
    assert.equal((await source()).sample_size_n, 360);
  });

  it('are rejected when they name an unknown supplement', async () => {
    await put('  supplements: [unobtainium]\n');
    await assert.rejects(sync(), (error: unknown) => {
      assert.ok(error instanceof ContentError);
      assert.match(
        error.message,
        /corrections\/read-wrongly\.yaml:3: field 0\.supplements\.0: no supplement is called "unobtainium"/,
      );
      return true;
    });
  });

  it('lose their effect when their file is deleted', async () => {
    await rm(content.path('corrections'), { recursive: true });
    await sync();
    assert.equal((await source()).sample_size_n, 240);
  });
});
