import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { access, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { discard, newDataDir, newPlace } from '../support/service.ts';
import { killProgram, moments, type Place, passLeases, runAgainOn, runOn, withDatabase } from './support.ts';

const checked = async (folder: string): Promise<string> =>
  (await promisify(execFile)('sha256sum', ['-c', '--quiet', 'SHA256SUMS'], { cwd: folder })).stdout;

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

interface Row {
  readonly id: string;
  readonly files: readonly { readonly name: string }[];
}
const publishedIn = (place: Place): Promise<readonly Row[]> =>
  withDatabase(place, async (em) => {
    await passLeases(em);
    return (await em.execute('select id, files from snapshot')) as unknown as Row[];
  });

describe('a snapshot that is killed', function () {
  this.timeout(0);
  let place: Place;
  let base = '';
  let runMs = 0;
  before(async () => {
    place = await newPlace();
    base = await newDataDir();
    const startedAt = performance.now();
    assert.equal((await runOn(place, 'snapshot', join(base, 'clean'))).status, 0);
    runMs = performance.now() - startedAt;
  });
  after(async () => {
    await discard(place);
    await rm(base, { recursive: true });
  });

  /** Most of a run is the start of the program. */
  const lastHalf = (): number[] => moments(runMs / 2).map((moment) => Math.round(runMs / 2 + moment));

  it('leaves nothing under its name, and the next run to the same place is whole', async () => {
    let killed = 0;
    for (const [at, moment] of lastHalf().entries()) {
      const folder = join(base, `run-${at}`);
      if (await killProgram(['snapshot', folder], place, moment)) killed += 1;
      if (await isThere(folder)) await checked(folder);
      else {
        const { status, stdout } = await runAgainOn(place, 'snapshot', folder);
        assert.equal(status, 0, stdout);
      }
      assert.equal(await checked(folder), '');
      assert.ok(!(await isThere(`${folder}.partial`)));
    }
    assert.ok(killed > 0, 'at least one run was still at work');
  });

  it('is published whole or not at all, and made by the next run', async () => {
    let killed = 0;
    for (const moment of lastHalf()) {
      if (await killProgram(['jobs', 'run', 'make_snapshot'], place, moment)) killed += 1;
      for (const { id, files } of await publishedIn(place)) {
        const stored = await readdir(join(place.dataDir, 'objects/snapshots', id));
        assert.equal(stored.length, files.length, `killed after ${moment} ms`);
      }
    }
    assert.ok(killed > 0, 'at least one run was still at work');
    const { status, stdout } = await runAgainOn(place, 'jobs', 'run', 'make_snapshot');
    assert.equal(status, 0, stdout);
    const published = await publishedIn(place);
    assert.equal(published.length, 1, 'the same data are one snapshot, however often a run was killed');
    assert.deepEqual(await readdir(join(place.dataDir, 'snapshots')), [], 'what killed runs left is gone');
  });
});
