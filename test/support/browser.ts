/**
 * Checks that every page must pass in a real browser. Tests skip them where Chromium is not installed, and in a run on a
 * database server: pages are the same on every database, and the run on the embedded database checks them.
 */
import { strict as assert } from 'node:assert';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { type SharedService, sharedService } from './shared.ts';

/** The headless shell is preferred, because it gives the same results with a third less work. */
const here = [
  process.env.CHROMIUM ?? '',
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/google-chrome',
].find((path) => path && existsSync(path));

/** The path of the browser; undefined where browser checks are skipped. */
export const executablePath = process.env.TEST_DATABASE_URL ? undefined : here;

/** Launches a browser that connects only to the service; call it only if `executablePath` is defined. */
export const launchBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking', '--disable-sync'],
  });

/** Provides a suite with a browser and the shared service, or skips the suite where there is no browser. */
export const useBrowser = (give: (given: { service: SharedService; browser: Browser }) => void): void => {
  let browser: Browser | undefined;
  before(async function () {
    this.timeout(180_000);
    if (!executablePath) this.skip();
    const service = await sharedService();
    browser = await launchBrowser();
    give({ service, browser });
  });
  after(() => browser?.close());
};

/** A viewport and colour scheme. */
export interface Look {
  readonly width: number;
  readonly height: number;
  readonly colorScheme: 'light' | 'dark';
}

export const NARROW: Look = { width: 320, height: 900, colorScheme: 'light' };
export const PHONE: Look = { width: 390, height: 844, colorScheme: 'light' };
export const WIDE: Look = { width: 1280, height: 900, colorScheme: 'dark' };

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

interface Found {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}
interface Focus {
  readonly id: string;
  readonly href: string | null;
  readonly seen: boolean;
}
/** The globals that axe-core and in-page.js add to a page. */
interface InPage {
  readonly axe: {
    configure(change: object): void;
    run(options: object): Promise<{ readonly violations: readonly Found[] }>;
  };
  readonly audit: {
    measure(): Promise<{ moved: string[]; tooWide: number; widest: string }>;
    focus(): Focus;
    leaveOutRepeats(): void;
    markNewPlaces(known: readonly number[]): number[];
  };
}

const readScripts = async (): Promise<string> => {
  const files = [
    createRequire(import.meta.url).resolve('axe-core/axe.min.js'),
    join(import.meta.dirname, 'in-page.js'),
  ];
  return (await Promise.all(files.map((file) => readFile(file, 'utf8')))).join('\n');
};
let scripts: Promise<string> | null = null;

/** Returns whether scripts continue to change the page after the `load` event. */
const isScripted = (path: string): boolean => /^\/(graph|chat)\b/.test(path);

/** Digests of style contexts with verified colours, for each look: the same context has the same colours on every page. */
const goodPlaces = new Map<Look, Set<number>>();

/** Runs axe. This must be the last check, because it modifies the page. */
const axeFindings = async (page: Page, look: Look): Promise<string[]> => {
  const known = goodPlaces.get(look) ?? new Set();
  goodPlaces.set(look, known);
  const added = await page.evaluate(
    (seen) => {
      const { audit, axe } = globalThis as unknown as InPage;
      audit.leaveOutRepeats();
      axe.configure({ rules: [{ id: 'color-contrast', selector: '[data-new-place]' }] });
      return audit.markNewPlaces(seen);
    },
    [...known],
  );
  const { violations } = await page.evaluate(
    (runOnly) => (globalThis as unknown as InPage).axe.run({ runOnly, resultTypes: ['violations'], preload: false }),
    TAGS,
  );
  // Contexts with a fault are not stored as verified, so that every affected page is reported.
  if (!violations.some(({ id }) => id === 'color-contrast')) for (const place of added) known.add(place);
  return violations.flatMap(({ id, nodes }) =>
    nodes
      .slice(0, 2)
      .map(({ html, failureSummary }) =>
        `axe ${id}: ${html} ${failureSummary}`.replace(/ data-new-place=""/g, '').replace(/\s+/g, ' '),
      ),
  );
};

const layoutFindings = async (page: Page): Promise<string[]> => {
  scripts ??= readScripts();
  await page.evaluate(await scripts);
  const { moved, tooWide, widest } = await page.evaluate(() => (globalThis as unknown as InPage).audit.measure());
  return [...moved.map((what) => `moves by ${what}`), ...(tooWide > 0 ? [`${tooWide} px too wide: ${widest}`] : [])];
};

const focusIn = (page: Page): Promise<Focus> => page.evaluate(() => (globalThis as unknown as InPage).audit.focus());

/** Checks that the first Tab stop is the skip link, that it is visible and that it leads to the content. */
const skipLinkFindings = async (page: Page): Promise<string[]> => {
  await page.keyboard.press('Tab');
  const link = await focusIn(page);
  if (link.href !== '#content' || !link.seen) return [`skip link: the first stop is ${JSON.stringify(link)}`];
  await page.keyboard.press('Enter');
  const { id } = await focusIn(page);
  return id === 'content' ? [] : [`skip link: leads to ${id || 'nothing'}`];
};

/** Repeats the check if elements moved, because a busy machine may paint a page before it has loaded completely. */
const steadyFindings = async (page: Page): Promise<string[]> => {
  const first = await layoutFindings(page);
  if (!first.some((finding) => finding.startsWith('moves'))) return first;
  await page.reload({ waitUntil: 'networkidle' });
  return layoutFindings(page);
};

/** Describes every problem of a page; empty if there is none. */
const findingsOf = async (page: Page, url: string, { status = 200, look }: Visit): Promise<string[]> => {
  const problems: string[] = [];
  page.removeAllListeners('console').removeAllListeners('pageerror');
  page.on('console', (message) => {
    // The browser logs an error for the error page itself.
    if (message.type() === 'error' && message.location().url !== url) problems.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => problems.push(`script: ${error.message}`));
  const reply = await page.goto(url, { waitUntil: isScripted(new URL(url).pathname) ? 'networkidle' : 'load' });
  if (reply?.status() !== status) return [`answers ${reply?.status()}, not ${status}`];
  problems.push(...(await steadyFindings(page)), ...(await skipLinkFindings(page)), ...(await axeFindings(page, look)));
  return problems;
};

export interface Visited {
  readonly path: string;
  /** The expected status; 200 by default. */
  readonly status?: number;
}
interface Visit extends Visited {
  readonly look: Look;
}

/** The number of concurrent visits, which suits a typical machine. */
const SIDE_BY_SIDE = 3;

export interface Cookie {
  readonly name: string;
  readonly value: string;
}

interface Walk {
  readonly base: string;
  /** The cookies that the browser sends. */
  readonly cookies: readonly Cookie[];
  readonly visits: Visit[];
}

/** Takes visits from the list until it is empty, with one tab for each look. */
const walk = async (browser: Browser, { base, cookies, visits }: Walk): Promise<string[]> => {
  const tabs = new Map<Look, Page>();
  const tabFor = async (look: Look): Promise<Page> => {
    const { colorScheme, ...viewport } = look;
    const tab = tabs.get(look) ?? (await browser.newPage({ viewport, colorScheme }));
    if (!tabs.has(look)) await tab.context().addCookies(cookies.map((cookie) => ({ ...cookie, url: base })));
    tabs.set(look, tab);
    return tab;
  };
  const findings: string[] = [];
  for (let visit = visits.shift(); visit; visit = visits.shift()) {
    const { path, look } = visit;
    const found = await findingsOf(await tabFor(look), `${base}${path}`, visit);
    findings.push(...found.map((finding) => `${path} at ${look.width} ${look.colorScheme}: ${finding}`));
  }
  for (const tab of tabs.values()) await tab.context().close();
  return findings;
};

/**
 * Asserts that pages have no horizontal scrolling, layout shift, script error or Content-Security-Policy violation, that
 * the skip link works, and that axe finds no violation of WCAG 2.2 AA or its best practices.
 */
export const assertGoodPages = async (
  browser: Browser,
  base: string,
  {
    pages,
    looks = [NARROW, WIDE],
    cookies = [],
  }: { readonly pages: readonly Visited[]; readonly looks?: readonly Look[]; readonly cookies?: readonly Cookie[] },
): Promise<void> => {
  const visits = pages.flatMap((page) => looks.map((look) => ({ ...page, look })));
  const found = await Promise.all(Array.from({ length: SIDE_BY_SIDE }, () => walk(browser, { base, cookies, visits })));
  assert.deepEqual(found.flat().sort(), []);
};
