import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { PHONE, useBrowser } from '../../support/browser.ts';
import { freePort } from '../../support/ports.ts';
import type { TestService } from '../../support/service.ts';
import { type SharedService, startBeside } from '../../support/shared.ts';
import { exportXml, record } from './support.ts';

const line = record('BodyMass', '70.5', { unit: 'kg' });
const XML = Buffer.from(exportXml(Array(6_000).fill(line).join('\n ')));
const PARTS = '**/wearables/phone-health/parts/*';

describe('upload page for a phone health export', function () {
  this.timeout(180_000);
  let browser: Browser;
  let service: SharedService;
  let beside: TestService;
  let folder: string;
  let visit: BrowserContext;
  let page: Page;
  let errors: string[];
  useBrowser((given) => {
    browser = given.browser;
    service = given.service;
  });
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'ekb-export-'));
    const port = await freePort();
    beside = await startBeside(service, { settings: { PORT: String(port), BASE_URL: `http://127.0.0.1:${port}` } });
  });
  after(async () => {
    await beside?.stop();
    if (folder) await rm(folder, { recursive: true });
  });
  beforeEach(async () => {
    const { colorScheme, ...viewport } = PHONE;
    visit = await browser.newContext({ viewport, colorScheme });
    page = await visit.newPage();
    errors = [];
    page.on('pageerror', ({ message }) => errors.push(message));
    page.on('console', (message) => {
      // The browser logs an error for a rejected request or one that a test blocks.
      if (message.type() === 'error' && !/^Failed to load resource/.test(message.text())) errors.push(message.text());
    });
    await page.goto(`${beside.url}/wearables/apple-health`);
  });
  afterEach(async () => {
    await visit?.close();
    assert.deepEqual(errors, []);
  });

  const send = async (buffer: Buffer, name = 'export.xml'): Promise<void> => {
    const path = join(folder, name);
    // The file is written only once, because its modification time is part of its identity.
    await writeFile(path, buffer, { flag: 'wx' }).catch(() => undefined);
    await page.setInputFiles('#export-file', path);
    await page.check('#export-consent');
    await page.click('[data-wearable-upload] button[type="submit"]');
  };
  const told = (words: RegExp) => page.locator('#export-status').filter({ hasText: words }).waitFor();
  const kept = () => page.evaluate('Object.keys(localStorage)');

  it('shows the error message of the server when a file is rejected', async () => {
    await send(Buffer.from('%PDF-1.7'.padEnd(200_000)), 'report.pdf');
    await told(/^Unsupported file type$/);
    assert.ok(await page.isEnabled('[data-wearable-upload] button[type="submit"]'));
    assert.ok(await page.isHidden('[data-cancel]'));
  });

  it('resumes after a reload with the same file', async () => {
    await page.route(PARTS, (route) => {
      const { 'upload-offset': offset } = route.request().headers();
      return Number(offset) > 0 ? route.abort() : route.continue();
    });
    await send(XML);
    await told(/^Paused/);
    await page.reload();
    await told(/^The upload of export\.xml did not end\. Choose the same file again/);
    await page.unroute(PARTS);
    const begun: string[] = [];
    page.on('request', (request) => begun.push(`${request.method()} ${request.headers()['upload-offset'] ?? ''}`));
    await send(XML);
    await page.waitForURL(/\/wearables\/success$/);
    assert.match(await page.innerText('main'), /Read: 6,000 records/);
    assert.ok(begun.includes('PATCH 65536') && !begun.some((one) => one.startsWith('POST')), begun.join(', '));
    assert.deepEqual(await kept(), []);
  });

  it('cancels and deletes the upload in the browser and on the server', async () => {
    await page.route(PARTS, (route) =>
      Number(route.request().headers()['upload-offset']) > 0 ? route.abort() : route.continue(),
    );
    await send(XML);
    await told(/^Paused/);
    const gone = page.waitForResponse((answer) => answer.request().method() === 'DELETE');
    await page.click('[data-cancel]');
    await told(/^Cancelled/);
    assert.equal((await gone).status(), 204);
    await page.waitForFunction('Object.keys(localStorage).length === 0');
  });

  it('submits the plain form when a resumable upload cannot be created', async () => {
    await page.route('**/wearables/phone-health/parts', (route) => route.fulfill({ status: 405, body: '' }));
    await send(XML);
    await page.waitForURL(/\/wearables\/success$/);
    assert.match(await page.innerText('main'), /Read: 6,000 records/);
  });

  it('submits the plain form when the library does not load', async () => {
    await page.route('**/tus.min.js', (route) => route.abort());
    await send(XML);
    await page.waitForURL(/\/wearables\/success$/);
  });
});
