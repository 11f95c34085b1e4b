/** Compares the content of a snapshot with the database and with the API. */
import { strict as assert } from 'node:assert';
import { createPublicKey, verify } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { api, bearer, bootstrapAdmin, type IssuedKey } from '../../support/client.ts';
import { type Row, sql } from '../../support/database.ts';
import { startService, type TestService } from '../../support/service.ts';
import { checkSums, fetchAll, type ManifestAnswer, makeSnapshot, manifestOf, rowsIn } from './support.ts';

const NAMES = [
  'supplements',
  'conditions',
  'sources',
  'findings',
  'grades',
  'interactions',
  'interaction-rules',
  'products',
] as const;
type Name = (typeof NAMES)[number];
type Rows = Record<string, unknown>[];

describe('the content of a snapshot', function () {
  this.timeout(600_000);
  let service: TestService;
  let admin: IssuedKey;
  let manifest: ManifestAnswer;
  let folder = '';
  const rows = {} as Record<Name, Rows>;

  before(async () => {
    service = await startService({ settings: { ANON_RPM: '100000', ANON_DAILY: '100000' } });
    admin = await bootstrapAdmin(service);
    await sql(service, `update evidence_source set retraction_status = 'retracted' where source_id = 'pmid-22909270'`);
    await sql(
      service,
      `update evidence_source set removed_at = now() where source_id = (
      select max(source_id) from evidence_source)`,
    );
    await sql(
      service,
      `update evidence_source set title = 'Ends of lines: ' || chr(133) || chr(8232) || chr(8233) || '.'
      where source_id = (select min(source_id) from evidence_source)`,
    );
    const outcome = await makeSnapshot(service);
    assert.equal(outcome.status, 'ok', JSON.stringify(outcome));
    manifest = await manifestOf(service);
    folder = await fetchAll(service, manifest);
    for (const name of NAMES) rows[name] = rowsIn(await readFile(join(folder, `${name}.jsonl.gz`)));
  });
  after(() => service?.stop());

  const get = async (path: string) =>
    (
      await api(service)
        .get(path)
        .set(...bearer(admin.key))
        .expect(200)
    ).body;
  const idsIn = async (text: string): Promise<unknown[]> => (await sql(service, text)).map((row: Row) => row.id);
  const keysOf = (name: Name): unknown[] => {
    const { unique_by: key = '' } = manifest.datasets.find((one) => one.name === name) ?? {};
    return rows[name].map((row) => row[key]);
  };
  /** Returns the first row, the last row and some in between. */
  const sampleOf = (name: Name): Rows => {
    const all = rows[name];
    return [0, 0.13, 0.38, 0.5, 0.77, 1].map((at) => all[Math.floor(at * (all.length - 1))] as Rows[number]);
  };

  it('passes sha256sum, and is signed by the key that the API publishes', async () => {
    const said = await checkSums(folder);
    const names = (await readdir(folder)).filter((name) => !/^SHA256SUMS/.test(name)).sort();
    assert.deepEqual(said.trim().split('\n').sort(), names.map((name) => `${name}: OK`).sort());
    assert.equal(names.length, 2 * NAMES.length + 4);
    const { signing_key: key } = await get('/api/snapshots');
    assert.equal(key, await readFile(join(folder, 'signing-key.pem'), 'utf8'));
    const [sums, signature] = await Promise.all(
      ['SHA256SUMS', 'SHA256SUMS.sig'].map((name) => readFile(join(folder, name))),
    );
    assert.ok(verify(null, sums as Buffer, createPublicKey(key), signature as Buffer));
    assert.equal(
      verify(null, Buffer.concat([sums as Buffer, Buffer.from('x')]), createPublicKey(key), signature as Buffer),
      false,
    );
  });

  it('matches its manifest: rows, compressed size and licence of each file', async () => {
    assert.deepEqual(
      manifest.datasets.map(({ name }) => name),
      NAMES,
    );
    const inFile = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8'));
    assert.deepEqual(inFile.datasets, manifest.datasets);
    const terms = await readFile(join(folder, 'LICENSE.txt'), 'utf8');
    for (const { name, rows: count, file, bytes, license } of manifest.datasets) {
      assert.equal(rows[name as Name].length, count, name);
      assert.equal((await readFile(join(folder, file))).length, bytes);
      assert.ok(terms.includes(`${license.id}, `) && terms.includes(license.terms), name);
    }
    assert.match(terms, /public domain of the United/);
    assert.match(await readFile(join(folder, 'README.txt'), 'utf8'), /sha256sum -c SHA256SUMS/);
  });

  it('has only rows that match the JSON Schema of their dataset', async () => {
    const ajv = new Ajv2020({ strict: false });
    addFormats.default(ajv);
    for (const name of NAMES) {
      const schema = JSON.parse(await readFile(join(folder, `${name}.schema.json`), 'utf8'));
      assert.equal(schema.$id, `urn:supplement-evidence-base:dataset:${name}:1`);
      assert.equal(schema.$schema, 'https://json-schema.org/draft/2020-12/schema');
      const validate = ajv.compile(schema);
      for (const row of rows[name])
        assert.ok(
          validate(row),
          `${name}: ${JSON.stringify(validate.errors?.slice(0, 2))} ${JSON.stringify(row).slice(0, 200)}`,
        );
      assert.ok(!validate({}), `${name}: an empty row is none`);
    }
  });

  it('contains every source that is not removed, ordered by ID, with retractions marked', async () => {
    const ids = await idsIn('select source_id as id from evidence_source where removed_at is null order by source_id');
    assert.ok(ids.length > 500);
    assert.deepEqual(keysOf('sources'), ids);
    const retracted = rows.sources.find((row) => row.source_id === 'pmid-22909270');
    assert.equal(retracted?.retraction_status, 'retracted');
  });

  it('contains every product, supplement, condition, grade, pair and rule once and in order', async () => {
    const products = await idsIn('select dsld_id as id from product where removed_at is null order by dsld_id');
    assert.ok(products.length > 5_000);
    assert.deepEqual(keysOf('products'), products);
    assert.deepEqual(keysOf('supplements'), await idsIn('select slug as id from supplement order by slug collate "C"'));
    assert.deepEqual(keysOf('conditions'), await idsIn('select slug as id from condition order by slug collate "C"'));
    assert.deepEqual(
      keysOf('grades'),
      await idsIn('select vertical as id from outcome_grade order by vertical collate "C"'),
    );
    const pairs = (await get('/api/interactions')) as { slug: string }[];
    assert.deepEqual(
      rows.interactions,
      pairs.toSorted((a, b) => (a.slug < b.slug ? -1 : 1)),
    );
    assert.equal(new Set(keysOf('interaction-rules')).size, rows['interaction-rules'].length);
    assert.deepEqual(
      keysOf('interaction-rules'),
      await idsIn(`select id from interaction_entry where kind = 'rule' order by id collate "C"`),
    );
  });

  it('has rows that equal the API responses', async () => {
    for (const row of sampleOf('sources')) {
      const { passages: _, ...source } = await get(`/v1/evidence/${row.source_id}`);
      assert.deepEqual(row, source);
    }
    for (const row of sampleOf('supplements')) assert.deepEqual(row, await get(`/api/supplements/${row.slug}`));
    for (const row of sampleOf('conditions')) assert.deepEqual(row, await get(`/api/conditions/${row.slug}`));
    for (const row of sampleOf('grades')) {
      const { history: _, ...grade } = await get(`/api/outcomes/${row.vertical}`);
      assert.deepEqual(row, grade);
    }
    for (const row of sampleOf('products')) {
      const card = await get(`/api/products/${row.dsld_id}`);
      const shown = Object.fromEntries(Object.keys(row).map((name) => [name, card[name]]));
      assert.deepEqual(row, shown);
    }
  });

  it("has rules that equal the checker's responses", async () => {
    const rules = rows['interaction-rules'] as unknown as {
      slug: string;
      about: { slug: string };
      with: { kind: string; name: string };
    }[];
    const wanted = ['ginkgo', 'st-johns-wort', 'vitamin-k', 'red-yeast-rice', 'kava'];
    const looked = rules.filter(({ about, with: other }) => wanted.includes(about.slug) && other.kind === 'class');
    assert.ok(looked.length > 5);
    for (const { about, with: other, ...rule } of looked) {
      const query = new URLSearchParams({ supplement: about.slug, drug: other.name });
      const { also = [], ...answer } = await get(`/api/interactions/check?${query}`);
      const same = [answer, ...also].find(({ slug }: { slug: string }) => slug === rule.slug);
      assert.ok(same, `${about.slug} with ${other.name}`);
      assert.deepEqual(rule, Object.fromEntries(Object.keys(rule).map((name) => [name, same[name]])));
    }
  });

  it('escapes Unicode line separators, so that each row stays on one line', async () => {
    const text = gunzipSync(await readFile(join(folder, 'sources.jsonl.gz'))).toString();
    assert.ok(text.includes('\\u0085\\u2028\\u2029.'));
    assert.ok(!/[\u0085\u2028\u2029]/.test(text));
  });
});
