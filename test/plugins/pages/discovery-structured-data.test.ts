/**
 * Tests the JSON-LD of every kind of page on real responses, type-checked against schema.org's types by the compiler.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type SharedService, sharedService, startBeside } from '../../support/shared.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const BASE = 'http://evidence.test';

/** The paths of one page of each kind, with the types that its top-level objects must have. */
const KINDS: Readonly<Record<string, readonly string[]>> = {
  '/': ['WebSite', 'Dataset'],
  '/supplements': ['CollectionPage'],
  '/supplements/magnesium': ['MedicalWebPage', 'BreadcrumbList'],
  '/supplements/5-htp': ['MedicalWebPage', 'BreadcrumbList'],
  '/supplements/magnesium/best': ['BreadcrumbList'],
  '/supplements/magnesium/products': ['CollectionPage', 'BreadcrumbList'],
  '/conditions': ['CollectionPage'],
  '/conditions/insomnia': ['MedicalCondition', 'BreadcrumbList'],
  '/evidence/magnesium-sleep': ['MedicalWebPage', 'BreadcrumbList'],
  '/interactions': ['BreadcrumbList'],
  '/interactions/st-johns-wort-warfarin': ['MedicalWebPage', 'BreadcrumbList'],
  '/interactions/magnesium': ['MedicalWebPage', 'BreadcrumbList'],
  '/interactions/warfarin': ['MedicalWebPage', 'BreadcrumbList'],
  '/interactions/ssris': ['MedicalWebPage', 'BreadcrumbList'],
  '/articles': ['CollectionPage'],
  '/biomarkers': ['CollectionPage'],
  '/biomarkers/ferritin': ['MedicalTest', 'BreadcrumbList'],
  '/brands': ['CollectionPage', 'BreadcrumbList'],
  '/methodology': ['WebPage'],
  '/privacy': ['WebPage'],
  '/page/glossary': ['WebPage', 'BreadcrumbList'],
  '/changes': ['BreadcrumbList'],
};

interface Block {
  readonly path: string;
  readonly data: Record<string, unknown>;
}

const typeOf = ({ data }: Block): string => String([data['@type']].flat().at(-1));

/** Returns every object inside a value, the value itself first. */
const objectsIn = (value: unknown): Record<string, unknown>[] => {
  if (typeof value !== 'object' || value === null) return [];
  const inner = Object.values(value).flatMap(objectsIn);
  return Array.isArray(value) ? inner : [value as Record<string, unknown>, ...inner];
};

/** Limits the entries of each list, because they are alike and each costs compile time. */
const MOST = 6;

/** Removes `query-input`, an extension for search engines that schema.org does not define. */
const trimmed = (data: object): object =>
  JSON.parse(
    JSON.stringify(data, (name, value) =>
      name === 'query-input' ? undefined : Array.isArray(value) ? value.slice(0, MOST) : value,
    ),
  );

const program = (blocks: readonly Block[]): string => {
  const from = JSON.stringify(join(ROOT, 'node_modules/schema-dts/dist/schema.d.ts'));
  const literals = blocks.map((block, at) => {
    const data = { ...trimmed(block.data), '@type': typeOf(block) };
    return `// ${block.path}\nexport const block${at}: S.WithContext<S.${typeOf(block)}> = ${JSON.stringify(data, null, 1)};`;
  });
  const wrong = `{ '@context': 'https://schema.org', '@type': 'MedicalWebPage', citation: [{ '@type': 'ScholarlyArticle', tier: 'A' }] }`;
  return `import type * as S from ${from};\n${literals.join('\n')}\n// @ts-expect-error: no such property\nexport const wrong: S.WithContext<S.MedicalWebPage> = ${wrong};\n`;
};

/** Returns the compiler's output; "" when there are no errors. */
const compile = async (text: string): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'ekb-jsonld-'));
  try {
    await writeFile(join(folder, 'blocks.ts'), text);
    const options =
      '--noEmit --strict --skipLibCheck --target es2022 --module esnext --moduleResolution bundler --types';
    const args = [join(ROOT, 'node_modules/typescript/bin/tsc'), ...options.split(' '), '', 'blocks.ts'];
    return await new Promise((done) => {
      execFile(process.execPath, args, { cwd: folder }, (error, out, err) =>
        done(error ? out + err || String(error) : ''),
      );
    });
  } finally {
    await rm(folder, { recursive: true });
  }
};

const blocksIn = (path: string, html: string): Block[] =>
  [...html.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs)].map(([, json = '']) => ({
    path,
    data: JSON.parse(json),
  }));

describe('structured data', () => {
  let service: SharedService;
  let blocks: Block[];
  const paths = { ...KINDS } as Record<string, readonly string[]>;
  const textOf = async (path: string): Promise<string> => {
    const reply = await fetch(`${service.url}${path}`);
    assert.equal(reply.status, 200, path);
    return reply.text();
  };
  before(async function () {
    this.timeout(300_000);
    service = await sharedService();
    const first = (html: string, pattern: RegExp): string => pattern.exec(html)?.[1] ?? '';
    const article = first(await textOf('/articles'), /href="(\/articles\/[a-z0-9-]+)"/);
    const products = await textOf('/supplements/magnesium/products');
    paths[first(products, /href="(\/product\/\d+)"/)] = ['DietarySupplement', 'BreadcrumbList'];
    paths[first(products, /href="(\/brands\/[a-z0-9-]+)"/)] = ['Brand', 'CollectionPage', 'BreadcrumbList'];
    if (article) paths[article] = ['Article', 'BreadcrumbList'];
    blocks = (await Promise.all(Object.keys(paths).map(async (path) => blocksIn(path, await textOf(path))))).flat();
  });
  const of = (path: string): Block[] => blocks.filter((block) => block.path === path);

  it('exists on every kind of page, with the types of that kind', () => {
    for (const [path, types] of Object.entries(paths)) assert.deepEqual(of(path).map(typeOf), types, path);
  });

  it('matches the schema.org types, without unknown properties or invalid values', async function () {
    this.timeout(180_000);
    assert.equal(await compile(program(blocks)), '');
  });

  it('identifies pages by absolute URLs that exist', async () => {
    const keys = ['@id', 'url', 'item', 'mainEntityOfPage', 'contentUrl', 'measurementTechnique'];
    const addresses = blocks.flatMap(({ data }) =>
      objectsIn(data).flatMap((one) =>
        keys.flatMap((key) => (typeof one[key] === 'string' ? [one[key] as string] : [])),
      ),
    );
    for (const address of addresses) assert.ok(URL.canParse(address), address);
    const ours = [...new Set(addresses.filter((address) => address.startsWith(BASE)))].map((one) =>
      one.slice(BASE.length),
    );
    const lists = /^\/(supplements|conditions|product|brands)\//;
    const some = [...ours.filter((path) => !lists.test(path)), ...ours.filter((path) => lists.test(path)).slice(0, 25)];
    // llms.txt and llms-full.txt require the published site, which does not exist in this test.
    for (const path of some.filter((one) => !one.startsWith('/llms'))) await textOf(path.split('#')[0] || '/');
  });

  it('cites each source by title and identifiers, and contains no ratings', () => {
    const all = blocks.flatMap(({ data }) => objectsIn(data));
    const articles = all.filter((one) => one['@type'] === 'ScholarlyArticle');
    assert.ok(articles.length > 20);
    for (const { name, identifier } of articles) {
      assert.ok(typeof name === 'string' && name.length > 5);
      const ids = identifier as { propertyID: string; value: string }[];
      assert.ok(ids.some(({ propertyID, value }) => /^(PMID|DOI|Trial|NCT)/i.test(propertyID) && value));
    }
    assert.ok(!all.some((one) => 'aggregateRating' in one || 'reviewRating' in one));
  });

  it('states a review only when the operator names the reviewer', async () => {
    const stated = (list: readonly Block[]) =>
      list.flatMap(({ data }) => objectsIn(data)).filter((one) => 'lastReviewed' in one || 'reviewedBy' in one);
    assert.deepEqual(stated(blocks), []);
    const beside = await startBeside(service, { settings: { REVIEWER_NAME: 'Dr A. Example' } });
    try {
      for (const path of ['/supplements/magnesium', '/conditions/insomnia', '/interactions/st-johns-wort-warfarin']) {
        const [one] = stated(blocksIn(path, await (await fetch(`${beside.url}${path}`)).text()));
        assert.deepEqual(one?.reviewedBy, { '@type': 'Person', name: 'Dr A. Example' }, path);
        assert.match(String(one?.lastReviewed), /^\d{4}-\d{2}-\d{2}$/);
      }
    } finally {
      await beside.stop();
    }
  });

  it('contains doses as numbers, and dates in ISO format', () => {
    const all = blocks.flatMap(({ data }) => objectsIn(data));
    for (const { doseValue } of all.filter((one) => 'doseValue' in one)) assert.equal(typeof doseValue, 'number');
    for (const { dateModified } of all.filter((one) => 'dateModified' in one))
      assert.match(String(dateModified), /^\d{4}-\d{2}-\d{2}(T[\d:.]+Z)?$/);
  });
});
