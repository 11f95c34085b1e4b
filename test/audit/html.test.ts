/** Checks the HTML of every kind of page: validity, metadata and size. */
import assert from 'node:assert/strict';
import { brotliCompressSync, constants } from 'node:zlib';
import { factsOf, type PageFacts } from '../../bench/audit/page-facts.ts';
import { allExamples, errorPages } from '../../bench/audit/page-kinds.ts';
import { htmlRules } from '../support/html-rules.ts';
import { type SharedService, sharedService } from '../support/shared.ts';

/** The HTML size limit in bytes. */
const HEAVY = 150_000;
/** Pages that may exceed the limit: the most studied supplements, and a condition with 38 findings. */
const MAY_BE_HEAVY = /^\/supplements\/(magnesium|probiotics|branched-chain-amino-acids)$|^\/conditions\/sarcopenia$/;
/** The number of title characters that search engines show. Titles of product and evidence pages cannot be shortened. */
const TITLE = 65;
const MAY_BE_LONG = /^\/(product|evidence)\//;
const STYLE_BYTES = 12_000;
const SCRIPT_BYTES = 15_000;

interface Read extends PageFacts {
  readonly path: string;
  readonly html: string;
}

/** Alternative addresses of a page, mapped to the canonical address; they need no title or description of their own. */
const SECOND_ADDRESSES = new Map([['/wearables/phone-health', '/wearables/apple-health']]);

describe('HTML of every kind of page', () => {
  let service: SharedService;
  let pages: readonly Read[];
  const get = async (path: string, status = 200): Promise<string> => {
    const reply = await fetch(`${service.url}${path}`);
    assert.equal(reply.status, status, path);
    return reply.text();
  };
  before(async function () {
    this.timeout(180_000);
    service = await sharedService();
    const read: Read[] = [];
    for (const { path, status } of [...allExamples.map((path) => ({ path, status: 200 })), ...errorPages]) {
      const html = await get(path, status);
      read.push({ ...factsOf(html), path, html });
    }
    pages = read;
  });

  /** Lists every fault of every page, prefixed with the path of the page. */
  const faults = (wrongWith: (page: Read) => readonly string[]): string[] =>
    pages.flatMap((page) => wrongWith(page).map((fault) => `${page.path}: ${fault}`));

  it('is valid', async () => {
    const found: string[] = [];
    for (const { path, html } of pages) {
      const { results } = await htmlRules.validateString(html, path);
      const messages = results.flatMap((result) => result.messages);
      found.push(...messages.map((one) => `${path}: ${one.ruleId}: ${one.message} at ${one.selector}`));
    }
    assert.deepEqual(found, []);
  }).timeout(180_000);

  it('declares its language, has one main element and one h1, and skips no heading level', () => {
    const found = faults(({ lang, mains, headings }) => {
      const skipped = headings.filter(({ level }, at) => level > (headings[at - 1]?.level ?? 0) + 1);
      return [
        ...(lang === 'en' ? [] : [`is in the language ${lang}`]),
        ...(mains === 1 ? [] : [`has ${mains} main parts`]),
        ...(headings.filter(({ level }) => level === 1).length === 1 ? [] : ['has not one first heading']),
        ...skipped.map(({ text }) => `skips a level before "${text}"`),
      ];
    });
    assert.deepEqual(found, []);
  });

  it('has an accessible name for every link and an alt attribute for every image', () => {
    const found = faults(({ links, picturesWithoutAlt }) => [
      ...links.filter(({ name }) => !name).map(({ href }) => `the link to ${href} has no name`),
      ...picturesWithoutAlt.map((src) => `the picture ${src} has no words`),
    ]);
    assert.deepEqual(found, []);
  });

  it('has a unique title and description, short enough for search engines to show in full', () => {
    const found = faults(({ path, title, description, noindex }) => [
      ...(title.length <= TITLE || noindex || MAY_BE_LONG.test(path) ? [] : [`title of ${title.length}: ${title}`]),
      ...((description.length >= 50 && description.length <= 170) || noindex
        ? []
        : [`description of ${description.length}: ${description}`]),
    ]);
    // A page with query parameters is the same page, and a noindex page needs no title or description of its own.
    const whole = pages.filter(
      ({ path, noindex }) => !noindex && !/\?|^\/v2\//.test(path) && !SECOND_ADDRESSES.has(path),
    );
    for (const key of ['title', 'description'] as const) {
      const groups = Object.values(Object.groupBy(whole, (page) => page[key])).filter((group = []) => group.length > 1);
      found.push(...groups.map((group = []) => `one ${key} for ${group.map(({ path }) => path).join(', ')}`));
    }
    assert.deepEqual(found, []);
  });

  it('declares its canonical URL without parameters, except on error pages, which have none', () => {
    const found = faults(({ path, canonical }) => {
      const isError = errorPages.some((error) => error.path === path);
      const expected = isError
        ? ''
        : `http://evidence.test${path
            .replace(/\?.*/, '')
            .replace(/^\/v2\/(mockup\/)?/, '/')
            .replace(/^.*$/, (whole) => SECOND_ADDRESSES.get(whole) ?? whole)}`;
      return canonical === expected ? [] : [`says ${canonical || 'nothing'}`];
    });
    assert.deepEqual(found, []);
  });

  it('stays below the size limits for HTML, style sheets and scripts', async () => {
    const sizes = new Map<string, number>();
    const packed = (text: string): number =>
      brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }).length;
    for (const asset of new Set(pages.flatMap(({ assets }) => assets))) sizes.set(asset, packed(await get(asset)));
    const sumOf = (assets: readonly string[], ending: string): number =>
      assets.filter((asset) => asset.endsWith(ending)).reduce((sum, asset) => sum + (sizes.get(asset) ?? 0), 0);
    const found = faults(({ path, html, assets }) => {
      const [style, script] = [sumOf(assets, '.css'), sumOf(assets, '.js')];
      return [
        ...(html.length <= HEAVY || MAY_BE_HEAVY.test(path) ? [] : [`${html.length} bytes of HTML`]),
        ...(style <= STYLE_BYTES ? [] : [`${style} bytes of style sheets`]),
        ...(script <= SCRIPT_BYTES ? [] : [`${script} bytes of scripts`]),
      ];
    });
    assert.deepEqual(found, []);
  });
});
