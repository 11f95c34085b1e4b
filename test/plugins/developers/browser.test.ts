/**
 * Tests the developer portal in a browser: creating a key, the playground, and removing keys from the URL. The tests
 * are skipped without Chromium.
 */
import assert from 'node:assert/strict';
import type { Browser, Page } from 'playwright-core';
import { assertGoodPages, useBrowser } from '../../support/browser.ts';
import { type IssuedKey, issueKey } from '../../support/client.ts';
import { sql } from '../../support/database.ts';
import type { TestService } from '../../support/service.ts';
import { type SharedService, startBeside } from '../../support/shared.ts';

describe('the developer portal in a browser', function () {
  this.timeout(300_000);
  let service: SharedService;
  let browser: Browser;
  /** A service whose own address is the public one, so that its forms are same-origin. */
  let here: TestService;
  let key: IssuedKey;
  useBrowser((given) => {
    service = given.service;
    browser = given.browser;
  });
  before(async function () {
    if (!browser) this.skip();
    const first = await startBeside(service, {});
    const { port } = new URL(first.url);
    await first.stop();
    here = await startBeside(service, { settings: { PORT: port, BASE_URL: `http://127.0.0.1:${port}` } });
    key = await issueKey(service, service.admin, { name: 'browser' });
  });
  after(() => here?.stop());

  const open = async (path: string, more = {}): Promise<Page> => {
    const page = await browser.newPage(more);
    await page.goto(`${here.url}${path}`);
    return page;
  };
  const textOf = async (page: Page, selector: string): Promise<string> => (await page.textContent(selector)) ?? '';

  it('creates a sandbox key in place, and inserts it into the example calls', async () => {
    const page = await open('/developers');
    await page.fill('#first-app', 'browser');
    await page.check('#first-terms');
    await page.click('form[data-sandbox] button[type=submit]');
    await page.waitForSelector('.made-key:not([hidden])');
    const made = await textOf(page, '.made-key code');
    assert.match(made, /^ekb_test_/);
    assert.ok((await textOf(page, 'body')).includes(`-H "Authorization: Bearer ${made}"`));
    assert.ok(!page.url().includes('ekb_'));
    await page.close();
  });

  it('creates a sandbox key without JavaScript', async () => {
    const page = await open('/developers/sandbox', { javaScriptEnabled: false });
    await page.fill('#sandbox-app', 'without script');
    await page.check('#sandbox-terms');
    await page.click('form[data-sandbox] button[type=submit]');
    assert.match(await textOf(page, 'main'), /Your sandbox key[\s\S]*ekb_test_/);
    await page.close();
  });

  it('removes a key from the URL at once, uses it for the call, and stores it nowhere', async () => {
    const page = await open(`/developers/playground?key=${key.key}&operation=evidence.search`);
    assert.equal(page.url(), `${here.url}/developers/playground?operation=evidence.search`);
    await page.fill('#p-q', "women's zinc");
    await page.click('#send-form button[type=submit]');
    await page.waitForSelector('#answer:not([hidden])');
    assert.match(await textOf(page, '#answer-status'), /^200/);
    assert.match(await textOf(page, '#answer-headers'), /ratelimit: "minute";r=\d+/);
    assert.equal(JSON.parse(await textOf(page, '#answer-body code')).query, "women's zinc");
    assert.ok(!(await page.content()).includes(key.key));
    assert.deepEqual(await page.evaluate('[localStorage.length, sessionStorage.length, document.cookie]'), [0, 0, '']);
    await page.close();
  });

  it('remembers the key for the next operation, and shows an error response', async () => {
    const page = await open('/developers/playground');
    await page.fill('#playground-key', 'ekb_live_wrong');
    await page.selectOption('#operation', 'interactions.check-stack');
    await page.click('.choose-operation button');
    await page.waitForSelector('#p-body');
    assert.equal(await page.inputValue('#playground-key'), 'ekb_live_wrong');
    await page.click('#send-form button[type=submit]');
    await page.waitForSelector('#answer:not([hidden])');
    assert.match(await textOf(page, '#answer-status'), /^401/);
    assert.match(await textOf(page, '#answer-body code'), /invalid_api_key/);
    await page.fill('#p-body', '{');
    await page.click('#send-form button[type=submit]');
    assert.equal(await textOf(page, '#send-form .form-problem'), 'The body is not valid JSON.');
    await page.close();
  });

  it('generates the same example calls as the server', async () => {
    for (const operation of [
      'evidence.search',
      'interactions.check-stack',
      'ask.stream',
      'products.list',
      'keys.create',
    ]) {
      const page = await open(`/developers/playground?operation=${operation}`);
      const codes = () => page.$$eval('.codes code', (list) => list.map((code) => code.textContent));
      const made = await codes();
      await page.dispatchEvent('#playground-key', 'input');
      assert.deepEqual(await codes(), made, operation);
      await page.close();
    }
  });

  it('passes every page audit with figures, without a key, and with an invalid key', async () => {
    await sql(
      service,
      `insert into key_usage select '${key.id}', (now() at time zone 'utc')::date - n, 'evidence.search', n * 7 + 1 from generate_series(1, 20) n`,
    );
    await assertGoodPages(browser, here.url, {
      pages: [
        { path: `/developers/dashboard?key=${key.key}` },
        { path: '/developers/dashboard' },
        { path: '/developers/dashboard?key=wrong', status: 401 },
      ],
    });
  });
});
