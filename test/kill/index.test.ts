import assert from 'node:assert/strict';
import { join } from 'node:path';
import { openInProcessIndex } from '#core/search/in-process.ts';
import { INDEX_FIELDS } from '#plugins/evidence/index-feed.ts';
import { discard, newPlace } from '../support/service.ts';
import { killProgram, moments, type Place, runAgainOn, runOn } from './support.ts';

const QUESTIONS = ['magnesium for sleep', 'vitamin d fractures in older people', 'creatine strength', 'nausea ginger'];

/** Returns the state and search results of the index on disk. */
const indexOf = async ({ dataDir }: Place) => {
  const index = await openInProcessIndex({ folder: join(dataDir, 'index', 'evidence'), fields: INDEX_FIELDS });
  try {
    assert.deepEqual(index.openedFrom, { source: 'disk' });
    const answers = await Promise.all(QUESTIONS.map((text) => index.search({ text, limit: 20, facets: ['tier'] })));
    return { state: index.state(), answers };
  } finally {
    await index.close();
  }
};

describe('killed index rebuild', function () {
  this.timeout(0);
  let place: Place | null = null;
  let [runMs, clean]: [number, Awaited<ReturnType<typeof indexOf>> | null] = [0, null];

  before(async () => {
    place = await newPlace();
    const startedAt = performance.now();
    assert.equal((await runOn(place, 'index', '--rebuild')).status, 0);
    runMs = performance.now() - startedAt;
    clean = await indexOf(place);
  });
  after(() => place && discard(place));

  it('loses nothing: the next run produces the same index as a run without kills', async () => {
    let killed = 0;
    for (const moment of moments(runMs)) {
      if (await killProgram(['index', '--rebuild'], place!, moment)) killed += 1;
      const { status, stdout, stderr } = await runAgainOn(place!, 'index');
      assert.deepEqual([status, stderr], [0, ''], `killed after ${moment} ms`);
      assert.match(stdout, new RegExp(`; ${clean!.state.documents} in the index `));
      assert.deepEqual(await indexOf(place!), clean, `killed after ${moment} ms`);
    }
    assert.ok(killed > 0, 'at least one run was still at work');
  });
});
