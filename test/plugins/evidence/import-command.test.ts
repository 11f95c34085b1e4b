import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { plugins } from '../../../plugins/index.ts';
import { runCommand } from '../../support/command.ts';
import { runProgram, startProgram } from '../../support/program.ts';
import { until } from '../../support/until.ts';
import { idsOf, madeArticle, madeFile, query, temporaryFolder, useService, zincTrial } from './support.ts';

const fileOf = (...pmids: readonly number[]): string => madeFile(...pmids.map((pmid) => madeArticle(zincTrial(pmid))));

/** Replaces the durations and rates that differ between runs. */
const steady = (text: string): string => text.replace(/ in \d+\.\d s \(\d+ records\/s\)/g, ' in … s');

describe('npm run import', function () {
  this.timeout(180_000);
  const files = temporaryFolder();
  const base = useService();

  const run = (...args: readonly string[]) => runCommand(['import', ...args], base.service.environment);
  const found = async (pmid: number): Promise<boolean> =>
    idsOf((await base.client.search({ q: `zinc number ${pmid}`, top_k: 50 })).body.results).includes(`pmid-${pmid}`);

  it('exits with 0, and a running server finds the records without a restart', async () => {
    const [first, second] = [99200001, 99200002];
    const path = await files.put('good.xml', fileOf(first, second));
    assert.equal(await found(first), false);
    const { status, stdout, stderr } = await runProgram(['import', 'pubmed', path], base.service.environment);
    assert.equal(stderr, '');
    assert.equal(steady(stdout), `${path}: 2 read, 2 added, 0 changed, 0 unchanged, 0 removed, 0 skipped in … s\n`);
    assert.equal(status, 0);
    await until(async () => (await found(first)) && (await found(second)));
  });

  it('exits with 1, lists every unreadable path, and imports the other paths', async () => {
    const paths = {
      missing: files.path('missing.xml'),
      cut: await files.put('cut.xml.gz', gzipSync(fileOf(99200011, 99200012)).subarray(0, -30)),
      page: await files.put('page.xml', '<!doctype html><html><body>Log in</body></html>'),
      jats: await files.put('article.xml', '<article><front/></article>'),
      pdf: await files.put('paper.pdf', '%PDF-1.7 and so on'),
      notGzip: await files.put('plain.xml.gz', fileOf(99200013)),
      empty: await files.put('empty.xml', ''),
      folder: files.path('nothing-in-it'),
      good: await files.put('after.xml', fileOf(99200014)),
    };
    await files.put('nothing-in-it/readme.txt', 'no record');
    const { status, stdout, stderr } = await run('pubmed', ...Object.values(paths));
    assert.equal(stderr, '');
    assert.equal(status, 1);
    const none = '0 read, 0 added, 0 changed, 0 unchanged, 0 removed, 1 skipped in … s';
    const lines = steady(stdout).split('\n');
    const cut = lines.indexOf('  skipped cut.xml.gz: ends in the middle of its gzip data: the file is cut short');
    assert.match(lines[cut - 1] ?? lines[cut - 2] ?? '', /cut\.xml/);
    assert.deepEqual(
      lines.filter((line) => !line.includes('cut.xml')),
      [
        `${paths.missing}: there is no such file or folder`,
        `${paths.page}: ${none}`,
        '  skipped page.xml: holds an HTML page, not PubMed XML',
        `${paths.jats}: ${none}`,
        '  skipped article.xml: holds <article>, not PubMed XML',
        `${paths.pdf}: ${none}`,
        '  skipped paper.pdf: holds a PDF document, not PubMed XML',
        `${paths.notGzip}: ${none}`,
        '  skipped plain.xml.gz: is named .gz but holds no gzip data',
        `${paths.empty}: ${none}`,
        '  skipped empty.xml: is empty',
        `${paths.folder}: ${none}`,
        '  skipped nothing-in-it: is a folder without a file of this kind',
        `${paths.good}: 1 read, 1 added, 0 changed, 0 unchanged, 0 removed, 0 skipped in … s`,
        '',
      ],
    );
    await until(() => found(99200014));
  });

  it('exits with 2 and prints the usage when the kind is unknown or no path is given', async () => {
    const path = await files.put('some.xml', fileOf(99200021));
    const runs = await Promise.all([run('pubmd', path), run('pubmed')]);
    for (const { status, stdout, stderr } of runs) {
      assert.equal(status, 2);
      assert.equal(stderr, '');
      const kinds = plugins.flatMap(({ importers = [] }) => importers.map(({ id }) => id));
      assert.deepEqual(kinds.slice(0, 6), ['pubmed', 'jats', 'ctgov', 'nbib', 'ris', 'retractions']);
      assert.equal(stdout.split('\n')[0], `usage: npm run import -- <${kinds.join('|')}> <path…>`);
      for (const kind of kinds) assert.match(stdout, new RegExp(`^ {2}${kind} +\\S`, 'm'));
    }
    assert.equal(await found(99200021), false);
  });

  it('stops on SIGINT with a short message, and the next run resumes from that position', async () => {
    const pmids = Array.from({ length: 1_000 }, (_, at) => 99210000 + at);
    const path = await files.put('long.xml', fileOf(...pmids));
    const first = startProgram(['import', 'pubmed', path], base.service.environment);
    await until(async () => {
      const runs = await query(base.service, "select 1 from import_run where path = ? and status = 'running'", [path]);
      return runs.length > 0;
    });
    first.child.kill('SIGINT');
    const { status, stderr } = await first.finished;
    assert.deepEqual([status, stderr], [1, 'Interrupted.\n']);
    const { stdout, status: second } = await run('pubmed', path);
    assert.equal(second, 0);
    assert.match(stdout, /: 1000 read, 1000 added, 0 changed, 0 unchanged, 0 removed, 0 skipped in /);
    assert.match(stdout, /\n {2}went on where an interrupted run had stopped \(\d+ were in already\)\n$/);
    const [row] = await query<{ n: number }>(
      base.service,
      "select count(*)::int as n from evidence_source where source_id between 'pmid-99210000' and 'pmid-99210999'",
    );
    assert.equal(row?.n, 1_000);
  });
});
