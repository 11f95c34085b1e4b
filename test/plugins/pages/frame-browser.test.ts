/**
 * Tests the page frame in a browser: citation cards, and the menu on a phone. The tests are skipped where Chromium is
 * not installed.
 */
import assert from 'node:assert/strict';
import type { Browser, Page } from 'playwright-core';
import { useBrowser } from '../../support/browser.ts';
import type { SharedService } from '../../support/shared.ts';

describe('the page frame in a browser', () => {
  let service: SharedService;
  let browser: Browser;
  useBrowser((given) => {
    ({ service, browser } = given);
  });

  const open = async (path: string, width: number): Promise<Page> => {
    const page = await browser.newPage({ viewport: { width, height: 800 } });
    await page.goto(`${service.url}${path}`);
    return page;
  };
  const tabTo = async (page: Page, selector: string): Promise<void> => {
    for (let presses = 0; presses < 120; presses += 1) {
      await page.keyboard.press('Tab');
      if (await page.evaluate(`document.activeElement.matches(${JSON.stringify(selector)})`)) return;
    }
    assert.fail(`No Tab reaches ${selector}`);
  };
  const focused = (page: Page): Promise<string> => page.evaluate('document.activeElement.getAttribute("href") ?? ""');

  it('shows a card for the focused citation, whose links Tab reaches, and closes it with Escape', async () => {
    const page = await open('/supplements/magnesium', 1280);
    const card = page.locator('.ref-card');
    await page.locator('#findings').focus();
    await page.evaluate('document.querySelector("#findings").scrollIntoView()');
    await tabTo(page, 'a[href^="#ref-"]');
    const number = await focused(page);
    const reference = page.locator(number);
    assert.equal(await card.locator('.ref-title').innerText(), await reference.locator('.ref-title').innerText());
    assert.match(await card.innerText(), /(people|not stated|animals)/);
    assert.match(await card.innerText(), /Tier/);
    await page.keyboard.press('Tab');
    assert.match(await focused(page), /^https:\/\//);
    assert.equal(await card.count(), 1);
    await page.keyboard.press('Escape');
    assert.equal(await card.count(), 0);
    assert.equal(await focused(page), number);
    await page.close();
  }).timeout(180_000);

  it('shows the card on hover inside the viewport, and keeps it open while the pointer is on it', async () => {
    const page = await open('/supplements/magnesium', 390);
    const card = page.locator('.ref-card');
    await page.locator('a[href^="#ref-"]').first().hover();
    await card.waitFor();
    await card.hover();
    await page.waitForTimeout(400);
    assert.equal(await card.count(), 1);
    const box = await card.boundingBox();
    assert.ok(box && box.x >= 0 && box.x + box.width <= 390, JSON.stringify(box));
    await page.mouse.move(1, 1);
    await card.waitFor({ state: 'detached' });
    await page.close();
  }).timeout(180_000);

  it('wraps a long breadcrumb trail between steps, with the separator after a step', async () => {
    const page = await open('/evidence/magnesium-sleep', 390);
    await page.evaluate('document.querySelector(".crumbs ol").style.width = "9rem"');
    const steps = (await page.evaluate(`[...document.querySelectorAll('.crumbs li')].map((step) => [
      getComputedStyle(step, '::before').content,
      getComputedStyle(step, '::after').content,
      Math.round(step.getBoundingClientRect().height - step.firstElementChild.getBoundingClientRect().height),
    ])`)) as [string, string, number][];
    assert.ok(steps.length >= 3);
    for (const [at, step] of steps.entries())
      assert.deepEqual(step, ['none', at < steps.length - 1 ? '"/"' : 'none', 0], String(at));
    await page.close();
  }).timeout(180_000);

  it('opens the menu on a phone by keyboard without a layout shift, and closes it with Escape', async () => {
    const page = await open('/methodology', 390);
    const top = (): Promise<number> => page.evaluate('document.querySelector("h1").getBoundingClientRect().top');
    const before = await top();
    await page.locator('.menu-button').focus();
    await page.keyboard.press('Enter');
    const brands = page.locator('.mainnav a[href="/brands"]');
    assert.ok(await brands.isVisible());
    assert.equal(await top(), before);
    await page.keyboard.press('Escape');
    assert.ok(!(await brands.isVisible()));
    await page.close();
  }).timeout(180_000);
});
