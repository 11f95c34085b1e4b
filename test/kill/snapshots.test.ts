import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { access, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startProgram } from '../support/program.ts';
import { discard, newDataDir, newPlace } from '../support/service.ts';
import {
  environmentOf,
  killWhen,
  moments,
  type Place,
  passLeases,
  runAgainOn,
  runOn,
  withDatabase,
} from './support.ts';

const checked = async (folder: string): Promise<string> =>
  (await promisify(execFile)('sha256sum', ['-c', '--quiet', 'SHA256SUMS'], { cwd: folder })).stdout;

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

/** Counts the files in folders that may not exist. */
const filesIn = async (...folders: readonly string[]): Promise<number> => {
  const found = await Promise.all(
    folders.map((folder) => readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])),
  );
  return found.flat().filter((entry) => entry.isFile()).length;
};

interface Row {
  readonly id: string;
  readonly files: readonly { readonly name: string }[];
}
const publishedIn = (place: Place): Promise<readonly Row[]> =>
  withDatabase(place, async (em) => {
    await passLeases(em);
    return (await em.execute('select id, files from snapshot')) as unknown as Row[];
  });

describe('killed snapshot', function () {
  this.timeout(0);
  let place: Place;
  let base = '';
  let files = 0;
  before(async () => {
    place = await newPlace();
    base = await newDataDir();
    const clean = join(base, 'clean');
    assert.equal((await runOn(place, 'snapshot', clean)).status, 0);
    files = (await readdir(clean)).length;
  });
  after(async () => {
    await discard(place);
    await rm(base, { recursive: true });
  });

  it('leaves no incomplete folder under its name, and the next run to that folder is complete', async () => {
    let killed = 0;
    for (const [at, moment] of moments(files).entries()) {
      const folder = join(base, `run-${at}`);
      const running = startProgram(['snapshot', folder], environmentOf(place));
      if (await killWhen(running, async () => (await filesIn(`${folder}.partial`)) >= moment)) killed += 1;
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

  it('is published completely or not at all, and the next run publishes it', async () => {
    let killed = 0;
    const written = () => filesIn(join(place.dataDir, 'snapshots'), join(place.dataDir, 'objects/snapshots'));
    // Each file is written twice: once when it is created and once in the object store.
    for (const moment of moments(2 * files)) {
      const before = await written();
      const running = startProgram(['jobs', 'run', 'make_snapshot'], environmentOf(place));
      if (await killWhen(running, async () => (await written()) >= before + moment)) killed += 1;
      for (const { id, files } of await publishedIn(place)) {
        const stored = await readdir(join(place.dataDir, 'objects/snapshots', id));
        assert.equal(stored.length, files.length, `killed after ${moment} files`);
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
