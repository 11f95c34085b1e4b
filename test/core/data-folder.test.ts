/** Tests that only the service’s own user can read or write the files in DATA_DIR. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmod, lstat, mkdir, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { allSettings } from '#core/boot.ts';
import { openDataFolder } from '#core/data-folder.ts';
import { doctorCommand } from '#core/doctor/doctor.ts';
import { plugins } from '#plugins/index.ts';
import { runCommand } from '../support/command.ts';
import { startProgram } from '../support/program.ts';
import { discard, environmentOf, newDataDir, newPlace } from '../support/service.ts';

const modeOf = async (path: string): Promise<string> => ((await stat(path)).mode & 0o777).toString(8);

/** Lists every file and folder that other users may access. */
const looseIn = async (folder: string): Promise<readonly string[]> => {
  const loose: string[] = [];
  for (const entry of [folder, ...(await readdir(folder, { recursive: true })).map((name) => join(folder, name))]) {
    const info = await lstat(entry);
    if (!info.isSymbolicLink() && !info.isSocket() && info.mode & 0o077)
      loose.push(`${relative(folder, entry)} ${(info.mode & 0o777).toString(8)}`);
  }
  return loose;
};

/** Runs `work` with a umask of 0, which removes no permissions. */
const withoutMask = <T>(work: () => T): T => {
  const before = process.umask(0);
  try {
    return work();
  } finally {
    process.umask(before);
  }
};

const fromHere = (path: string): string => JSON.stringify(join(import.meta.dirname, '../..', path));

/** Publishes `a/b.html` in a separate process that starts with the umask `mask`. */
const publishUnder = (mask: number, folder: string): void => {
  const source = `
    process.umask(${mask});
    const { closeUmask } = await import(${fromHere('core/data-folder.ts')});
    closeUmask();
    const { coreSettings, loadConfig } = await import(${fromHere('core/config.ts')});
    const { createLog } = await import(${fromHere('core/log.ts')});
    const { openSiteTarget } = await import(${fromHere('core/storage/site-target.ts')});
    const target = openSiteTarget(loadConfig(coreSettings, {}, null), createLog('silent'), ${JSON.stringify(folder)});
    const file = { name: 'a/b.html', body: Buffer.from('<p>'), type: 'text/html', cacheControl: '', encoding: 'identity' };
    await target.put(file);
  `;
  execFileSync(process.execPath, ['--input-type=module-typescript', '-e', source], { stdio: 'pipe' });
};

describe('data folder', () => {
  it('is made private at the start with everything in it, and stays private whatever the umask', async () => {
    const place = await newPlace();
    try {
      for (const name of await readdir(place.dataDir, { recursive: true })) {
        const path = join(place.dataDir, name);
        const info = await lstat(path);
        if (info.isFile() || info.isDirectory()) await chmod(path, info.isDirectory() ? 0o777 : 0o666);
      }
      const outside = join(await newDataDir(), 'outside');
      await writeFile(outside, '');
      await chmod(outside, 0o644);
      await symlink(outside, join(place.dataDir, 'link'));
      await chmod(place.dataDir, 0o755);
      const running = withoutMask(() => startProgram(['serve'], { ...environmentOf(place), GENERATE_PAGES: 'off' }));
      const [, url] = await running.waitFor(/is at (http:\S+)/);
      const form = new FormData();
      form.set('consent', 'true');
      form.set('file', new Blob(['no report'], { type: 'application/pdf' }), 'report.pdf');
      await fetch(`${url}/blood-test/upload`, { method: 'POST', body: form, redirect: 'manual' });
      assert.deepEqual(await looseIn(place.dataDir), []);
      running.child.kill('SIGTERM');
      assert.equal((await running.finished).status, 0);
      assert.deepEqual(await looseIn(place.dataDir), []);
      assert.equal(await modeOf(outside), '644', 'what a link leads to is not ours');
    } finally {
      await discard(place);
    }
  });

  it('is created private whatever the umask', async () => {
    const dataDir = join(await newDataDir(), 'new');
    withoutMask(() => openDataFolder(dataDir, false));
    assert.equal(await modeOf(dataDir), '700');
  });

  it('is rejected in one sentence when other users may write to it, unless DATA_DIR_SHARED is on', async () => {
    const place = await newPlace();
    const { dataDir } = place;
    await chmod(dataDir, 0o777);
    const environment = environmentOf(place);
    const before = await readdir(dataDir);
    const { status, stderr } = await runCommand(['keys', 'list'], environment);
    assert.equal(status, 1);
    assert.match(
      stderr,
      new RegExp(
        `^Cannot use the data folder ${dataDir}: other users may write to it \\(mode 777\\)\\. .*chmod -R go-rwx`,
      ),
    );
    assert.equal(stderr.trim().split('\n').length, 1);
    assert.deepEqual(await readdir(dataDir), before);
    assert.equal((await runCommand(['keys', 'list'], { ...environment, DATA_DIR_SHARED: 'on' })).status, 0);
    assert.equal(await modeOf(dataDir), '777');
    await discard(place);
  });

  it('is checked by the doctor, which names the files that others can access', async () => {
    const dataDir = await newDataDir();
    await mkdir(join(dataDir, 'site'), { mode: 0o700 });
    const environment = { ...environmentOf({ dataDir, databaseUrl: '' }), DATABASE_URL: 'postgres://127.0.0.1:9/none' };
    const examine = async (settings: Readonly<Record<string, string>> = {}) => {
      const lines: string[] = [];
      await doctorCommand(['--json'], {
        plugins,
        settings: allSettings(plugins),
        environment: { ...environment, ...settings },
        dotEnvPath: null,
        out: (line) => lines.push(line),
      });
      const { findings } = JSON.parse(lines.join('\n')) as {
        findings: { id: string; state: string; message: string }[];
      };
      return findings.find(({ id }) => id === 'data-modes');
    };
    assert.equal((await examine())?.state, 'ok');
    await writeFile(join(dataDir, 'site', 'pack'), '');
    await chmod(join(dataDir, 'site', 'pack'), 0o646);
    const found = await examine();
    assert.equal(found?.state, 'fail');
    assert.match(found?.message ?? '', /site\/pack \(646\)\.$/);
    assert.equal((await examine({ DATA_DIR_SHARED: 'on' }))?.state, 'warn');
    await rm(dataDir, { recursive: true });
  });

  it('does not make the published folder private, which follows the operator’s umask', async () => {
    // A process keeps the umask of its start, and the test processes start with a restrictive one.
    for (const [mask, modes] of [
      [0o022, ['755', '755', '644']],
      [0o027, ['750', '750', '640']],
    ] as const) {
      const folder = join(await newDataDir(), 'public');
      publishUnder(mask, folder);
      assert.deepEqual(
        [await modeOf(folder), await modeOf(join(folder, 'a')), await modeOf(join(folder, 'a/b.html'))],
        modes,
      );
      await rm(folder, { recursive: true });
    }
  });
});
