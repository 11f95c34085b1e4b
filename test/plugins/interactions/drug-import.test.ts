import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { api } from '../../support/client.ts';
import { runCommand } from '../../support/command.ts';
import { sql } from '../../support/database.ts';
import { runProgram, startProgram } from '../../support/program.ts';
import { startService, type TestService } from '../../support/service.ts';
import { until } from '../../support/until.ts';
import { madeZip } from '../../support/zip.ts';
import { query, temporaryFolder } from '../evidence/support.ts';

const fixtures = join(import.meta.dirname, '../../fixtures/import');

const HEADER =
  'Ingredient~DF;Route~Trade_Name~Applicant~Strength~Appl_Type~Appl_No~Product_No~TE_Code~Approval_Date~RLD~RS~Type~Applicant_Full_Name';
/** Returns a row of the Orange Book products file; the company and numbers are invented. */
const row = (ingredient: string, name: string, type = 'RX'): string =>
  `${ingredient}~TABLET;ORAL~${name}~MADE UP~10MG~N~099999~001~~Jan 1, 2020~Yes~Yes~${type}~MADE UP PHARMA`;
const products = (...rows: readonly string[]): string => [HEADER, ...rows, ''].join('\r\n');

/** Replaces durations, which differ between runs. */
const steady = (text: string): string => text.replace(/ in \d+\.\d s/g, ' in … s');

describe('npm run import for medicine names', function () {
  this.timeout(180_000);
  const files = temporaryFolder();
  let service: TestService;
  before(async () => {
    service = await startService({ settings: { ANON_RPM: '100000', ANON_DAILY: '100000' } });
  });
  after(() => service.stop());

  const run = (...args: readonly string[]) => runCommand(['import', ...args], service.environment);
  const look = async (name: string): Promise<{ slug: string; rxcui: string; brands: string[] } | null> => {
    const { body } = await api(service).get(`/api/drugs/${encodeURIComponent(name)}`);
    return body.resolved?.[0].match_type === 'typo' ? null : (body.drug ?? null);
  };
  it('imports the Orange Book, and a running server finds the names without a restart', async () => {
    const path = await files.put(
      'products.txt',
      products(
        row('QUORAMINE HYDROCHLORIDE', 'QUORALIX'),
        row('QUORAMINE HYDROCHLORIDE', 'QUORALIX'),
        row('QUORAMINE HYDROCHLORIDE', 'QUORAMINE HYDROCHLORIDE', 'DISCN'),
        row('QUORAMINE HYDROCHLORIDE; VELTRIDINE SODIUM', 'DUOQUOR 10'),
      ),
    );
    assert.equal(await look('Quoralix'), null);
    const first = await runProgram(['import', 'orangebook', path], service.environment);
    assert.equal(first.stderr, '');
    assert.equal(
      steady(first.stdout),
      `${path}: 4 rows read, 3 names: 3 added, 0 changed, 0 unchanged; 0 skipped in … s\n`,
    );
    assert.equal(first.status, 0);
    const drug = await until(() => look('Quoralix'));
    assert.deepEqual([drug.slug, drug.brands], ['quoramine', ['Quoralix']]);
    assert.equal((await look('duoquor'))?.slug, 'quoramine-and-veltridine');
    const { body } = await api(service).get('/api/drugs/suggest').query({ q: 'quora' }).expect(200);
    assert.deepEqual(body.suggestions, ['Quoralix', 'Quoramine', 'Quoramine And Veltridine']);
  });

  it('changes nothing when the same file is imported again', async () => {
    const before = await query(service, 'select revision from drug_revision');
    const { stdout, status } = await run('orangebook', files.path('products.txt'));
    assert.match(stdout, /: 4 rows read, 3 names: 0 added, 0 changed, 3 unchanged; 0 skipped/);
    assert.equal(status, 0);
    assert.deepEqual(await query(service, 'select revision from drug_revision'), before);
  });

  it('reads the ZIP that FDA publishes and a file with a byte order mark', async () => {
    const text = `\ufeff${products(row('NEBULAMINE', 'NEBULEX'))}`;
    const zip = await files.put('EOBZIP.zip', madeZip({ 'exclusivity.txt': 'x~y', 'products.txt': text }));
    const { stdout, status } = await run('orangebook', zip);
    assert.match(stdout, /: 1 rows read, 1 names: 1 added, /);
    assert.equal(status, 0);
    assert.equal((await until(() => look('Nebulex'))).slug, 'nebulamine');
  });

  it('skips an invalid row, reports its line, and imports the rest', async () => {
    const path = await files.put(
      'broken.txt',
      products('HALF A ROW~TABLET', row('GOODAMINE', 'GOODEX'), row('', 'NOTHING')),
    );
    const { stdout, status } = await run('orangebook', path);
    assert.equal(
      steady(stdout),
      [
        `${path}: 1 rows read, 1 names: 1 added, 0 changed, 0 unchanged; 2 skipped in … s`,
        '  skipped broken.txt › line 2: has 2 fields, not 14',
        '  skipped broken.txt › line 4: has no ingredient or no trade name',
        '',
      ].join('\n'),
    );
    assert.equal(status, 1);
  });

  it('reports the problem with an empty, truncated or wrong file, folder or archive', async () => {
    const wrong: readonly (readonly [kind: string, path: string, message: string])[] = [
      ['orangebook', await files.put('empty.txt', ''), 'empty.txt: is empty'],
      [
        'orangebook',
        await files.put('other.txt', 'a~b~c\r\n1~2~3\r\n'),
        'other.txt: is no products file of the Orange Book: its first line names no Ingredient and Trade_Name',
      ],
      [
        'orangebook',
        await files.put('page.txt', '<!doctype html><html></html>'),
        'page.txt: holds an HTML page, not the Orange Book',
      ],
      [
        'orangebook',
        await files.put('none.zip', madeZip({ 'readme.txt': 'x' })),
        'none.zip: holds no file of this kind ((?:^|\\/)products\\.txt$)',
      ],
      [
        'orangebook',
        await files.put('cut.zip', madeZip({ 'products.txt': products(row('A', 'B')) }).subarray(0, -30)),
        'cut.zip: is no whole ZIP archive: its directory is missing',
      ],
      [
        'rxnorm',
        await files.put('RXNCONSO.RRF', 'one|two|three\n'),
        'RXNCONSO.RRF: is no RXNCONSO.RRF: its first line has 3 fields between bars, not 17',
      ],
      [
        'rxnorm',
        await files.put('folder/readme.txt', 'x').then(() => files.path('folder')),
        'folder: is a folder without a file of this kind',
      ],
      ['ndc', await files.put('text.json', 'no json'), "text.json: holds text, not openFDA's NDC directory"],
      [
        'ndc',
        await files.put('half.json', '{"results": [{"product_ndc": "1",'),
        'half.json: is cut short: it ends inside the record of line 1',
      ],
    ];
    for (const [kind, path, message] of wrong) {
      const { stdout, stderr, status } = await run(kind, path);
      assert.equal(stderr, '');
      assert.equal(
        steady(stdout),
        `${path}: 0 rows read, 0 names: 0 added, 0 changed, 0 unchanged; 1 skipped in … s\n  skipped ${message}\n`,
      );
      assert.equal(status, 1);
    }
  });

  it('imports RxCUIs, salts, brands and combinations from RxNorm, without obsolete or foreign entries', async () => {
    const path = join(fixtures, 'rxnorm');
    const { stdout, status } = await run('rxnorm', path);
    assert.equal(steady(stdout), `${path}: 7 rows read, 7 names: 7 added, 0 changed, 0 unchanged; 0 skipped in … s\n`);
    assert.equal(status, 0);
    const drug = await until(() => look('Zorvexa'));
    assert.deepEqual([drug.slug, drug.rxcui, drug.brands], ['zorvamine', '99000001', ['Zorvexa']]);
    for (const name of ['zorvamine hydrochloride', 'zorvaminum', '99000001'])
      assert.equal((await look(name))?.slug, 'zorvamine');
    const both = await look('Pelizor');
    assert.deepEqual([both?.slug, both?.rxcui], ['pelidrine-and-zorvamine', '99000005']);
    for (const name of ['oldamine', 'zorvamina', 'Not Of RxNorm']) assert.equal(await look(name), null);
  });

  it('reads the ZIP of an RxNorm release and reports entries omitted without RXNREL.RRF', async () => {
    const conso = await readFile(join(fixtures, 'rxnorm/RXNCONSO.RRF'), 'utf8');
    const path = await files.put('RxNorm_full.zip', madeZip({ 'rrf/RXNCONSO.RRF': conso.replaceAll('\n', '\r\n') }));
    const { stdout, status } = await run('rxnorm', path);
    assert.equal(
      steady(stdout),
      [
        `${path}: 7 rows read, 3 names: 0 added, 0 changed, 3 unchanged; 0 skipped in … s`,
        '  4 brand names, salts and combinations were left out: RXNREL.RRF names no ingredient for them',
        '',
      ].join('\n'),
    );
    assert.equal(status, 0);
  });

  it('imports the NDC directory of openFDA uncompressed, gzipped and zipped', async () => {
    const text = await readFile(join(fixtures, 'drug-ndc.json'), 'utf8');
    const plain = join(fixtures, 'drug-ndc.json');
    const gz = await files.put('drug-ndc.json.gz', gzipSync(text));
    const zip = await files.put('drug-ndc-0001-of-0001.json.zip', madeZip({ 'drug-ndc-0001-of-0001.json': text }));
    const rest = (at: string): string[] => [
      '  1 homeopathic, allergenic, cosmetic and bulk products were left out',
      `  skipped ${at} › line 35: names no active ingredient`,
      '',
    ];
    const { stdout, status } = await run('ndc', plain, gz, zip);
    assert.equal(
      steady(stdout),
      [
        `${plain}: 3 rows read, 2 names: 2 added, 0 changed, 0 unchanged; 1 skipped in … s`,
        ...rest('drug-ndc.json').slice(0, 2),
        `${gz}: 3 rows read, 2 names: 0 added, 0 changed, 2 unchanged; 1 skipped in … s`,
        ...rest('drug-ndc.json.gz').slice(0, 2),
        `${zip}: 3 rows read, 2 names: 0 added, 0 changed, 2 unchanged; 1 skipped in … s`,
        ...rest('drug-ndc-0001-of-0001.json.zip › drug-ndc-0001-of-0001.json'),
      ].join('\n'),
    );
    assert.equal(status, 1);
    assert.equal((await until(() => look('Zorvabest'))).slug, 'zorvamine');
    assert.equal((await look('Duozor'))?.slug, 'pelidrine-and-zorvamine');
    assert.equal(await look('Arnixa'), null);
  });

  it('leaves complete batches when killed, and the next run adds the rest', async () => {
    const names = Array.from({ length: 12_000 }, (_, at) => row(`MADEAMINE${at}`, `MADEX${at}`));
    const path = await files.put('long.txt', products(...names));
    const first = startProgram(['import', 'orangebook', path], service.environment);
    await until(async () => {
      const rows = await query(service, 'select 1 from drug_import where path = ?', [path]);
      return rows.length ? rows : null;
    });
    first.child.kill('SIGKILL');
    await first.finished;
    // The lease of a killed process expires after twenty seconds; the test expires it at once.
    await sql(service, "update lease set expires_at = now() - interval '1 second'");
    const [half] = await query<{ n: number }>(
      service,
      "select count(*)::int as n from drug_name where name like 'MADEX%'",
    );
    assert.equal((half?.n ?? 0) % 5_000 === 0 || half?.n === 12_000, true, `${half?.n} names`);
    const { stdout, status } = await run('orangebook', path);
    assert.equal(status, 0);
    assert.match(stdout, /: 12000 rows read, 12000 names: \d+ added, 0 changed, \d+ unchanged; 0 skipped/);
    const [all] = await query<{ n: number }>(
      service,
      "select count(*)::int as n from drug_name where name like 'MADEX%'",
    );
    assert.equal(all?.n, 12_000);
    const [run2] = await query<{ status: string }>(service, 'select status from drug_import where path = ?', [path]);
    assert.equal(run2?.status, 'done');
  });
});
