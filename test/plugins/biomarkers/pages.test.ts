import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { ContentError } from '#core/errors.ts';
import { systemContext } from '#core/system-context.ts';
import { biomarkerContent } from '#plugins/biomarkers/content.ts';
import { biomarkersPlugin } from '#plugins/biomarkers/index.ts';
import { type SharedService, sharedService } from '../../support/shared.ts';
import { folder } from './shipped.ts';

const textOf = (html: string): string => html.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');

const FILE = `---
name: "Testium"
names: ["Testium"]
category: minerals
specimen: blood
kind: quantity
unit: "mmol/L"
digits: 1
plausible: {low: 0, high: 10}
ranges:
  - {low: 1, high: 2, sex: any, kind: interval, source: {name: A source, address: "https://example.org/"}}
sources:
  - {name: A source, address: "https://example.org/"}
updated_at: "2026-11-21"
---
A test. It is one.
`;

describe('biomarker pages', () => {
  let service: SharedService;
  before(async () => {
    service = await sharedService();
  });
  const get = async (path: string) => {
    const reply = await fetch(`${service.url}${path}`);
    const html = await reply.text();
    return { status: reply.status, html, text: textOf(html) };
  };
  const contextOf = () => systemContext(service.runtime, biomarkersPlugin, AbortSignal.timeout(10_000));

  it('list every biomarker, and filter by category', async () => {
    const { html } = await get('/biomarkers');
    for (const name of await readdir(folder)) assert.ok(html.includes(`href="/biomarkers/${name.slice(0, -3)}"`), name);
    const iron = await get('/biomarkers?category=iron');
    assert.ok(iron.html.includes('href="/biomarkers/ferritin"') && !iron.html.includes('href="/biomarkers/glucose"'));
    assert.match(iron.html, /<meta name="robots" content="noindex">/);
  });

  it('show a message for an unknown category', async () => {
    const { status, text } = await get('/biomarkers?category=constructor');
    assert.equal(status, 200);
    assert.match(text, /There is no such category/);
  });

  it('show each range with its population and its source', async () => {
    const { status, html, text } = await get('/biomarkers/ferritin');
    assert.equal(status, 200);
    assert.match(text, /Women, 19 to 40 years 16 to 154 Reference range Testing\.com: ferritin/);
    assert.ok(html.includes('href="https://www.testing.com/tests/ferritin/"'));
    assert.match(html, /<svg class="chart-svg"[^>]*role="img"/);
    assert.match(text, /The range that your laboratory prints comes first\./);
    assert.match(text, /LOINC is copyright © Regenstrief Institute/);
  });

  it('list factors that change the marker with certainty and population, and mark wider outcomes', async () => {
    const { text, html } = await get('/biomarkers/vitamin-b12');
    assert.match(text, /It is a laboratory value of Vitamin B12/);
    assert.match(text, /Medicines that lower a nutrient behind it .* Metformin Metformin can lower the uptake/);
    assert.ok(html.includes('href="/supplements/vitamin-b12"'));
    const ldl = await get('/biomarkers/ldl-cholesterol');
    assert.match(ldl.text, /This outcome is wider than LDL cholesterol/);
    assert.match(ldl.text, /No difference/);
    const urine = await get('/biomarkers/urine-ph');
    assert.match(urine.text, /No trial in our base measured this That is a gap\./);
  });

  it('show emergency advice before the table for critical limits, and say when no range is available', async () => {
    const { text } = await get('/biomarkers/potassium');
    assert.match(text, /Get medical help at once a report of it under 2\.5 or over 6 mmol\/L \( National Library of/);
    assert.match((await get('/biomarkers/lipase')).text, /We hold no sourced range/);
  });

  it('link statements about supplements and medicines to their sources', async () => {
    const { html, text } = await get('/biomarkers/potassium');
    assert.ok(text.includes('Major Potassium (kidney disease): Weak kidneys'));
    assert.ok(html.includes('<a href="/interactions/potassium#cautions">Potassium</a>'));
    assert.match(html, /<a href="\/interactions\/licorice#licorice-antihypertensives">/);
    assert.match(text, /What it says of the value itself is general knowledge in our own words/);
    assert.ok(!(await get('/biomarkers/urine-ph')).html.includes('id="care"'));
  });

  it('return 404 with near names for an unknown address', async () => {
    const { status, html } = await get('/biomarkers/gpt');
    assert.equal(status, 404);
    assert.ok(html.includes('href="/biomarkers/alt"'));
    assert.ok((await get('/biomarkers/feritin')).html.includes('href="/biomarkers/ferritin"'));
  });

  it('are listed with a stable version and the date of the last change', async () => {
    const page = biomarkersPlugin.pages?.find(({ id }) => id === 'biomarkers.biomarker');
    const listed = async () => {
      const found = new Map<string, { version: string; changedAt: string | null }>();
      for await (const { params, ...rest } of page?.list?.(contextOf() as never) ?? [])
        found.set(params.slug ?? '', rest);
      return found;
    };
    const [first, again] = [await listed(), await listed()];
    assert.deepEqual(first, again);
    assert.equal(first.size, (await readdir(folder)).length);
    assert.ok([...first.values()].every(({ changedAt }) => changedAt !== null && changedAt >= '2026-11-21'));
  });

  it('are rejected with line and field when the content file is invalid', async () => {
    const sync = (text: string, path = 'biomarkers/testium.md') =>
      service.runtime.db.write(async (em) => {
        await biomarkerContent.sync(contextOf() as never, [{ path, text, digest: 'x' }], [], em);
        throw new Error('rolled back');
      });
    const WRONG: readonly (readonly [string, string, number, RegExp])[] = [
      ['low: 1, high: 2', 'low: 3, high: 2', 11, /ranges\.0\.low: is not below high/],
      ['low: 1, high: 2', 'low: 1, high: 20', 11, /outside what is plausible/],
      ['unit: "mmol/L"', 'unit: "furlongs"', 7, /unit: "furlongs" is not UCUM/],
      [
        'digits: 1',
        'digits: 1\nunits: [{unit: "mg/dL"}]',
        9,
        /units\.0\.unit: UCUM cannot turn "mg\/dL" into "mmol\/L"/,
      ],
      ['digits: 1', 'digits: 1\nunits: [{unit: "mg/dL", factor: 2}]', 9, /units\.0\.factor: needs the source/],
      ['digits: 1', 'digits: 1\ntopics: [no-such]', 9, /topics\.0: there is no topic "no-such"/],
      ['category: minerals', 'category: others', 4, /category/],
      ['kind: quantity', 'kind: ordinal', 6, /kind: an ordinal needs its scale/],
      [
        'digits: 1',
        'digits: 1\ncritical: {low: 1.5, source: {name: A, address: "https://example.org/"}}',
        9,
        /lies inside a range/,
      ],
    ];
    for (const [from, to, line, words] of WRONG)
      await assert.rejects(sync(FILE.replace(from, to)), (error) => {
        assert.ok(error instanceof ContentError, String(error));
        assert.match(error.message, words);
        assert.match(error.message, new RegExp(`biomarkers/testium\\.md:${line}\\b`), error.message);
        return true;
      });
    await assert.rejects(
      sync(FILE.replace('digits: 1', 'digits: 1\nloinc: [{code: 2276-4, name: Ferritin}]')),
      /2276-4 stands in ferritin and testium/,
    );
    await assert.rejects(sync(FILE), /rolled back/);
  });
});
