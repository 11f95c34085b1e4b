/** Checks the summary line of `.ci/run`: a run without tests must never look like one that passed. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmod, cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');
const PASSED = '  a suite\n    ✔ counts 7 passing cars\n\n  1200 passing (3m)\n  4 pending\n\n';
const FAILED = '  800 passing (2m)\n  1 pending\n  2 failing\n\n  1) a suite\n';

describe('CI summary line', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'ekb-ci-'));
  });
  after(() => rm(folder, { recursive: true }));

  const sum = async (failed: string, ...logs: readonly (string | null)[]) => {
    const paths = logs.map((_, at) => join(folder, `suite-${at}`));
    for (const [at, log] of logs.entries()) {
      if (log === null) await rm(paths[at] ?? '', { force: true });
      else await writeFile(paths[at] ?? '', log);
    }
    const { status, stdout } = spawnSync(join(root, '.ci/sum'), [failed, ...paths], { encoding: 'utf8' });
    return [status, stdout.trim().split('\n').at(-1)];
  };

  it('adds up the counts of all suites', async () => {
    assert.deepEqual(await sum('0', PASSED, '  300 passing (40s)\n'), [0, '1500 passed, 0 failed, 4 skipped']);
  });

  it('reports failure if a test or a check outside the suites fails', async () => {
    assert.deepEqual(await sum('0', PASSED, FAILED), [1, '2000 passed, 2 failed, 5 skipped']);
    assert.deepEqual(await sum('1', PASSED, PASSED), [1, '2400 passed, 1 failed, 8 skipped']);
  });

  for (const [what, log] of [
    ['crashed before its end', '  a suite\n    ✔ one\nFATAL ERROR: heap out of memory\n'],
    ['found no test', '  0 passing (2ms)\n'],
    ['told nothing', ''],
    ['never began', null],
  ] as const) {
    it(`reports failure if a suite ${what}, even with exit status 0`, async () => {
      assert.deepEqual(await sum('0', PASSED, log), [1, '1200 passed, 1 failed, 4 skipped']);
    });
  }

  it('is printed even if the run ends before the suites start', async () => {
    const place = join(folder, 'tree');
    await mkdir(join(place, 'bin'), { recursive: true });
    await cp(join(root, '.ci'), join(place, '.ci'), { recursive: true });
    for (const name of ['npm', 'sudo', 'apt-get']) {
      await writeFile(join(place, 'bin', name), '#!/bin/sh\nexit 7\n');
      await chmod(join(place, 'bin', name), 0o755);
    }
    const { status, stdout } = spawnSync(join(place, '.ci/run'), [], {
      encoding: 'utf8',
      env: { PATH: `${join(place, 'bin')}:${process.env.PATH}` },
    });
    assert.notEqual(status, 0);
    assert.equal(stdout.trim().split('\n').at(-1), '0 passed, 1 failed, 0 skipped');
  });

  it('is printed by the last command of .ci/run', async () => {
    const text = await readFile(join(root, '.ci/run'), 'utf8');
    assert.match(text.trimEnd(), /\n\.ci\/sum "\$failed" "\$logs\/embedded" "\$logs\/postgresql"$/);
  });
});
