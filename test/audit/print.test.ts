/** Checks printed pages. Skipped where Chromium is not installed. */
import assert from 'node:assert/strict';
import type { Browser } from 'playwright-core';
import { useBrowser } from '../support/browser.ts';
import type { SharedService } from '../support/shared.ts';

const PAGES = [
  '/supplements/magnesium',
  '/interactions/st-johns-wort-warfarin',
  '/conditions/insomnia',
  '/evidence/magnesium-sleep',
  '/articles/magnesium-for-sleep-and-cramps',
];

/** The longest page, a supplement with all its findings expanded, takes six sheets. */
const MOST_SHEETS = 7;

describe('printed pages', () => {
  let service: SharedService;
  let browser: Browser;
  useBrowser((given) => {
    ({ service, browser } = given);
  });

  /** Returns the printed text, including the generated content of ::before and ::after. */
  const printed = `[...document.querySelectorAll('body *')].map((element) => {
    if (!element.checkVisibility({ visibilityProperty: true })) return '';
    const added = ['::before', '::after'].map((part) => getComputedStyle(element, part).content.replace(/^(none|normal)$/, ''));
    const own = [...element.childNodes].filter((node) => node.nodeType === 3).map((node) => node.data).join(' ');
    return [own, ...added].join(' ');
  }).join(' ').replace(/\\s+/g, ' ')`;

  for (const path of PAGES)
    it(`omit the navigation and include their own URL and the URLs of cited sources: ${path}`, async () => {
      const page = await browser.newPage();
      await page.emulateMedia({ media: 'print' });
      await page.goto(`${service.url}${path}`);
      const text = String(await page.evaluate(printed));
      assert.doesNotMatch(text, /Skip to the content|Search everything/);
      assert.equal(await page.locator('.mainnav').isVisible(), false);
      assert.ok(text.includes(`Printed from http://evidence.test${path}`));
      assert.match(text, /<https:\/\/[a-z.]+\.(gov|org)\/\S+>/);
      assert.doesNotMatch(text, /\([a-z.]+\.(gov|org)\/\S+\)/, 'an address stands twice');
      const pages = (await page.pdf({ format: 'A4' })).toString('latin1').match(/\/Type \/Page\b/g)?.length ?? 0;
      assert.ok(pages > 0 && pages <= MOST_SHEETS, `${pages} sheets`);
      await page.close();
    });
});
