/** The pages of products in a browser: no sideways scroll at 320 px, and what axe finds. Left out where there is no Chromium. */
import { strict as assert } from 'node:assert';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { type Browser, chromium } from 'playwright-core';
import { sql } from '../../support/database.ts';
import { type SharedService, sharedService } from '../../support/shared.ts';

const executablePath = [process.env.CHROMIUM ?? '', '/usr/bin/chromium', '/usr/bin/google-chrome'].find(
  (path) => path && existsSync(path),
);

interface Found {
  readonly id: string;
  readonly nodes: readonly { readonly html: string }[];
}
interface Axe {
  readonly axe: { run(options: object): Promise<{ readonly violations: readonly Found[] }> };
}

describe('the pages of products in a browser', () => {
  let service: SharedService;
  let browser: Browser;
  let axe: string;
  before(async function () {
    this.timeout(60_000);
    if (!executablePath) this.skip();
    service = await sharedService();
    browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
    axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  });
  after(() => browser?.close());

  it('fit a phone of 320 px and pass axe, light and dark', async function () {
    this.timeout(120_000);
    const [full] = await sql(
      service,
      `select dsld_id from product where ingredients_extent = 'label' and removed_at is null order by jsonb_array_length(ingredients) desc limit 1`,
    );
    const [bare] = await sql(
      service,
      "select dsld_id from product where ingredients_extent = 'none' and removed_at is null limit 1",
    );
    const paths = [
      `/product/${full?.dsld_id}`,
      `/product/${bare?.dsld_id}`,
      '/supplements/magnesium/products',
      '/brands',
      '/brands/now',
      '/products?q=zinc',
    ];
    for (const colorScheme of ['light', 'dark'] as const) {
      const context = await browser.newContext({ viewport: { width: 320, height: 900 }, colorScheme, bypassCSP: true });
      const page = await context.newPage();
      for (const path of paths) {
        await page.goto(`${service.url}${path}`);
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
  });
});
