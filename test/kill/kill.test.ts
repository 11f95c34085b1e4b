/**
 * SIGKILL at random moments: the next run completes, nothing is lost or doubled, and no half site is ever public.
 * KILLS sets how many kills each part gets (3 by default; 20 by hand before a release).
 */
import { strict as assert } from 'node:assert';
import { existsSync } from 'node:fs';
import { readdir, readFile, readlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { connectTo } from '../support/database.ts';
import { type Finished, runProgram, startProgram } from '../support/program.ts';
import { discard, newPlace } from '../support/service.ts';

const KILLS = Number(process.env.KILLS ?? 3);
const RECORDS = 1_500;

const random = (seed: number) => {
  let state = seed;
  return (): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
};

/** Made for this test: PMIDs that nobody has, words that say nothing. */
const madeUpXml = (): string => {
  const record = (at: number): string =>
    `<PubmedArticle><MedlineCitation><PMID Version="1">${990_000_000 + at}</PMID><Article><Journal><JournalIssue><PubDate><Year>${1990 + (at % 30)}</Year></PubDate></JournalIssue><Title>Journal of Kill Tests</Title></Journal><ArticleTitle>Magnesium and sleep in ${at + 20} adults: a randomised controlled trial</ArticleTitle><Abstract><AbstractText>${`A total of ${at + 20} adults took magnesium or placebo for ${(at % 9) + 1} weeks. Sleep quality and blood pressure were measured. `.repeat(6)}</AbstractText></Abstract><PublicationTypeList><PublicationType>Randomized Controlled Trial</PublicationType></PublicationTypeList></Article></MedlineCitation></PubmedArticle>`;
  return `<?xml version="1.0"?><PubmedArticleSet>${Array.from({ length: RECORDS }, (_, at) => record(at)).join('\n')}</PubmedArticleSet>`;
};

interface Base {
  readonly environment: Readonly<Record<string, string>>;
  readonly siteDir: string;
  drop(): Promise<void>;
}

const newBase = async (): Promise<Base> => {
  const place = await newPlace();
  const environment = {
    DATA_DIR: place.dataDir,
    ...(place.databaseUrl && { DATABASE_URL: place.databaseUrl }),
    LOG_LEVEL: 'silent',
    BASE_URL: 'http://evidence.test',
  };
  return { environment, siteDir: join(place.dataDir, 'site'), drop: () => discard(place) };
};

/** What the corpus amounts to, however it came about: no times, no revisions. */
const STATE = `select
  (select count(*) from evidence_source where removed_at is null)::int as sources,
  (select count(*) from evidence_record)::int as records,
  (select count(*) from evidence_vertical)::int as verticals,
  (select md5(string_agg(source_id || digest, ',' order by source_id collate "C")) from evidence_source) as digest`;

/** Another process runs the embedded database meanwhile: a short command would end under our feet. */
const stateOf = async (base: Base): Promise<unknown> => {
  const host = startProgram(['serve'], { ...base.environment, HOST: '127.0.0.1', PORT: '0' });
  await host.waitFor(/is at http/);
  const client = await connectTo(base.environment);
  const { rows } = await client.query(STATE);
  await client.end();
  host.child.kill('SIGTERM');
  await host.finished;
  return rows[0];
};

/** Runs a command until it is killed after a random share of `longest` milliseconds, or ends before. */
const killed = async (args: readonly string[], base: Base, longest: number, share: number): Promise<Finished> => {
  const running = startProgram(args, base.environment);
  const timer = sleep(300 + share * longest).then(() => running.child.kill('SIGKILL'));
  const end = await running.finished;
  await timer;
  return end;
};

const timed = async (args: readonly string[], base: Base): Promise<number> => {
  const startedAt = performance.now();
  const { status, stderr } = await runProgram(args, base.environment);
  assert.equal(status, 0, stderr);
  return performance.now() - startedAt;
};

const currentFolder = async ({ siteDir }: Base): Promise<string | null> => {
  const target = await readlink(join(siteDir, 'current')).catch(() => null);
  return target && join(siteDir, target);
};

/** Every address of the published sitemaps is a whole page beside them. */
const assertWholeSite = async (folder: string): Promise<number> => {
  const maps = (await readdir(folder)).filter((name) => /^sitemap-.*\.xml$/.test(name));
  const texts = await Promise.all(maps.map((name) => readFile(join(folder, name), 'utf8')));
  const urls = texts.flatMap((text) =>
    [...text.matchAll(/<loc>http:\/\/evidence\.test([^<]*)<\/loc>/g)].map((match) => match[1] ?? ''),
  );
  for (const url of urls) {
    const page = await readFile(
      join(folder, url === '/' || url === '' ? 'index.html' : `${url.slice(1)}.html`),
      'utf8',
    );
    assert.match(page, /<\/html>\s*$/, `${url} is cut short`);
  }
  assert.ok(existsSync(join(folder, 'robots.txt')));
  return urls.length;
};

describe('killed at random moments', function () {
  this.timeout(120_000 + KILLS * 30_000);
  const next = random(20261121);
  let clean: Base;
  let file: string;
  let expected: unknown;
  let importMs: number;

  before(async () => {
    clean = await newBase();
    file = join(clean.environment.DATA_DIR ?? '', 'made-up.xml');
    await writeFile(file, madeUpXml());
    importMs = await timed(['import', 'pubmed', file], clean);
    expected = await stateOf(clean);
  });
  after(() => clean.drop());

  it('an import goes on where it was, and ends as one that was never killed', async () => {
    const base = await newBase();
    for (let kill = 0; kill < KILLS; kill += 1) await killed(['import', 'pubmed', file], base, importMs, next());
    const last = await runProgram(['import', 'pubmed', file], base.environment);
    assert.equal(last.status, 0, last.stderr);
    assert.match(last.stdout, new RegExp(`${RECORDS} read`));
    assert.deepEqual(await stateOf(base), expected);
    await base.drop();
  });

  it('an index is caught up or made anew, with every source in it once', async () => {
    const indexMs = await timed(['index', '--rebuild'], clean);
    for (let kill = 0; kill < KILLS; kill += 1) await killed(['index', '--rebuild'], clean, indexMs, next());
    const last = await runProgram(['index'], clean.environment);
    assert.equal(last.status, 0, last.stderr);
    const { sources } = expected as { sources: number };
    assert.match(last.stdout, new RegExp(`; ${sources} in the index`));
  });

  it('a build never leaves a half site, and the next one completes', async () => {
    const buildMs = await timed(['generate', '--full'], clean);
    const whole = await assertWholeSite((await currentFolder(clean)) as string);
    assert.ok(whole > 500);
    for (let kill = 0; kill < KILLS; kill += 1) {
      await killed(['generate', '--full'], clean, buildMs, next());
      assert.equal(await assertWholeSite((await currentFolder(clean)) as string), whole);
    }
    await timed(['generate'], clean);
    const folder = (await currentFolder(clean)) as string;
    assert.equal(await assertWholeSite(folder), whole);
    const builds = await readdir(join(clean.siteDir, 'builds'));
    assert.ok(builds.length <= 2, `old builds are left: ${builds.join(', ')}`);
  });
});
