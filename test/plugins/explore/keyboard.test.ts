/**
 * Tests the search, the graph and the checker by keyboard alone. The tests are skipped where Chromium is not installed.
 */
import { strict as assert } from 'node:assert';
import type { Browser, Page } from 'playwright-core';
import { executablePath, launchBrowser } from '../../support/browser.ts';
import { focusOf, tabTo } from '../../support/keyboard.ts';
import { type SharedService, sharedService } from '../../support/shared.ts';

describe('keyboard navigation', () => {
  let service: SharedService;
  let browser: Browser;
  let page: Page;
  const problems: string[] = [];
  before(async function () {
    this.timeout(180_000);
    if (!executablePath) this.skip();
    service = await sharedService();
    browser = await launchBrowser();
    page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    page.on('console', (message) => {
      if (message.type() === 'error') problems.push(message.text());
    });
    page.on('pageerror', (error) => problems.push(error.message));
  });
  after(() => browser?.close());
  afterEach(() => assert.deepEqual(problems.splice(0), []));

  it('selects a search suggestion, submits the search and reaches the result types', async () => {
    await page.goto(`${service.url}/search`);
    const stops = await tabTo(page, ({ id }) => id === 'q');
    assert.match(stops[0] ?? '', /Skip to the content/);
    await page.keyboard.type('turm', { delay: 20 });
    const box = page.locator('#q');
    await page.locator('.suggestion').first().waitFor();
    assert.equal(await box.getAttribute('aria-expanded'), 'true');
    await page.keyboard.press('ArrowDown');
    const active = await box.getAttribute('aria-activedescendant');
    assert.equal(await page.locator(`#${active}`).getAttribute('aria-selected'), 'true');
    assert.match((await page.locator(`#${active}`).textContent()) ?? '', /^Curcumin.*also turmeric/);
    await page.keyboard.press('ArrowUp');
    assert.equal(await box.getAttribute('aria-activedescendant'), null);
    await page.keyboard.press('Escape');
    assert.equal(await page.locator('.suggestions:visible').count(), 0);
    assert.equal(await box.inputValue(), 'turm');
    await page.keyboard.type('eric');
    await page.locator('.suggestion').first().waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/search\?q=turmeric/);
    await tabTo(page, ({ text }) => /^Interactions \d/.test(text));
    await page.keyboard.press('Enter');
    await page.waitForURL(/type_filter=interaction/);
    await tabTo(page, ({ text }) => /^Curcumin and /.test(text));
  }).timeout(180_000);

  it('opens the page of a chosen suggestion without a layout shift', async () => {
    await page.goto(`${service.url}/disclaimer`);
    const height = await page.evaluate('document.documentElement.scrollHeight');
    await page.locator('#site-q').focus();
    await page.keyboard.type('zinc', { delay: 20 });
    await page.locator('.suggestion', { hasText: 'Zinc' }).first().waitFor();
    assert.equal(await page.evaluate('document.documentElement.scrollHeight'), height);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/supplements\/zinc$/);
  }).timeout(180_000);

  it('reaches every control of the graph, the drawing and the table without a focus trap', async () => {
    await page.goto(`${service.url}/graph?around=supplement:magnesium`);
    await page.locator('#graph-canvas canvas').first().waitFor();
    const stops = await tabTo(page, ({ id }) => id === 'graph-canvas');
    for (const id of ['graph-q', 'graph-type', 'graph-severity', 'graph-tier'])
      assert.ok(
        stops.some((stop) => stop.includes(`#${id} `)),
        `${id} is not on the way`,
      );
    await page.keyboard.press('ArrowDown');
    assert.match((await page.locator('#graph-status').textContent()) ?? '', /1 of \d+/);
    await tabTo(page, ({ id }) => id === 'graph-open');
    await tabTo(page, ({ tag, text }) => tag === 'A' && /ties of /.test(text));
    await page.keyboard.press('Shift+Tab');
    assert.ok((await focusOf(page)).isSeen);
  }).timeout(180_000);

  it('fills both fields of the checker from suggestions without submitting the form', async () => {
    await page.goto(`${service.url}/interactions`);
    await tabTo(page, ({ id }) => id === 'check-supplement');
    const choose = async (typed: string, name: string): Promise<void> => {
      await page.keyboard.type(typed, { delay: 20 });
      await page.locator('.suggestion:visible', { hasText: name }).first().waitFor();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      assert.equal(await page.locator('.suggestions:visible').count(), 0);
    };
    const kinds = page.locator('.suggestion-kind');
    await choose('turm', 'Curcumin');
    assert.equal(await page.locator('#check-supplement').inputValue(), 'Curcumin');
    assert.ok(
      (await kinds.allTextContents()).every((kind) =>
        /^(supplement|food|additive|\w+ (supplement|substance))/.test(kind),
      ),
    );
    assert.match(page.url(), /\/interactions$/);
    await tabTo(page, ({ id }) => id === 'check-drug');
    await choose('coumad', 'Coumadin');
    await page.keyboard.press('Enter');
    await page.waitForURL(/supplement=Curcumin&drug=Coumadin/);
    assert.match((await page.locator('main').textContent()) ?? '', /Curcumin and warfarin/);
  }).timeout(180_000);

  it('fills in both names of the checker, submits it and reads the result', async () => {
    await page.goto(`${service.url}/interactions`);
    await tabTo(page, ({ id }) => id === 'check-supplement');
    await page.keyboard.type('ginkgo');
    await tabTo(page, ({ id }) => id === 'check-drug');
    await page.keyboard.type('coumadin');
    await page.keyboard.press('Enter');
    await page.waitForURL(/supplement=ginkgo&drug=coumadin/);
    assert.match((await page.locator('main').textContent()) ?? '', /Ginkgo.*warfarin.*Major/s);
    await tabTo(page, ({ text }) => /warfarin|sources|Why/i.test(text));
  }).timeout(180_000);
});
