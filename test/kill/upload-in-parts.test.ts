import assert from 'node:assert/strict';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exportXml, record } from '../plugins/wearables/support.ts';
import { create, offsetOf, uploader } from '../plugins/wearables/tus-client.ts';
import { executablePath, launchBrowser, PHONE } from '../support/browser.ts';
import { deviceOf } from '../support/device.ts';
import { freePort } from '../support/ports.ts';
import { type Running, startProgram } from '../support/program.ts';
import { discard, newPlace } from '../support/service.ts';
import { until } from '../support/until.ts';
import { environmentOf, type Place } from './support.ts';

/** The size of the export that the browser sends; `UPLOAD_MEGABYTES=60` gives a long manual run. */
const MEGABYTES = Number(process.env.UPLOAD_MEGABYTES ?? 3);
const MEGABYTE = 1_000_000;
/** The upload rate, at which the whole export takes about twelve seconds. */
const BYTES_A_SECOND = (MEGABYTES * MEGABYTE) / 12;

const serverOn = async (place: Place, port: number): Promise<Running> => {
  const running = startProgram(['serve'], {
    ...environmentOf(place),
    PORT: String(port),
    BASE_URL: `http://127.0.0.1:${port}`,
    STARTER_PRODUCTS: 'none',
    STARTER_EVIDENCE: 'none',
    GENERATE_PAGES: 'off',
  });
  await running.waitFor(/is at (http:\S+)/);
  return running;
};

const end = async ({ child, finished }: Running, signal: 'SIGKILL' | 'SIGTERM'): Promise<void> => {
  child.kill(signal);
  await finished;
};

const xmlOf = (bytes: number): Buffer => {
  const line = record('BodyMass', '70.5', { unit: 'kg' });
  return Buffer.from(
    exportXml(
      Array(Math.ceil(bytes / line.length))
        .fill(line)
        .join('\n '),
    ),
  );
};

describe('server killed during a resumable upload', () => {
  let place: Place;
  let port: number;
  before(async function () {
    this.timeout(300_000);
    place = await newPlace();
    port = await freePort();
  });
  after(() => discard(place));

  it('reports the received offset after a restart and continues from it', async function () {
    this.timeout(300_000);
    const xml = xmlOf(8 * MEGABYTE);
    const first = await serverOn(place, port);
    const url = `http://127.0.0.1:${port}`;
    const device = deviceOf({ url } as never);
    const path = await create(device, xml.length, 'export.xml');
    const { patch, head, begin } = uploader(url, device);
    const file = join(place.dataDir, 'wearable-imports', `imp_${path.split('/').at(-1)}.bin`);
    const cut = await begin(path, { from: 0, bytes: xml.length, body: xml.subarray(0, 5 * MEGABYTE) });
    await until(async () => (await stat(file).catch(() => null))?.size);
    await end(first, 'SIGKILL');
    cut.destroy();
    const { size } = await stat(file);
    assert.ok(size > 0 && size < xml.length, `${size} of ${xml.length} had come`);
    const second = await serverOn(place, port);
    assert.equal(offsetOf(await head(path)), size);
    const answer = await patch(path, size, xml.subarray(size));
    assert.deepEqual([answer.status, offsetOf(answer)], [204, xml.length]);
    await until(async () => !(await device.get('/wearables/status')).body.reading);
    assert.match((await device.get('/wearables/success').expect(200)).text, /Made of them: 1 day,/);
    await end(second, 'SIGTERM');
  });

  it('lets the page wait for the restart, resume the upload and open the result', async function () {
    this.timeout(600_000);
    if (!executablePath) this.skip();
    const folder = await mkdtemp(join(tmpdir(), 'ekb-export-'));
    const file = join(folder, 'export.xml');
    await writeFile(file, xmlOf(MEGABYTES * MEGABYTE));
    let running = await serverOn(place, port);
    const browser = await launchBrowser();
    try {
      const { colorScheme, ...viewport } = PHONE;
      const page = await browser.newPage({ viewport, colorScheme });
      const errors: string[] = [];
      page.on('pageerror', ({ message }) => errors.push(message));
      page.on('console', (message) => {
        // The browser logs network errors while the server is down, which this test expects.
        if (message.type() === 'error' && !/net::ERR_/.test(message.text())) errors.push(message.text());
      });
      await page.goto(`http://127.0.0.1:${port}/wearables/apple-health`);
      const line = await page.context().newCDPSession(page);
      await line.send('Network.emulateNetworkConditions', {
        offline: false,
        latency: 20,
        downloadThroughput: -1,
        uploadThroughput: BYTES_A_SECOND,
      });
      await page.setInputFiles('#export-file', file);
      await page.check('#export-consent');
      await page.click('[data-wearable-upload] button[type="submit"]');
      const status = page.locator('#export-status');
      await status.filter({ hasText: /^Uploading: [3-9]\d/ }).waitFor();
      await end(running, 'SIGKILL');
      await status.filter({ hasText: /^Paused/ }).waitFor();
      assert.ok(await page.isVisible('[data-cancel]'));
      assert.equal(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), true);
      running = await serverOn(place, port);
      const sent: number[] = [];
      page.on('request', (request) => {
        if (request.method() === 'PATCH') sent.push(Number(request.headers()['upload-offset']));
      });
      await page.waitForURL(/\/wearables\/success$/, { timeout: 120_000 });
      assert.match(await page.innerText('main'), /Made of them: 1 day,/);
      assert.ok((sent[0] ?? 0) > 0, `it went on at ${sent[0]}`);
      assert.deepEqual(await page.evaluate('Object.keys(localStorage)'), []);
      assert.deepEqual(errors, []);
    } finally {
      await browser.close();
      await end(running, 'SIGTERM');
      await rm(folder, { recursive: true });
    }
  });
});
