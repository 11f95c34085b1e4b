/**
 * Pages in a real browser: what every page must pass. Tests leave it out where there is no Chromium, and in a run on a
 * database server: pages are the same on every database, and are looked at in the run on the embedded one.
 */
import { strict as assert } from 'node:assert';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Browser } from 'playwright-core';

const here = [process.env.CHROMIUM ?? '', '/usr/bin/chromium', '/usr/bin/google-chrome'].find(
  (path) => path && existsSync(path),
);

/** Undefined where nothing is to be looked at. */
export const executablePath = process.env.TEST_DATABASE_URL ? undefined : here;

interface Found {
  readonly id: string;
  readonly nodes: readonly { readonly html: string }[];
}
interface Axe {
  readonly axe: { run(options: object): Promise<{ readonly violations: readonly Found[] }> };
}

/** No sideways scroll at 320 px, and nothing that axe finds for WCAG 2.2 AA, in light and dark. */
export const assertFitsPhone = async (browser: Browser, url: string, paths: readonly string[]): Promise<void> => {
  const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  for (const colorScheme of ['light', 'dark'] as const) {
    const context = await browser.newContext({ viewport: { width: 320, height: 900 }, colorScheme, bypassCSP: true });
    const page = await context.newPage();
    for (const path of paths) {
      await page.goto(`${url}${path}`, { waitUntil: 'networkidle' });
      await page.evaluate(axe);
      const tooWide = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
      const { violations } = await page.evaluate(() =>
        (globalThis as unknown as Axe).axe.run({ runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'] }),
      );
      assert.equal(tooWide, 0, path);
      assert.deepEqual(
        violations.map(({ id, nodes }) => `${path} ${id}: ${nodes[0]?.html}`),
        [],
      );
    }
    await context.close();
  }
};
