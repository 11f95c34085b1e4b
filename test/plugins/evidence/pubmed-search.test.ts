import assert from 'node:assert/strict';
import { createEutilities } from '#plugins/evidence/importers/eutilities.ts';
import { runSearches } from '#plugins/evidence/pubmed-search/run.ts';
import { type Asked, type Fault, PubmedServer } from '../../../bench/pubmed-server.ts';
import { runCommand } from '../../support/command.ts';
import { startProgram } from '../../support/program.ts';
import { until } from '../../support/until.ts';
import {
  changesAfter,
  lastChange,
  madeArticle,
  query,
  revisionsOf,
  servicesOf,
  temporaryFolder,
  useService,
  zincTrial,
} from './support.ts';

const FIRST = 99600000;
const pmidsFrom = (start: number, count: number): number[] => Array.from({ length: count }, (_, at) => start + at);

/** Replaces the durations and rates that differ between runs. */
const steady = (text: string): string => text.replace(/ in \d+\.\d s( \(\d+ records\/s\))?/g, ' in … s');

describe('npm run import -- pubmed-search', function () {
  this.timeout(180_000);
  const files = temporaryFolder();
  /** Maps a word of the query to PMIDs. */
  const held = new Map<string, readonly number[]>();
  const withdrawn = new Set<number>();
  const broken = new Set<number>();
  let version = 1;
  const pubmed = new PubmedServer({
    article: (pmid) => {
      if (withdrawn.has(pmid)) return null;
      if (broken.has(pmid)) return `<PubmedArticle><MedlineCitation><PMID>${pmid}</PMID><Article></PubmedArticle>`;
      return madeArticle(zincTrial(pmid, version > 1 ? { title: `Zinc for colds, version ${version}.` } : {}));
    },
    find: (term) => [...held].find(([word]) => term.includes(word))?.[1] ?? [],
    dayOf: (pmid, date) => (date === 'mdat' ? '2026/02/01' : date === 'pdat' ? '2021/01/01' : dayEntered(pmid)),
  });
  const dayEntered = (pmid: number): string => `2021/0${1 + (pmid % 9)}/01`;
  let address = '';
  before(async () => {
    address = await pubmed.listen();
  });
  const base = useService();
  after(() => pubmed.close());
  beforeEach(() => {
    pubmed.reset();
    held.clear();
  });

  const settings = (): Record<string, string> => ({
    ...base.service.environment,
    NCBI_BASE_URL: address,
    NCBI_EMAIL: 'tests@example.org',
    NCBI_API_KEY: 'made-for-tests',
  });
  const run = (...args: readonly string[]) => runCommand(['import', 'pubmed-search', ...args], settings());
  const stored = async (first: number, count: number): Promise<number> => {
    const rows = await query<{ n: number }>(
      base.service,
      'select count(*)::int as n from evidence_record where origin = ? and origin_key::bigint between ? and ?',
      ['pubmed', first, first + count - 1],
    );
    return rows[0]?.n ?? 0;
  };
  const queued = async (): Promise<number> => {
    const rows = await query<{ n: number }>(
      base.service,
      'select (select count(*) from evidence_pubmed_search)::int + (select count(*) from evidence_pubmed_queue)::int as n',
    );
    return rows[0]?.n ?? -1;
  };
  /** Each request to a utility receives the next fault until none is left. */
  const failWith = (utility: string, ...faults: readonly (Fault | undefined)[]): void => {
    const coming = [...faults];
    pubmed.faultFor = (asked) => (asked.utility === utility ? coming.shift() : undefined);
  };
  const idsPosted = ({ params }: Asked): number => params.get('id')?.split(',').length ?? 0;

  it('searches PubMed for a supplement, stores the records found, and prints the counts', async () => {
    held.set('Zinc', pmidsFrom(FIRST, 3));
    const { status, stdout, stderr } = await run('--supplement', 'zinc');
    assert.deepEqual([status, stderr], [0, '']);
    assert.deepEqual(steady(stdout).split('\n'), [
      '3 records found, 3 to fetch.',
      'zinc: 3 found, 3 added, 0 changed, 0 unchanged, 0 skipped',
      '1 search: 3 found, 3 added, 0 changed, 0 unchanged, 0 skipped in … s',
      '',
    ]);
    assert.equal(await stored(FIRST, 3), 3);
    const term = pubmed.to('esearch')[0]?.params.get('term') ?? '';
    assert.match(term, /^\("Zinc"\[tiab\] OR /);
    assert.match(term, / AND \(dietary supplements\[mh\] OR .*"common cold"\[tiab\]/, 'the topics planned for zinc');
    assert.equal(pubmed.asked[0]?.params.get('mindate'), null);
  });

  it('runs a new search when repeated, and changes only the records that PubMed changed', async () => {
    held.set('Zinc', pmidsFrom(FIRST, 4));
    const before = await revisionsOf(base.service);
    const { status, stdout } = await run('--supplement', 'zinc');
    assert.equal(status, 0);
    assert.match(stdout, /^zinc: 4 found, 1 added, 0 changed, 3 unchanged, 0 skipped$/m);
    const after = await revisionsOf(base.service);
    for (const [id, state] of before) assert.equal(after.get(id), state, id);
    assert.equal(await queued(), 0, 'nothing of a run is left when it has ended');
  });

  it('searches for every supplement by default, and fetches a record found by several searches once', async () => {
    held.set('"Zinc"', pmidsFrom(FIRST + 100, 30));
    held.set('"Selenium"', pmidsFrom(FIRST + 120, 20));
    const last = await lastChange(base.service);
    const { status, stdout } = await run();
    assert.equal(status, 0);
    const [{ n: supplements } = { n: 0 }] = await query<{ n: number }>(
      base.service,
      'select count(*)::int as n from supplement',
    );
    assert.equal(pubmed.to('esearch').length, supplements);
    assert.deepEqual(pubmed.to('epost').map(idsPosted), [40], 'each PMID once');
    assert.match(stdout, /^50 records found, 40 to fetch\.$/m);
    assert.match(stdout, /^selenium: 20 found, 20 added, 0 changed, 0 unchanged, 0 skipped$/m);
    assert.match(stdout, /^zinc: 30 found, 10 found before, 20 added, 0 changed, 0 unchanged, 0 skipped$/m);
    assert.match(
      stdout,
      new RegExp(
        `^${supplements} searches: 50 found, 10 found before, 40 added, 0 changed, 0 unchanged, 0 skipped in `,
        'm',
      ),
    );
    const published = (await changesAfter(base.service, last)).filter(({ kind }) => kind === 'index.published');
    assert.deepEqual(
      published.map(({ subject_id: id, data }) => [id, data]),
      [['pubmed', { added: 40, changed: 0, unchanged: 0, removed: 0, skipped: 0 }]],
    );
  });

  it('limits a custom query to records entered or changed since a day', async () => {
    held.set('selenium AND thyroid', pmidsFrom(FIRST + 200, 2));
    const { status, stdout } = await run('--query', 'selenium AND thyroid', '--since', '2026-01-31');
    assert.equal(status, 0);
    assert.match(stdout, /^query: 2 found, 2 added/m);
    const params = pubmed.to('esearch')[0]?.params;
    assert.deepEqual(
      ['term', 'datetype', 'mindate'].map((name) => params?.get(name)),
      ['selenium AND thyroid', 'mdat', '2026/01/31'],
    );
    assert.match((await run('--query', 'selenium AND thyroid', '--since', '2026-02-02')).stdout, /^query: 0 found/m);
  });

  it('fetches a list of PMIDs, and reports the lines without one', async () => {
    const [one = 0, two = 0] = pmidsFrom(FIRST + 300, 2);
    const path = await files.put(
      'list.tsv',
      `\uFEFFpmid\ttitle\r\n# from our own list\r\n${one}\tA title\r\n\r\nPMID: ${two} # twice\r\n${two}\r\nPMC123\tno PMID\r\n`,
    );
    const { status, stdout } = await run('--pmids', path);
    assert.equal(status, 1);
    assert.deepEqual(steady(stdout).split('\n'), [
      '2 records found, 2 to fetch.',
      `${path}: 2 found, 2 added, 0 changed, 0 unchanged, 0 skipped`,
      '1 search: 2 found, 2 added, 0 changed, 0 unchanged, 0 skipped in … s',
      '  skipped line 7: "PMC123" is no PMID',
      '',
    ]);
    assert.equal(pubmed.to('esearch').length, 0);
  });

  it('exits with 1 and lists each PMID without a readable record in PubMed', async () => {
    const [gone = 0, unreadable = 0, good = 0] = pmidsFrom(FIRST + 310, 3);
    withdrawn.add(gone);
    broken.add(unreadable);
    const path = await files.put('gone.txt', [gone, unreadable, good].join('\n'));
    const { status, stdout } = await run('--pmids', path);
    assert.equal(status, 1);
    const lines = stdout.split('\n');
    assert.match(lines[1] ?? '', /: 3 found, 1 added, 0 changed, 0 unchanged, 2 skipped$/);
    assert.equal(lines[3], `  skipped PMID ${gone}: PubMed sent no record of it`);
    assert.match(lines[4] ?? '', new RegExp(`^ {2}skipped PMID ${unreadable}: its record is malformed XML`));
    assert.equal(lines.length, 6);
  });

  it('fetches the starter corpus: the papers with a PMID and no abstract', async () => {
    const [{ n: listed } = { n: 0 }] = await query<{ n: number }>(
      base.service,
      "select count(*)::int as n from evidence_source where pmid <> '' and abstract = '' and removed_at is null",
    );
    assert.ok(listed > 300);
    const { status, stdout } = await run('--starter');
    assert.equal(status, 0, stdout);
    assert.match(stdout, new RegExp(`^starter corpus: ${listed} found, `, 'm'));
    assert.equal(
      pubmed.to('epost').reduce((sum, asked) => sum + idsPosted(asked), 0),
      listed,
    );
    assert.match((await run('--starter')).stdout, /^starter corpus: 0 found, /m, 'all of them have one now');
  });

  it('prints the number of records per search in a dry run, and fetches and writes nothing', async () => {
    held.set('Zinc', pmidsFrom(FIRST + 400, 7));
    const last = await lastChange(base.service);
    const { status, stdout, stderr } = await run('--supplement', 'zinc', '--supplement', 'iron', '--dry-run');
    assert.deepEqual([status, stderr], [0, '']);
    assert.deepEqual(stdout.split('\n'), [
      'iron: 0 records',
      'zinc: 7 records',
      '2 searches: 7 records, those found by several searches counted each time. This was a dry run: nothing was fetched or written.',
      '',
    ]);
    assert.deepEqual(new Set(pubmed.asked.map(({ utility }) => utility)), new Set(['esearch']));
    assert.deepEqual([await stored(FIRST + 400, 7), await queued(), await lastChange(base.service)], [0, 0, last]);
    const path = await files.put('dry.txt', `${FIRST + 400}\nx\n`);
    assert.deepEqual((await run('--pmids', path, '--dry-run')).status, 1);
    pubmed.faultFor = () => ({ status: 400 });
    const refused = await run('--supplement', 'zinc', '--dry-run');
    assert.equal(refused.status, 1);
    assert.match(refused.stdout, /^ {2}skipped zinc: NCBI refused the search: it answered 400$/m);
  });

  it('exits with 2 and prints instructions when an option or a setting is invalid', async () => {
    const wrong: readonly (readonly [RegExp, ...string[]])[] = [
      [/^Unknown option '--suplement'/, '--suplement', 'zinc'],
      [
        /^--supplement, --query, --pmids and --starter exclude each other\. Give one of them\.\n/,
        '--starter',
        '--query',
        'x',
      ],
      [/^--query is empty\. Give it a PubMed query\.\n/, '--query', ' '],
      [
        /^--since 2026-02-30: this is no day in the past\. Write it as in --since 2026-01-31\.\n/,
        '--since',
        '2026-02-30',
      ],
      [/^--since 2999-01-01: this is no day in the past/, '--since', '2999-01-01'],
      [
        /^--since limits a search, and --starter makes none\. Leave one of them out\.\n/,
        '--starter',
        '--since',
        '2026-01-31',
      ],
      [/^--supplement zink: no supplement has this slug\. The slugs are /, '--supplement', 'zink'],
      [
        /^--pmids \S+none\.txt: the file does not exist\. Name a file with one PMID a line\.\n$/,
        '--pmids',
        files.path('none.txt'),
      ],
    ];
    for (const [pattern, ...args] of wrong) {
      const { status, stdout, stderr } = await run(...args);
      assert.deepEqual([status, stdout], [2, ''], args.join(' '));
      assert.match(stderr, pattern);
    }
    const { NCBI_EMAIL: _, ...anonymous } = settings();
    const { status, stderr } = await runCommand(['import', 'pubmed-search', '--starter'], anonymous);
    assert.equal(status, 2);
    assert.equal(
      stderr,
      'NCBI_EMAIL is not set, and NCBI asks every program to say who uses it. Set NCBI_EMAIL to your e-mail address, in the environment or in .env, and run the command again.\n',
    );
    assert.equal(pubmed.asked.length, 0);
  });

  it('exits with 1 and prints the reason when NCBI refuses a search, and runs the other searches', async () => {
    held.set('"Selenium"', pmidsFrom(FIRST + 500, 2));
    pubmed.faultFor = ({ params }) =>
      params.get('term')?.includes('"Zinc"')
        ? { status: 200, body: '<eSearchResult><ERROR>Invalid db name</ERROR></eSearchResult>' }
        : undefined;
    const { status, stdout } = await run('--supplement', 'zinc', '--supplement', 'selenium');
    assert.equal(status, 1);
    assert.deepEqual(steady(stdout).split('\n'), [
      '2 records found, 2 to fetch.',
      'selenium: 2 found, 2 added, 0 changed, 0 unchanged, 0 skipped',
      'zinc: 0 found, 0 added, 0 changed, 0 unchanged, 0 skipped',
      '2 searches: 2 found, 2 added, 0 changed, 0 unchanged, 1 skipped in … s',
      '  skipped zinc: NCBI refused the search: it answered with the error "Invalid db name"',
      '',
    ]);
  });

  it('fetches all records despite 429, 5xx, truncated or slow responses and an expired list', async () => {
    const path = await files.put('faults.txt', pmidsFrom(FIRST + 1_000, 900).join('\n'));
    failWith(
      'efetch',
      { status: 429, headers: { 'retry-after': '1' }, body: '{"error":"API rate limit exceeded","count":"11"}' },
      'truncated',
      { status: 502 },
      { delayMs: 500 },
      'hang up',
      'lost history',
    );
    const { status, stdout } = await run('--pmids', path);
    assert.equal(status, 0, stdout);
    assert.match(stdout, /: 900 found, 900 added, 0 changed, 0 unchanged, 0 skipped$/m);
    assert.equal(await stored(FIRST + 1_000, 900), 900);
    assert.ok(pubmed.to('epost').length > 1, 'the list was posted again');
  });

  it("lists all records of a search that exceeds PubMed's limit, in parts", async () => {
    const pmids = pmidsFrom(99700000, 20_500);
    held.set('a common word', pmids);
    const client = createEutilities({ email: 'tests@example.org', apiKey: 'x', baseUrl: address, pauseSeconds: 0.01 });
    const found: unknown[] = [];
    const stop = new AbortController();
    const report = runSearches(
      {
        db: base.service.runtime.db,
        client,
        grader: await servicesOf(base.service).grader(),
        signal: stop.signal,
        onListed: (listed) => {
          found.push(listed);
          stop.abort(new Error('only the list is tested'));
        },
      },
      [{ label: 'many', search: { term: 'a common word' } }],
    );
    await assert.rejects(report, /only the list is tested/);
    assert.deepEqual(found, [{ isContinued: false, found: 20_500, waiting: 20_500 }]);
    const terms = pubmed.to('esearch').map(({ params }) => params.get('term') ?? '');
    assert.ok(
      terms.some((term) => /\[pdat\]\)\) AND \("[\d/]+"\[edat\]/.test(term)),
      'one day is split by the day of entry',
    );
  });

  it('stops on SIGINT with a short message, and the same command resumes without a new search', async () => {
    held.set('Zinc', pmidsFrom(FIRST + 3_000, 1_500));
    const args = ['import', 'pubmed-search', '--supplement', 'zinc'];
    const first = startProgram(args, settings());
    await until(async () => (await stored(FIRST + 3_000, 1_500)) >= 200);
    first.child.kill('SIGINT');
    const { status, stderr } = await first.finished;
    assert.deepEqual([status, stderr], [1, 'Interrupted.\n']);
    const before = await stored(FIRST + 3_000, 1_500);
    assert.ok(before < 1_500);
    pubmed.reset();
    const second = await run('--supplement', 'zinc');
    assert.deepEqual([second.status, second.stderr], [0, '']);
    assert.deepEqual(steady(second.stdout).split('\n'), [
      `Continuing where an interrupted run stopped: 1500 records found, ${1_500 - before} to fetch.`,
      'zinc: 1500 found, 1500 added, 0 changed, 0 unchanged, 0 skipped',
      '1 search: 1500 found, 1500 added, 0 changed, 0 unchanged, 0 skipped in … s',
      '',
    ]);
    assert.equal(pubmed.to('esearch').length, 0);
    assert.equal(await stored(FIRST + 3_000, 1_500), 1_500);
    version = 2;
    const third = await run('--supplement', 'zinc');
    assert.match(third.stdout, /^zinc: 1500 found, 0 added, 1500 changed, 0 unchanged, 0 skipped$/m);
  });
});
