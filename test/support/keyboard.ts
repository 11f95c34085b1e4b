/** Helpers for keyboard navigation: the focused element, its visibility and the next Tab stop. */
import { strict as assert } from 'node:assert';
import type { Page } from 'playwright-core';

interface InPage {
  readonly document: {
    readonly activeElement: {
      readonly id: string;
      readonly tagName: string;
      readonly textContent: string;
      matches(selector: string): boolean;
      checkVisibility(): boolean;
      getBoundingClientRect(): { readonly top: number };
    };
  };
  getComputedStyle(element: unknown): { readonly outlineStyle: string; readonly outlineWidth: string };
}

/** Returns the focused element and whether it is visible. */
export const focusOf = (page: Page) =>
  page.evaluate(() => {
    const { document, getComputedStyle } = globalThis as unknown as InPage;
    const element = document.activeElement;
    const { outlineStyle, outlineWidth } = getComputedStyle(element);
    const isSeen = element.checkVisibility() && outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2;
    return { id: element.id, tag: element.tagName, text: element.textContent.replace(/\s+/g, ' ').trim(), isSeen };
  });

/** Presses Tab until the target has focus and returns the stops on the way, each of which must be visible. */
export const tabTo = async (
  page: Page,
  isThere: (at: { id: string; tag: string; text: string }) => boolean,
): Promise<string[]> => {
  const stops: string[] = [];
  for (let at = 0; at < 60; at += 1) {
    await page.keyboard.press('Tab');
    const focus = await focusOf(page);
    const name = `${focus.tag}#${focus.id} ${focus.text.slice(0, 40)}`;
    assert.ok(focus.isSeen, `${name} has the focus, and nobody sees it`);
    stops.push(name);
    if (isThere(focus)) return stops;
  }
  assert.fail(`not reached: ${stops.join(' | ')}`);
};
