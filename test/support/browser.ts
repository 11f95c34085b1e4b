/**
 * Pages in a real browser: what every page must pass. Tests leave it out where there is no Chromium, and in a run on a
 * database server: pages are the same on every database, and are looked at in the run on the embedded one.
 */
import { strict as assert } from 'node:assert';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { type SharedService, sharedService } from './shared.ts';

/** The shell without a window does the same with a third less work. */
const here = [
  process.env.CHROMIUM ?? '',
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/google-chrome',
].find((path) => path && existsSync(path));

/** Undefined where nothing is to be looked at. */
export const executablePath = process.env.TEST_DATABASE_URL ? undefined : here;

/** A browser that asks nobody but the service; call it only where there is one. */
export const launchBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking', '--disable-sync'],
  });

/** A browser and the shared service for a suite, which is left out where nothing is to be looked at. */
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

/** How a reader may look at a page. */
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
/** What axe-core and in-page.js put into a page. */
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

/** Pages that go on by script behind `load`. */
const isScripted = (path: string): boolean => /^\/(graph|chat)\b/.test(path);

/** Places of elements whose colours are known to be good, for each look: a place looks the same on every page. */
const goodPlaces = new Map<Look, Set<number>>();

/** Last of all that is looked at: the page is not whole any more afterwards. */
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
  // A place with a fault stays unknown: each page that has it is named.
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

/** The first stop of the Tab key is the way past the navigation, it can be seen, and it leads to the content. */
const skipLinkFindings = async (page: Page): Promise<string[]> => {
  await page.keyboard.press('Tab');
  const link = await focusIn(page);
  if (link.href !== '#content' || !link.seen) return [`skip link: the first stop is ${JSON.stringify(link)}`];
  await page.keyboard.press('Enter');
  const { id } = await focusIn(page);
  return id === 'content' ? [] : [`skip link: leads to ${id || 'nothing'}`];
};

/** A busy machine may paint a page before all of it is here: what moves, moves a second time. */
const steadyFindings = async (page: Page): Promise<string[]> => {
  const first = await layoutFindings(page);
  if (!first.some((finding) => finding.startsWith('moves'))) return first;
  await page.reload({ waitUntil: 'networkidle' });
  return layoutFindings(page);
};

/** Everything that is wrong with a page, in words; empty when nothing is. */
const findingsOf = async (page: Page, url: string, { status = 200, look }: Visit): Promise<string[]> => {
  const problems: string[] = [];
  page.removeAllListeners('console').removeAllListeners('pageerror');
  page.on('console', (message) => {
    // An error page is itself such an error to the browser.
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
  /** 200 unless said otherwise. */
  readonly status?: number;
}
interface Visit extends Visited {
  readonly look: Look;
}

/** As many at a time as the usual machine has use for. */
const SIDE_BY_SIDE = 3;

export interface Cookie {
  readonly name: string;
  readonly value: string;
}

interface Walk {
  readonly base: string;
  /** What the browser brings along. */
  readonly cookies: readonly Cookie[];
  readonly visits: Visit[];
}

/** Takes visits from the list until there is none; one tab for each look. */
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
 * No sideways scroll, nothing that moves, no error of a script or of the security policy, a skip link that works, and
 * nothing that axe finds for WCAG 2.2 AA and its best practices.
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
