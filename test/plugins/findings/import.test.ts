import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { systemContext } from '#core/system-context.ts';
import { findingImporter } from '#plugins/findings/import.ts';
import { findingsPlugin } from '#plugins/findings/index.ts';
import { runCommand } from '../../support/command.ts';
import { runProgram } from '../../support/program.ts';
import { until } from '../../support/until.ts';
import {
  changesAfter,
  lastChange,
  MADE_TOPICS,
  madeSupplement,
  query,
  temporaryFolder,
  useService,
} from '../evidence/support.ts';
import { madeTable, madeValues } from './support.ts';

const jsonLines = (...rows: readonly object[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join('');

describe('findings importer', () => {
  const content = temporaryFolder();
  const files = temporaryFolder();
  const OWN = 'pmid:99170001';
  before(async () => {
    await content.put('topics.yaml', MADE_TOPICS);
    await content.put('supplements/zinc.md', madeSupplement('Zinc', ['spelter']));
    await content.put('findings/own.tsv', madeTable(madeValues({ source: OWN, summary: 'The words of an editor.' })));
  });
  const base = useService(() => ({ contentDir: content.path() }));

  /** Runs the importer as the command does, in this process and with the content of the suite. */
  const run = async (...paths: readonly string[]) => {
    const context = systemContext(base.service.runtime, findingsPlugin, AbortSignal.timeout(60_000));
    const lines: string[] = [];
    const isClean = await findingImporter.run(context as Parameters<typeof findingImporter.run>[0], paths, (line) =>
      lines.push(line),
    );
    return { isClean, stdout: lines.map((line) => `${line}\n`).join('') };
  };
  const stored = (source: string) =>
    query<{ id: string; file: string; finding: { summary: string } }>(
      base.service,
      "select id, file, finding from finding where finding->>'source' like ? order by id",
      [source],
    );

  it('imports a table and prints the number of findings read, saved and skipped', async () => {
    const path = await files.put('findings.tsv', madeTable(madeValues({ source: 'pmid:99170011' })));
    assert.deepEqual(await run(path), { isClean: true, stdout: 'findings.tsv: 1 read, 1 saved, 0 skipped\n' });
    const { body } = await base.client.get('/api/findings', { source: 'pmid:99170011' }).expect(200);
    assert.equal(body.total, 1);
  });

  it('grades the outcome of a new finding', async () => {
    const path = await files.put('sleep.tsv', madeTable(madeValues({ source: 'pmid:99170012', topic: 'sleep' })));
    assert.ok((await run(path)).isClean);
    const { body } = await base.client.get('/api/outcomes/zinc-sleep').expect(200);
    assert.deepEqual([body.assessed, body.certainty, body.direction], [true, 'moderate', 'positive']);
  });

  it('imports comma-separated, semicolon-separated, gzipped and JSON Lines files', async () => {
    const table = (source: string, mark: string) => madeTable(madeValues({ source })).replaceAll('\t', mark);
    const paths = [
      await files.put('a-findings.csv', table('pmid:99170021', ',')),
      await files.put('b-findings.csv', table('pmid:99170022', ';')),
      await files.put('c-findings.tsv.gz', gzipSync(table('pmid:99170023', '\t'))),
      await files.put('d-findings.jsonl', jsonLines({ ...madeValues({ source: 'pmid:99170024' }), estimate: -1.5 })),
      await files.put('e-findings.ndjson.gz', gzipSync(jsonLines(madeValues({ source: 'pmid:99170025' })))),
    ];
    const { isClean, stdout } = await run(...paths);
    assert.ok(isClean);
    assert.equal(stdout.match(/: 1 read, 1 saved, 0 skipped$/gm)?.length, paths.length);
    assert.equal((await stored('pmid:9917002%')).length, paths.length);
  });

  it('changes nothing when the same file is imported twice', async () => {
    const rows = [1, 2, 3].map((n) => madeValues({ source: 'pmid:99170031', row: String(n) }));
    const path = await files.put('twice-findings.tsv', madeTable(...rows));
    await run(path);
    const grades = () => query(base.service, 'select vertical, digest, graded_at from outcome_grade order by vertical');
    const list = async () => (await base.client.get('/api/findings', { source: 'pmid:99170031' }).expect(200)).body;
    await base.client.get('/api/outcomes/zinc-colds').expect(200);
    const [findings, before, last, kept] = [
      await list(),
      await grades(),
      await lastChange(base.service),
      await stored('%'),
    ];
    const { isClean, stdout } = await run(path);
    assert.deepEqual([isClean, stdout], [true, 'twice-findings.tsv: 3 read, 3 saved, 0 skipped\n']);
    await base.client.get('/api/outcomes/zinc-colds').expect(200);
    assert.deepEqual(await stored('%'), kept);
    assert.deepEqual(await list(), findings);
    assert.deepEqual(await grades(), before);
    assert.deepEqual(await changesAfter(base.service, last), []);
  });

  it('replaces an imported finding when it is imported again', async () => {
    const put = (summary: string) =>
      files.put('later-findings.tsv', madeTable(madeValues({ source: 'pmid:99170041', summary })));
    await run(await put('First words.'));
    await run(await put('Second words.'));
    assert.deepEqual(
      (await stored('pmid:99170041')).map(({ finding }) => finding.summary),
      ['Second words.'],
    );
  });

  it('does not change findings from content/', async () => {
    const table = madeTable(
      madeValues({ source: OWN, summary: 'The words of an import.' }),
      madeValues({ source: 'pmid:99170051' }),
    );
    const { isClean, stdout } = await run(await files.put('own-findings.tsv', table));
    assert.deepEqual([isClean, stdout], [true, 'own-findings.tsv: 2 read, 1 saved, 0 skipped\n']);
    assert.deepEqual(
      (await stored(OWN)).map(({ file, finding }) => [file, finding.summary]),
      [['findings/own.tsv', 'The words of an editor.']],
    );
  });

  it('skips invalid rows, reports their line and field, and saves the others', async () => {
    const table = madeTable(
      madeValues({ source: 'pmid:99170061' }),
      madeValues({ source: 'pmid:99170062', supplement: 'unobtainium' }),
      madeValues({ source: 'pmid:99170063', topic: 'nonsense' }),
      madeValues({ source: 'pmid:99170064', condition: 'testitis' }),
      madeValues({ source: 'pmid:99170065', estimate: 'two' }),
      madeValues({ source: 'pmid:99170066', estimate: '4' }),
      madeValues({ source: 'pmid:99170067' }),
    );
    const { isClean, stdout } = await run(await files.put('wrong-findings.tsv', table));
    assert.equal(isClean, false);
    assert.deepEqual(stdout.split('\n'), [
      'wrong-findings.tsv: 7 read, 2 saved, 5 skipped',
      '  skipped line 3: supplement: no supplement is called "unobtainium"',
      '  skipped line 4: topic: no topic is called "nonsense"',
      '  skipped line 5: condition: no condition is called "testitis"',
      '  skipped line 6: estimate: "two" is not a number',
      '  skipped line 7: estimate: 4 is not between -2 and -1',
      '',
    ]);
    assert.deepEqual(
      (await stored('pmid:9917006%')).map(({ id }) => id),
      ['pmid:99170061#1', 'pmid:99170067#1'],
    );
  });

  it('reports the first twenty invalid rows and counts the rest', async () => {
    const rows = Array.from({ length: 25 }, (_, at) =>
      madeValues({ source: 'pmid:99170071', row: String(at), topic: 'x' }),
    );
    const { stdout } = await run(await files.put('many-findings.tsv', madeTable(...rows)));
    assert.equal(stdout.match(/^ {2}skipped line /gm)?.length, 20);
    assert.match(stdout, /\n {2}… and 5 more\n$/);
  });

  const GOOD = 'z-findings.tsv';
  /** Imports an unreadable file before a valid one and expects the valid one to be imported. */
  const besideGood = async (name: string, text: string | Uint8Array, pmid: number) => {
    const good = await files.put(GOOD, madeTable(madeValues({ source: `pmid:${pmid}` })));
    const { isClean, stdout } = await run(await files.put(name, text), good);
    assert.equal(isClean, false);
    assert.match(stdout, new RegExp(`${GOOD}: 1 read, 1 saved, 0 skipped\\n$`));
    assert.equal((await stored(`pmid:${pmid}`)).length, 1);
    return stdout.split('\n')[0];
  };

  it('reports a table with an unclosed quote and continues with the next file', async () => {
    const table = `${madeTable(madeValues({ source: 'pmid:99170081' }))}"pmid:99170082\t1\n`;
    assert.equal(
      await besideGood('open-findings.tsv', table, 99_170_083),
      'open-findings.tsv ends inside a quoted cell: its row begins on line 3',
    );
  });

  it('reports a truncated gzip file and continues with the next file', async () => {
    const rows = Array.from({ length: 400 }, (_, at) => madeValues({ source: 'pmid:99170091', row: String(at) }));
    const cut = gzipSync(madeTable(...rows)).subarray(0, -30);
    assert.equal(
      await besideGood('cut-findings.tsv.gz', cut, 99_170_092),
      'cut-findings.tsv.gz ends in the middle of its gzip data: the file is cut short',
    );
  });

  it('reports a JSON Lines line that is not an object and continues with the next file', async () => {
    const lines = `${jsonLines(madeValues({ source: 'pmid:99170101' }))}["pmid:99170102"]\n`;
    assert.equal(
      await besideGood('odd-findings.jsonl', lines, 99_170_103),
      'odd-findings.jsonl holds no object on line 2',
    );
  });

  it('reports an empty file and an invalid gzip file and continues with the next file', async () => {
    assert.equal(await besideGood('empty-findings.tsv', '', 99_170_111), 'empty-findings.tsv is empty');
    assert.equal(
      await besideGood('plain-findings.tsv.gz', madeTable(madeValues()), 99_170_112),
      'plain-findings.tsv.gz is named .gz but holds no gzip data',
    );
  });

  it('reports a folder without findings and continues with the next path', async () => {
    await files.put('nothing/readme.txt', 'no finding');
    const good = await files.put(GOOD, madeTable(madeValues({ source: 'pmid:99170113' })));
    const { isClean, stdout } = await run(files.path('nothing'), good);
    assert.equal(isClean, false);
    assert.match(stdout, /nothing.* is a folder without a file of this kind\n/);
    assert.match(stdout, /1 read, 1 saved, 0 skipped\n$/);
  });

  it('imports findings from a folder and review titles from the table beside them', async () => {
    await files.put(
      'reviews/reviews.tsv',
      'doi\ttitle\tpublished\tauthors\n10.5555/Made.1\tZinc for invented colds\t2015-06-01\tMaker A, Helper B\n',
    );
    await files.put(
      'reviews/sof-findings.tsv',
      [
        'doi\ttable\trow\tcomparison\tpopulation\tintervention\tcomparator\toutcome\trelative_effect\trisk_control\tparticipants\tstudies\tgrade',
        '10.5555/made.1\t1\t2\tSpelter and colds\tchildren\tSpelter\tplacebo\tpeople with a common cold\tRR 0.8 (0.6 to 1.1)\t300 per 1,000\t1,208\t12\tLow',
        '',
      ].join('\n'),
    );
    await files.put('reviews/notes.tsv', 'not\ta\tfinding\n');
    const { isClean, stdout } = await run(files.path('reviews'));
    assert.deepEqual([isClean, stdout], [true, 'sof-findings.tsv: 1 read, 1 saved, 0 skipped\n']);
    const { body } = await base.client.get('/api/findings', { source: 'doi:10.5555/made.1' }).expect(200);
    const [found] = body.findings;
    assert.deepEqual(
      [found.title, found.year, found.first_author, found.use, found.supplements, found.topic, found.people],
      ['Zinc for invented colds', 2015, 'Maker A', 'unmapped', ['zinc'], 'colds', 'children'],
    );
  });

  it('does not grade by findings that await an editor', async () => {
    const { body } = await base.client.get('/api/outcomes/zinc-colds').expect(200);
    const ids: string[] = body.assessments.flatMap(({ outcomes }: { outcomes: { finding: string }[] }) =>
      outcomes.map(({ finding }) => finding),
    );
    assert.ok(ids.length > 0);
    assert.ok(!ids.includes('doi:10.5555/made.1#1.2'));
  });
});

describe('npm run import -- findings', function () {
  this.timeout(180_000);
  const files = temporaryFolder();
  const base = useService();
  const row = (source: string, fields: object = {}) =>
    madeValues({ source, topic: 'respiratory-infection', ...fields });

  it('exits with 0 and makes the findings available to the running server without a restart', async () => {
    const path = await files.put('findings.tsv', madeTable(row('pmid:99171001')));
    const { status, stdout, stderr } = await runProgram(['import', 'findings', path], base.service.environment);
    assert.deepEqual([status, stdout, stderr], [0, 'findings.tsv: 1 read, 1 saved, 0 skipped\n', '']);
    await until(async () => (await base.client.get('/api/findings', { source: 'pmid:99171001' })).body.total === 1);
  });

  it('exits with 1, reports unreadable input and imports the other files', async () => {
    const wrong = await files.put('wrong.tsv', madeTable(row('pmid:99171011', { estimate: 'two' })));
    const good = await files.put('good.tsv', madeTable(row('pmid:99171012')));
    const missing = files.path('missing.tsv');
    const { status, stdout, stderr } = await runCommand(
      ['import', 'findings', missing, wrong, good],
      base.service.environment,
    );
    assert.equal(stderr, '');
    assert.equal(status, 1);
    assert.deepEqual(stdout.split('\n'), [
      `${missing}: there is no such file or folder`,
      'wrong.tsv: 1 read, 0 saved, 1 skipped',
      '  skipped line 2: estimate: "two" is not a number',
      'good.tsv: 1 read, 1 saved, 0 skipped',
      '',
    ]);
  });
});
