import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { readCurrent } from '#core/site/site-layout.ts';
import { generateCommand } from '#generate/index.ts';
import { currentOf, longText, placeOf, readBuilt, treeOf, useSite } from './support.ts';

describe('npm run generate', () => {
  const site = useSite();
  const zinc = { slug: 'zinc', text: longText('zinc'), changedAt: '2026-01-02T03:04:05.000Z' };
  const iron = { slug: 'iron', text: 'iron' };
  let loaded: string[] = [];

  const run = async (...args: string[]): Promise<{ status: number; lines: string[] }> => {
    const lines: string[] = [];
    const status = await generateCommand(args, {
      out: (line) => lines.push(line),
      siteDir: () => site.siteDir,
      log: site.runtime.log,
      withRuntime: (work) => work(site.runtime),
    });
    return { status, lines };
  };

  before(() => {
    site.material.onLoad = (slug) => void loaded.push(slug);
  });
  beforeEach(async () => {
    site.put(zinc, iron);
    await run();
    loaded = [];
  });

  it('prints a summary and publishes nothing if nothing changed', async () => {
    const { status, lines } = await run();
    assert.equal(status, 0);
    assert.match(
      lines.join(),
      /^3 pages: 0 rendered \(0 of them as before\), 3 unchanged, 0 removed, 0 skipped in .*; nothing to publish$/,
    );
    assert.deepEqual(loaded, []);
  });

  it('--full renders every page and keeps the dates of pages whose output is unchanged', async () => {
    const before = await placeOf(site, '/made/zinc');
    assert.match((await run('--full')).lines.join(), /^3 pages: 3 rendered .*; published$/);
    assert.equal((await placeOf(site, '/made/zinc'))?.modified, before?.modified);
    assert.deepEqual(loaded.sort(), ['iron', 'zinc']);
  });

  it('--only with a path renders that page and leaves all others as published, even if they changed', async () => {
    site.put({ ...zinc, text: longText('more zinc') }, { ...iron, text: 'more iron' }, { slug: 'new', text: 'new' });
    assert.match((await run('--only', '/made/zinc')).lines.join(), /1 rendered .* 2 unchanged, 0 removed/);
    assert.deepEqual(loaded, ['zinc']);
    assert.match(await readBuilt(site, '/made/zinc'), /more zinc/);
    assert.match(await readBuilt(site, '/made/iron'), /<p>iron</);
    await assert.rejects(readBuilt(site, '/made/new'), /is not published/);
    assert.match((await run()).lines.join(), /2 rendered .* 2 unchanged/, 'the next run makes what was left');
    const inSteps = await treeOf(site);
    await run('--full');
    assert.deepEqual(await treeOf(site), inSteps);
  });

  it('--only with a plugin renders its pages, including new ones, and removes deleted ones', async () => {
    site.put({ slug: 'new', text: 'new' }, zinc);
    assert.match((await run('--only', 'made')).lines.join(), /3 rendered .* 1 removed/);
    assert.deepEqual(loaded.sort(), ['new', 'zinc']);
    await assert.rejects(readBuilt(site, '/made/iron'), /is not published/);
  });

  it('--only leaves other stale pages, which the next run renders', async () => {
    await site.restart({ settings: { OPERATOR_NAME: 'Somebody' } });
    await run('--only', '/made/iron');
    assert.match(await readBuilt(site, '/made/iron'), /Somebody/);
    assert.doesNotMatch(await readBuilt(site, '/made/zinc'), /Somebody/);
    assert.match((await run()).lines.join(), /2 rendered/);
    assert.match(await readBuilt(site, '/made/zinc'), /Somebody/);
    await site.restart({});
    await run();
  });

  for (const [args, words] of [
    [['--only', '/made/zink'], /^No page is generated at \/made\/zink; near it are \/made\/zinc\.$/],
    [['--only', '/nowhere/at/all'], /^No page is generated at \/nowhere\/at\/all\.$/],
    [['--only', 'maid'], /^No plugin with pages is called maid; there are made\. A path begins with \/\.$/],
    [['--rollback', 'b999999'], /^There is no build b999999; kept are b\d+/],
    [['--full', '--check'], /^Give one of --full and --check, not both\.$/],
    [['zinc'], /^generate takes no "zinc"; a page is named with --only, a build with --rollback\.$/],
    [['--list', '--no-twins'], /^--no-twins goes with --full and --out, or stands alone\.$/],
    [['--fast'], /Unknown option '--fast'/],
    [['--only'], /'--only <value>' argument missing/],
    [['--out', import.meta.dirname], /has other files in it: give --out a new folder/],
    [['--out', import.meta.filename], /is a file: give --out a folder/],
  ] as const) {
    it(`${args.join(' ').slice(0, 40)} fails with a one-sentence error`, async () => {
      await assert.rejects(run(...args), { message: words });
    });
  }

  it('--list prints the builds with time, page counts and size, and marks the public one', async () => {
    site.put(zinc, iron, { slug: 'listed', text: 'listed' });
    await run();
    const { lines } = await run('--list');
    assert.match(lines[0] ?? '', /build +made at \(UTC\) +pages +rendered +size/);
    assert.match(lines[1] ?? '', /^b\d{6} +2\d{3}-\d\d-\d\dT\d\d:\d\d:\d\d +4 +1 +\d+\.\d MB +public$/);
    assert.match(lines[2] ?? '', /^b\d{6} .* MB$/);
  });

  it('--rollback restores the previous build and blocks automatic runs until the next manual run', async () => {
    const old = await currentOf(site);
    site.put(zinc, { ...iron, text: 'a mistake' });
    await run();
    const { lines } = await run('--rollback');
    assert.match(lines.join(), new RegExp(`^${old} is public again, and stays`));
    assert.match(await readBuilt(site, '/made/iron'), /<p>iron</);
    assert.match((await run('--list')).lines.join('\n'), new RegExp(`${old} .* public, held`));
    loaded = [];
    assert.match((await run('--automatic')).lines.join(), new RegExp(`^held at ${old}: `));
    assert.deepEqual([loaded, await currentOf(site)], [[], old]);
    await run();
    assert.match(await readBuilt(site, '/made/iron'), /a mistake/);
    assert.equal((await readCurrent(site.siteDir))?.held, false);
    site.put(zinc, iron);
    assert.match((await run('--automatic')).lines.join(), /published$/);
  });

  it('ends a rollback hold even if there is nothing to publish', async () => {
    await run('--full');
    await run('--rollback');
    await run();
    assert.equal((await readCurrent(site.siteDir))?.held, false);
  });

  it('--check finds no difference if nothing changed', async () => {
    const { status, lines } = await run('--check');
    assert.equal(status, 0);
    assert.match(lines.join(), /^3 pages made anew and compared with b\d+: none differ$/);
  });

  it('--check lists differing pages and distinguishes changed, new and removed data', async () => {
    site.put({ ...zinc, version: zinc.text, text: longText('another day') }, { slug: 'new', text: 'new' });
    const before = await currentOf(site);
    const { status, lines } = await run('--check');
    assert.equal(status, 1);
    assert.deepEqual(lines.slice(0, -1), [
      '/made/zinc differs',
      '/made/iron is gone since',
      '/made/new is not published',
    ]);
    assert.match(lines.at(-1) ?? '', /: 3 differ$/);
    assert.equal(await currentOf(site), before);
    site.put({ ...zinc, text: longText('changed') }, iron);
    assert.deepEqual((await run('--check')).lines[0], '/made/zinc differs, for it changed since');
  });

  it('--no-twins publishes only uncompressed files', async () => {
    await run('--no-twins');
    assert.deepEqual((await placeOf(site, '/made/zinc'))?.place.br, 0);
    await run();
    assert.notEqual((await placeOf(site, '/made/zinc'))?.place.br, 0);
  });

  it('--out writes the published build as files for a static host, repeatedly into one folder', async () => {
    const folder = join(site.siteDir, '..', 'out');
    for (const text of ['iron', 'other']) {
      site.put(zinc, { ...iron, text });
      await run();
      assert.match((await run('--out', folder)).lines.join(), /^\d+ files of b\d+ are in .*out$/);
      assert.equal(await readFile(join(folder, 'made.html'), 'utf8'), await readBuilt(site, '/made'));
      assert.match(await readFile(join(folder, 'made/iron.html'), 'utf8'), new RegExp(text));
    }
    const plain = await readFile(join(folder, 'made/zinc.html'));
    assert.deepEqual(gunzipSync(await readFile(join(folder, 'made/zinc.html.gz'))), plain);
    assert.deepEqual(brotliDecompressSync(await readFile(join(folder, 'made/zinc.html.br'))), plain);
    assert.deepEqual((await readdir(join(folder, 'made'))).sort(), [
      'iron.html',
      'zinc.html',
      'zinc.html.br',
      'zinc.html.gz',
    ]);
    for (const file of ['robots.txt', 'sitemap.xml', 'sitemap-articles.xml', 'assets'])
      assert.ok((await readdir(folder)).includes(file), file);
    await run('--out', folder, '--no-twins');
    assert.deepEqual((await readdir(join(folder, 'made'))).sort(), ['iron.html', 'zinc.html']);
    await mkdir(join(folder, '../empty'));
    await run('--out', join(folder, '../empty'));
    await writeFile(join(folder, '.generated'), '');
  });
});

describe('npm run generate before the first build is published', () => {
  const site = useSite();
  const run = (...args: string[]): Promise<number> =>
    generateCommand(args, {
      out: () => undefined,
      siteDir: () => site.siteDir,
      log: site.runtime.log,
      withRuntime: (work) => work(site.runtime),
    });

  for (const args of [['--only', '/made'], ['--check'], ['--rollback'], ['--out', '/tmp/never-made']])
    it(`${args.join(' ')} fails with "Nothing is published yet"`, async () => {
      await assert.rejects(run(...args), /^Error: Nothing is published yet|^OperatorError: Nothing is published yet/);
    });

  it('--list exits with status 0', async () => {
    assert.equal(await run('--list'), 0);
  });
});
