/** Tests the graph, also in a browser. The browser tests are skipped where Chromium is not installed. */
import { strict as assert } from 'node:assert';
import type { Browser, Page } from 'playwright-core';
import { useBrowser } from '../../support/browser.ts';
import { type SharedService, sharedService } from '../../support/shared.ts';

describe('/graph', () => {
  let service: SharedService;
  const get = async (path: string) => {
    const reply = await fetch(`${service.url}${path}`);
    return { status: reply.status, headers: reply.headers, html: await reply.text() };
  };
  before(async function () {
    this.timeout(180_000);
    service = await sharedService();
  });

  it('lists the most connected nodes without JavaScript, each with a link to its neighbours', async () => {
    const { status, html } = await get('/graph?live=1');
    assert.equal(status, 200);
    assert.match(html, /href="\/graph\?around=supplement%3Ast-johns-wort"/);
    assert.match(html, /No tie does not mean that a combination is safe/);
  });

  it('shows the neighbours of a node without JavaScript, and filters them by type', async () => {
    const { html } = await get('/graph?around=supplement:magnesium');
    assert.match(html, /<h1>What is tied to Magnesium<\/h1>/);
    assert.match(html, /sources on sleep/);
    const drugs = await get('/graph?around=supplement:magnesium&type=drug');
    assert.match(drugs.html, /href="\/interactions\/magnesium-alendronate"/);
    assert.doesNotMatch(drugs.html, /sources on sleep/);
    assert.equal(drugs.headers.get('x-robots-tag'), 'noindex');
  });

  it('shows an empty page past the end, and 404 with similar names for an unknown node', async () => {
    const past = await get('/graph?page=900');
    assert.equal(past.status, 200);
    assert.match(past.html, /Nothing is found/);
    const lost = await get('/graph?around=supplement:magnesum');
    assert.equal(lost.status, 404);
    assert.match(lost.html, /href="\/supplements\/magnesium"/);
  });
});

/** Sums the layout shifts without recent user input, as browsers report them. */
const WATCH_SHIFTS = `globalThis.shifted = 0;
  new PerformanceObserver((list) => {
    for (const { hadRecentInput, value } of list.getEntries()) if (!hadRecentInput) shifted += value;
  }).observe({ type: 'layout-shift', buffered: true });`;

describe('/graph in a browser', () => {
  let service: SharedService;
  let browser: Browser;
  useBrowser((given) => {
    ({ service, browser } = given);
  });

  const HEAVY = /cytoscape|graph-data|graph-drawing/;
  const open = async (width: number, problems: string[], heavy: string[] = []): Promise<Page> => {
    const page = await browser.newPage({ viewport: { width, height: 900 } });
    page.on('request', (request) => HEAVY.test(request.url()) && heavy.push(request.url()));
    page.on('console', (message) => {
      if (message.type() === 'error') problems.push(message.text());
    });
    page.on('pageerror', (error) => problems.push(error.message));
    return page;
  };

  it('draws without violating the content security policy, and works by keyboard alone', async () => {
    const problems: string[] = [];
    const page = await open(1280, problems);
    await page.goto(`${service.url}/graph?around=supplement:magnesium`);
    const status = page.locator('#graph-status');
    await page.locator('#graph-canvas canvas').first().waitFor();
    assert.match((await status.textContent()) ?? '', /^Magnesium, supplement: \d+ neighbours/);
    await page.locator('#graph-canvas').focus();
    await page.keyboard.press('ArrowDown');
    const first = (await status.textContent()) ?? '';
    assert.match(first, /1 of \d+\. Enter puts it in the middle/);
    await page.keyboard.press('Enter');
    await page.waitForFunction('location.search.includes("around=") && !location.search.includes("magnesium&")');
    const name = first.split(',')[0] ?? '';
    await page.locator('h1', { hasText: `What is tied to ${name}` }).waitFor();
    await page.locator('#graph-canvas').focus();
    await page.keyboard.press('Escape');
    await page.locator('h1', { hasText: 'What is tied to Magnesium' }).waitFor();
    await page.fill('#graph-q', 'warfarin');
    await page.keyboard.press('Enter');
    await page.locator('h1', { hasText: 'What is tied to Warfarin' }).waitFor();
    assert.deepEqual(problems, []);
    await page.close();
  }).timeout(180_000);

  it('loads the drawing on a phone only on request, and causes no layout shift', async () => {
    const [problems, heavy]: [string[], string[]] = [[], []];
    const page = await open(390, problems, heavy);
    await page.addInitScript(WATCH_SHIFTS);
    await page.goto(`${service.url}/graph?around=supplement:magnesium`, { waitUntil: 'networkidle' });
    assert.deepEqual(heavy, []);
    assert.equal(await page.locator('#graph-canvas').isVisible(), false);
    const ask = page.getByRole('button', { name: 'Draw the graph' });
    assert.match((await page.locator('#graph-weight').textContent()) ?? '', /^Loads about \d+ kB and draws Magnesium/);
    await ask.focus();
    await page.keyboard.press('Enter');
    await page.locator('#graph-canvas canvas').first().waitFor();
    assert.equal(await ask.isVisible(), false);
    assert.equal(await page.evaluate('document.activeElement.id'), 'graph-canvas');
    await page.keyboard.press('ArrowDown');
    assert.match((await page.locator('#graph-status').textContent()) ?? '', /1 of \d+/);
    // The label of the central node must not overlap any other node.
    const covered = await page.evaluate(`(() => {
      const { cy } = document.getElementById('graph-canvas')._cyreg;
      const label = cy.$('.middle').boundingBox({ includeNodes: false, includeEdges: false });
      const meets = (box) => box.x1 < label.x2 && box.x2 > label.x1 && box.y1 < label.y2 && box.y2 > label.y1;
      return cy.nodes('.left, .right').filter((node) => meets(node.boundingBox())).map((node) => node.data('label'));
    })()`);
    assert.deepEqual(covered, []);
    assert.equal(heavy.length, 3);
    assert.equal(await page.evaluate('globalThis.shifted'), 0);
    assert.deepEqual(problems, []);
    await page.close();
  }).timeout(180_000);

  it('waits for a request on a wide screen with save-data, and reports a failed download', async () => {
    const page = await open(1280, []);
    await page.addInitScript("Object.defineProperty(navigator, 'connection', { value: { saveData: true } })");
    await page.addInitScript(WATCH_SHIFTS);
    let isCut = true;
    await page.route('**/cytoscape.min.js', (route) => (isCut ? route.abort() : route.continue()));
    await page.goto(`${service.url}/graph`, { waitUntil: 'networkidle' });
    const ask = page.getByRole('button', { name: 'Draw the graph' });
    await ask.click();
    await page.locator('#graph-status', { hasText: 'could not be loaded' }).waitFor();
    isCut = false;
    await ask.click();
    await page.locator('#graph-canvas canvas').first().waitFor();
    assert.equal(await page.evaluate('globalThis.shifted'), 0);
    await page.close();
  }).timeout(180_000);
});
