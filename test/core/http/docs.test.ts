/** Tests the API viewer at /docs in a browser that enforces the same policy as on all other pages. */
import { strict as assert } from 'node:assert';
import type { Browser } from 'playwright-core';
import { useBrowser } from '../../support/browser.ts';
import { api } from '../../support/client.ts';
import { type SharedService, sharedService } from '../../support/shared.ts';

describe('Content-Security-Policy of /docs', () => {
  it('allows no inline style and no inline script', async () => {
    const reply = await api(await sharedService())
      .get('/docs')
      .expect(200);
    const policy = reply.get('Content-Security-Policy') ?? '';
    assert.match(policy, /^default-src 'none'; style-src 'self'; script-src 'self';/);
    assert.doesNotMatch(policy, /unsafe/);
  });
});

describe('API viewer at /docs', () => {
  let given: { service: SharedService; browser: Browser };
  useBrowser((parts) => {
    given = parts;
  });

  it('shows the API description and sends a trial request without violating the policy', async () => {
    const { service, browser } = given;
    const page = await browser.newPage();
    const refused: string[] = [];
    page.on('console', (message) => {
      // The viewer sends its requests to BASE_URL, which is not an address of this machine in a test.
      if (/(style|script|font|img|default)-src|inline/i.test(message.text())) refused.push(message.text());
    });
    await page.goto(`${service.url}/docs#/Service/health`);
    const operation = page.locator('.opblock', { hasText: '/api/health' }).first();
    await operation.waitFor();
    if (!(await operation.locator('.try-out__btn').count()))
      await operation.locator('.opblock-summary-control').click();
    await operation.locator('.try-out__btn').click();
    await operation.locator('.execute').click();
    await operation.locator('.live-responses-table .response').waitFor();
    await page.locator('.authorize').first().click();
    await page.locator('.modal-ux').waitFor();
    await page.close();
    assert.deepEqual(refused, []);
  });
});
