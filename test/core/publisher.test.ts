/** Tests `npm start` as a person runs it: it serves requests first and publishes pages in the background. */
import { strict as assert } from 'node:assert';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import supertest from 'supertest';
import { createLog } from '#core/log.ts';
import { openCurrent } from '#core/site/builds.ts';
import { readCurrent } from '#core/site/site-layout.ts';
import { madeArticle, madeFile, zincTrial } from '../plugins/evidence/support.ts';
import { runCommand } from '../support/command.ts';
import { tamperWith } from '../support/database.ts';
import { type Running, startProgram } from '../support/program.ts';
import { discard, environmentOf, newPlace } from '../support/service.ts';
import { until } from '../support/until.ts';

describe('publisher', function () {
  this.timeout(600_000);
  let place: Awaited<ReturnType<typeof newPlace>>;
  let program: Running;
  let url = '';

  before(async () => {
    place = await newPlace();
    // The suite would otherwise generate the five thousand product pages again and again.
    await tamperWith(place, 'truncate product cascade');
    program = startProgram(['serve'], {
      ...environmentOf(place),
      GENERATE_PAGES: 'auto',
      STARTER_PRODUCTS: 'none',
      STARTER_EVIDENCE: 'none',
      LOG_LEVEL: 'warn',
    });
    url = (await program.waitFor(/is at (http:\/\/\S+)/))[1] ?? '';
  });
  after(async () => {
    program.child.kill('SIGTERM');
    await program.finished;
    await discard(place);
  });

  const stage = async () =>
    (await supertest(url).get('/api/pipeline/status').expect(200)).body.stages.find(
      ({ name }: { name: string }) => name === 'generate',
    );

  it('serves live pages before any page is generated, and returns 503 with Retry-After for robots.txt', async () => {
    await supertest(url).get('/supplements/magnesium').expect(200);
    const robots = await supertest(url).get('/robots.txt').expect(503);
    assert.equal(robots.headers['retry-after'], '30');
    assert.equal((await stage()).status, 'running');
  });

  it('publishes every page in the background, and reports it', async () => {
    while ((await stage()).status === 'running') await sleep(500);
    const { status, items, last_success_at } = await stage();
    assert.deepEqual([status, items], ['ok', 1]);
    assert.ok(Date.parse(last_success_at) <= Date.now());
    await supertest(url).get('/robots.txt').expect(200);
    const { text } = await supertest(url).get('/sitemap-interactions.xml').expect(200);
    assert.ok(text.includes('/interactions/st-johns-wort-warfarin'));
    const page = await supertest(url).get('/interactions/st-johns-wort-warfarin').expect(200);
    assert.ok(page.headers.etag, 'it is served from its file');
  });

  const siteDir = (): string => join(place.dataDir, 'site');
  const generate = (...args: string[]) =>
    runCommand(['generate', ...args], { ...environmentOf(place), STARTER_PRODUCTS: 'none', STARTER_EVIDENCE: 'none' });
  /** Returns the version of each published page. */
  const versions = async (): Promise<ReadonlyMap<string, string>> => {
    const current = await openCurrent(siteDir(), createLog('silent'));
    const numbers = Array.from({ length: current?.index.count ?? 0 }, (_, number) => number);
    const pages = numbers.filter((number) => current?.index.role(number) === 'page');
    return new Map(pages.map((number) => [current?.index.path(number) ?? '', current?.index.version(number) ?? '']));
  };

  it('regenerates only the pages that show a changed source', async () => {
    const before = await versions();
    const file = join(place.dataDir, 'one.xml');
    const id = 99_600_001;
    await writeFile(file, madeFile(madeArticle(zincTrial(id, { title: 'Zinc lozenges for the common cold.' }))));
    const settings = { ...environmentOf(place), STARTER_PRODUCTS: 'none', STARTER_EVIDENCE: 'none' };
    assert.equal((await runCommand(['import', 'pubmed', file], settings)).status, 0);
    const { status, stdout } = await generate();
    assert.equal(status, 0);
    const after = await versions();
    const made = [...after].filter(([path, version]) => before.get(path) !== version).map(([path]) => path);
    // The server’s own publisher may have regenerated some of these pages in the meantime, from the same source.
    assert.ok(made.length > 0 && made.length < before.size / 4, `${made.length} of ${before.size}: ${stdout}`);
    for (const path of ['/supplements/magnesium', '/interactions/st-johns-wort-warfarin', '/disclaimer'])
      assert.ok(!made.includes(path), path);
    assert.ok(
      made.some((path) => path.includes('zinc')),
      made.join(),
    );
  });

  it('follows a rollback within a second, and reports that it is held until the next manual generation', async () => {
    const { stdout } = await generate('--rollback');
    const [, build = ''] = /^(b\d+) is public again/.exec(stdout) ?? [];
    assert.ok(build, stdout);
    await until(async () => (await stage()).status === 'stale');
    const held = await stage();
    assert.ok(held.error.startsWith(`Held at ${build}: `));
    assert.match((await generate('--list')).stdout, new RegExp(`${build} .* public, held`));
    assert.equal((await generate()).status, 0);
    assert.equal((await readCurrent(siteDir()))?.held, false);
  });
});
