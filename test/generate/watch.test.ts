/** Tests the preview with a copy of the real content and templates, saving files the way text editors do. */
import { strict as assert } from 'node:assert';
import { cp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { get } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { boot, projectRoot } from '#core/boot.ts';
import { OperatorError } from '#core/errors.ts';
import { createLog } from '#core/log.ts';
import { startWatching, type Watching } from '#generate/watch.ts';
import { plugins } from '#plugins/index.ts';
import { discard, environmentOf, newDataDir, newPlace } from '../support/service.ts';
import { until } from '../support/until.ts';

const ZINC = 'content/supplements/zinc.md';
const ZINC_PAGE = '/supplements/zinc';
const template = plugins
  .flatMap(({ pages = [] }) => pages)
  .find(({ path }) => path === '/supplements/{slug}')?.template;
const TEMPLATE = `templates/${template}.pug`;

describe('editor preview', () => {
  let place: Awaited<ReturnType<typeof newPlace>>;
  let folder: string;
  let watching: Watching;
  let settings: Readonly<Record<string, string>>;
  const lines: string[] = [];
  /** The states that an open page receives. */
  const states: string[] = [];
  let stopListening: () => void;

  const partsOf = (port: number) => ({
    out: (line: string) => lines.push(line),
    settings: { dataDir: '/site', databaseUrl: 'postgres://site', host: '127.0.0.1', port },
    contentDir: join(folder, 'content'),
    templatesDir: join(folder, 'templates'),
    boot: (given: Readonly<Record<string, string>>) => {
      settings = given;
      // The folder is already filled, because a start from an empty one would take longer than the test.
      const own = { DATA_DIR: place.dataDir, DATABASE_URL: place.databaseUrl };
      const environment = { ...environmentOf(place), ...given, ...own };
      const contentDir = join(folder, 'content');
      return boot({ plugins, role: 'command', environment, dotEnvPath: null, contentDir, log: createLog('silent') });
    },
  });

  before(async function () {
    this.timeout(300_000);
    [place, folder] = [await newPlace(), await newDataDir()];
    for (const name of ['content', 'templates'])
      await cp(join(projectRoot, name), join(folder, name), { recursive: true });
    watching = await startWatching({ port: 0, database: null }, partsOf(0));
    const request = get(`${watching.url}/_preview/events`, (reply) => {
      reply.setEncoding('utf8').on('error', () => undefined);
      reply.on('data', (text: string) => {
        for (const [, state = ''] of text.matchAll(/^data: (.*)$/gm)) states.push(state);
      });
    }).on('error', () => undefined);
    stopListening = () => request.destroy();
    await until(() => states.length > 0);
  });
  after(async () => {
    stopListening?.();
    await watching?.close();
    await discard(place);
    await rm(folder, { recursive: true });
  });

  const page = async (path: string): Promise<string> => (await fetch(`${watching.url}${path}`)).text();
  const read = (path: string): Promise<string> => readFile(join(folder, path), 'utf8');
  /** Saves a file, waits until open pages are notified, and returns a function that undoes the change. */
  const save = async (path: string, change: (text: string) => string): Promise<() => Promise<unknown>> => {
    const before = await read(path);
    const after = change(before);
    assert.notEqual(after, before, `${path} has changed: adapt the test`);
    const heard = states.length;
    await writeFile(join(folder, path), after);
    await until(() => states.length > heard);
    return () => save(path, () => before);
  };

  it('uses its own database and none of the external stores of the site', () => {
    assert.equal(settings.DATA_DIR, '/site/preview');
    for (const name of ['DATABASE_URL', 'QDRANT_URL', 'S3_ENDPOINT', 'PRIVATE_PORT']) assert.equal(settings[name], '');
    assert.equal(settings.BASE_URL, watching.url);
  });

  it('refuses to use the database of the site', async () => {
    await assert.rejects(startWatching({ port: 0, database: 'postgres://site' }, partsOf(0)), (error: Error) => {
      assert.ok(error instanceof OperatorError);
      assert.match(error.message, /^--database names the database of the site/);
      return true;
    });
  });

  it('refuses to start on a requested port that is in use', async () => {
    const taken = Number(new URL(watching.url).port);
    await assert.rejects(startWatching({ port: taken, database: null }, partsOf(0)), {
      message: `Port ${taken} on 127.0.0.1 cannot be used for the preview (EADDRINUSE): give another with --port.`,
    });
  });

  it('serves pages with the reload script, Cache-Control: no-store and X-Robots-Tag: noindex', async () => {
    const reply = await fetch(`${watching.url}/supplements/zinc`);
    assert.equal(reply.status, 200);
    assert.equal(reply.headers.get('cache-control'), 'no-store');
    assert.equal(reply.headers.get('x-robots-tag'), 'noindex');
    assert.ok((await reply.text()).includes(`<script src="/_preview/preview.js" data-state="${states.at(-1)}">`));
    assert.match(await page('/_preview/preview.js'), /EventSource\('\/_preview\/events'\)/);
    assert.match(await page('/nope'), /preview\.js/);
  });

  it('shows a saved change and reports its duration and the number of changed pages', async () => {
    lines.length = 0;
    const undo = await save(ZINC, (text) => text.replace('name: Zinc\n', 'name: Zinc (draft)\n'));
    assert.match(await page('/supplements/zinc'), /Zinc \(draft\)/);
    assert.match(lines[0] ?? '', /^\d\d:\d\d:\d\d content\/supplements\/zinc\.md: shown after \d+ ms$/);
    await until(() => lines.some((line) => / pages? changes?: /.test(line)));
    assert.ok(lines.some((line) => /^ +\d+ pages change: .*\(\d+ ms\)$/.test(line)));
    await undo();
    assert.doesNotMatch(await page('/supplements/zinc'), /Zinc \(draft\)/);
  });

  it('shows file, line and field of a content error above the last valid page until it is fixed', async () => {
    lines.length = 0;
    const undo = await save(ZINC, (text) => text.replace('name: Zinc\n', 'name: Zinc\nnam: Zinc\n'));
    const line = (await read(ZINC)).split('\n').indexOf('nam: Zinc') + 1;
    const html = await page('/supplements/zinc');
    const [, words = ''] = /<div class="preview-problem" role="alert">.*?<pre>(.*?)<\/pre>/.exec(html) ?? [];
    assert.ok(words.startsWith(`content/supplements/zinc.md:${line}: `), words);
    assert.match(words, /&quot;nam&quot;/);
    assert.match(html, /<h1[^>]*>Zinc/);
    assert.ok(lines.some((text) => text.includes(`content/supplements/zinc.md:${line}: `)));
    assert.match(await page('/supplements/magnesium'), /preview-problem/);
    await undo();
    assert.doesNotMatch(await page('/supplements/zinc'), /preview-problem/);
    assert.ok(lines.some((text) => /mended, and shown after \d+ ms$/.test(text)));
  });

  it('shows file and line of a template error above the last valid page until it is fixed', async () => {
    const good = await page(ZINC_PAGE);
    const undo = await save(TEMPLATE, (text) => `${text}\n  p(class="x\n`);
    const html = await page(ZINC_PAGE);
    const [, words = ''] = /<div class="preview-problem" role="alert">.*?<pre>([^<]*)/s.exec(html) ?? [];
    assert.ok(words.startsWith(`${TEMPLATE}:`), words);
    assert.match(words.slice(TEMPLATE.length), /^:\d+/);
    assert.ok(!words.includes(folder));
    const title = /<h1.*?<\/h1>/s.exec(good)?.[0] ?? 'no title';
    assert.ok(html.includes(title), 'the last good page is beneath');
    await undo();
    assert.doesNotMatch(await page(ZINC_PAGE), /preview-problem/);
  });

  it('ignores temporary files of text editors and detects a file that is renamed into place', async () => {
    const heard = states.length;
    const text = await read(ZINC);
    for (const name of ['.zinc.md.swp', 'zinc.md~', '4913', '#zinc.md#'])
      await writeFile(join(folder, 'content/supplements', name), text);
    await sleep(300);
    assert.equal(states.length, heard);
    const temporary = join(folder, 'content/supplements/.zinc.md.new');
    await writeFile(temporary, text.replace('name: Zinc\n', 'name: Zinc (renamed)\n'));
    await rename(temporary, join(folder, ZINC));
    await until(() => states.length > heard);
    assert.match(await page('/supplements/zinc'), /Zinc \(renamed\)/);
  });
});
