/** The pages of products in a browser: no sideways scroll at 320 px, and what axe finds. Left out where there is no Chromium. */
import { type Browser, chromium } from 'playwright-core';
import { assertFitsPhone, executablePath } from '../../support/browser.ts';
import { sql } from '../../support/database.ts';
import { type SharedService, sharedService } from '../../support/shared.ts';

describe('the pages of products in a browser', () => {
  let service: SharedService;
  let browser: Browser;
  before(async function () {
    this.timeout(60_000);
    if (!executablePath) this.skip();
    service = await sharedService();
    browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
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
    await assertFitsPhone(browser, service.url, paths);
  });
});
