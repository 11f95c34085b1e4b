/** Tests the chat page in a browser. The tests are skipped where Chromium is not installed. */
import { strict as assert } from 'node:assert';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import { executablePath, launchBrowser } from '../../support/browser.ts';
import { focusOf, tabTo } from '../../support/keyboard.ts';
import { type AnswerService, newAddress, scriptedEngine, startAnswerService } from './support.ts';

interface Between {
  readonly url: string;
  leadTo(url: string): void;
  /** Closes every connection, as a restarting proxy does. */
  drop(): void;
  stop(): void;
}

/** Starts a TCP proxy between the browser and the service whose connections a test can break. */
const startBetween = async (): Promise<Between> => {
  const sockets = new Set<Socket>();
  let port = 0;
  const server = createServer((from) => {
    const to = connect(port, '127.0.0.1');
    for (const [socket, other] of [
      [from, to],
      [to, from],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => other.destroy());
      socket.on('close', () => other.destroy());
      socket.pipe(other);
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const drop = (): void => {
    for (const socket of sockets) socket.destroy();
    sockets.clear();
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    leadTo: (url) => {
      port = Number(new URL(url).port);
    },
    drop,
    stop: () => {
      drop();
      server.close();
    },
  };
};

describe('the chat page in a browser', () => {
  let service: AnswerService;
  let browser: Browser;
  let between: Between;
  const problems: string[] = [];
  before(async function () {
    this.timeout(180_000);
    if (!executablePath) this.skip();
    between = await startBetween();
    service = await startAnswerService({ settings: { BASE_URL: between.url } });
    between.leadTo(service.url);
    browser = await launchBrowser();
  });
  after(async () => {
    await browser?.close();
    between?.stop();
    await service?.stop();
  });

  // The browser logs an error for a connection that a test breaks; it must not fail the next test.
  beforeEach(() => {
    problems.length = 0;
  });

  const open = async (path: string): Promise<Page> => {
    // Each page gets its own client address, because the limit of five questions a minute is too low for all tests
    // together.
    const page = await browser.newPage({
      viewport: { width: 390, height: 844 },
      extraHTTPHeaders: { 'X-Forwarded-For': newAddress() },
    });
    page.on('console', (message) => {
      if (message.type() === 'error') problems.push(message.text());
    });
    page.on('pageerror', (error) => problems.push(error.message));
    await page.goto(`${between.url}${path}`);
    return page;
  };

  it('shows the sources before the answer, then the full answer, and keeps focus on the question', async () => {
    const gate = Promise.withResolvers<void>();
    service.answers.engine = scriptedEngine(undefined, { before: 3, open: gate.promise });
    const page = await open('/chat?seed=Does%20it%20help%3F');
    await page.click('#ask button');
    await page.locator('#exchange .cited li').nth(1).waitFor();
    assert.equal(await page.locator('#exchange .streamed').textContent(), '');
    assert.equal(await page.locator('h2.question:focus').textContent(), 'Does it help?');
    assert.equal(await page.locator('#ask-status').textContent(), 'Writing …');
    gate.resolve();
    await page.locator('#exchange #claim-2').waitFor();
    assert.equal(await page.locator('h2.question:focus').count(), 1);
    assert.match(
      (await page.locator('#ask-status').textContent()) ?? '',
      /The answer is ready\. It may help\. How sure: low\./,
    );
    assert.equal(await page.locator('h1').count(), 1);
    await page.locator('#exchange .wrong summary').first().click();
    await page.locator('#exchange .wrong-form input[value=unsafe]').first().check();
    await page.locator('#exchange .wrong-form button').first().focus();
    assert.deepEqual(problems, []);
    await page.close();
  }).timeout(180_000);

  it('sends the earlier turns of this page as history, and lists the earlier questions', async () => {
    const engine = scriptedEngine();
    service.answers.engine = engine;
    const page = await open('/chat');
    for (const question of ['Does it help?', 'And for longer?']) {
      await page.fill('#question', question);
      await page.click('#ask button');
      await page.locator('#exchange .answer-page h2.question', { hasText: question }).waitFor();
    }
    await page.locator('#earlier li', { hasText: 'Does it help?' }).waitFor();
    assert.deepEqual(engine.asked[1]?.history, [
      { role: 'user', content: 'Does it help?' },
      { role: 'assistant', content: 'It may help.' },
    ]);
    assert.deepEqual(problems, []);
    await page.close();
  }).timeout(180_000);

  it('resumes automatically when the connection breaks', async () => {
    const gate = Promise.withResolvers<void>();
    service.answers.engine = scriptedEngine(undefined, { before: 5, open: gate.promise });
    const page = await open('/chat?seed=Does%20it%20help%3F');
    await page.click('#ask button');
    await page.locator('#exchange .streamed', { hasText: 'It' }).waitFor();
    const kept = page.waitForRequest((request) => Boolean(request.headers()['last-event-id']), { timeout: 20_000 });
    between.drop();
    await kept;
    gate.resolve();
    await page.locator('#exchange #claim-2').waitFor();
  }).timeout(180_000);

  it('resumes after a reload during the answer, and clears sessionStorage afterwards', async () => {
    const gate = Promise.withResolvers<void>();
    service.answers.engine = scriptedEngine(undefined, { before: 3, open: gate.promise });
    const page = await open('/chat?seed=Does%20it%20help%3F');
    await page.click('#ask button');
    await page.locator('#exchange .cited li').nth(1).waitFor();
    await page.reload();
    await page.locator('#exchange .cited li').nth(1).waitFor();
    gate.resolve();
    await page.locator('#exchange #claim-2').waitFor();
    await page.waitForFunction(() => sessionStorage.getItem('asking') === null);
    await page.close();
  }).timeout(180_000);

  it('stops on request, aborts the engine on the server, and says that the answer is incomplete', async () => {
    const gate = Promise.withResolvers<void>();
    const engine = scriptedEngine(undefined, { before: 3, open: gate.promise });
    service.answers.engine = engine;
    const page = await open('/chat?seed=Does%20it%20help%3F');
    await page.click('#ask button');
    await page.locator('#exchange .cited li').nth(1).waitFor();
    await page.click('#ask-stop');
    await page.locator('#ask-status', { hasText: 'Stopped before the answer was whole.' }).waitFor();
    assert.equal(await page.locator('#ask-stop').isVisible(), false);
    assert.equal(engine.signals[0]?.aborted, true);
    assert.equal(await page.locator('#question:focus').count(), 1);
    gate.resolve();
    await page.close();
  }).timeout(180_000);

  it('asks a question submitted during a pending stop as soon as the stop has finished', async () => {
    const gate = Promise.withResolvers<void>();
    service.answers.engine = scriptedEngine(undefined, { before: 3, open: gate.promise });
    const page = await open('/chat?seed=Does%20it%20help%3F');
    const stopped = Promise.withResolvers<void>();
    await page.route('**/answers/*/delete', async (route) => {
      await stopped.promise;
      await route.continue();
    });
    await page.click('#ask button');
    await page.locator('#exchange .cited li').nth(1).waitFor();
    await page.click('#ask-stop');
    await page.fill('#question', 'And for longer?');
    await page.click('#ask button');
    await page.locator('#ask-status', { hasText: 'Stopping; then your question is asked' }).waitFor();
    const engine = scriptedEngine();
    service.answers.engine = engine;
    stopped.resolve();
    await page.locator('#exchange .answer-page h2.question', { hasText: 'And for longer?' }).waitFor();
    await page.locator('#exchange #claim-2').waitFor();
    assert.deepEqual(
      engine.asked.map(({ question, history }) => [question, history]),
      [['And for longer?', []]],
    );
    gate.resolve();
    await page.close();
  }).timeout(180_000);

  it('works by keyboard alone: ask, stop, follow a citation, return to the claim and report it', async () => {
    const gate = Promise.withResolvers<void>();
    service.answers.engine = scriptedEngine(undefined, { before: 3, open: gate.promise });
    const page = await open('/chat');
    await tabTo(page, ({ id }) => id === 'question');
    await page.keyboard.type('Does it help?');
    await tabTo(page, ({ text }) => text === 'Ask');
    await page.keyboard.press('Enter');
    await page.locator('#exchange .cited li').nth(1).waitFor();
    // The stop button precedes the current question in tab order.
    await page.keyboard.press('Shift+Tab');
    assert.equal((await focusOf(page)).id, 'ask-stop');
    await page.keyboard.press('Enter');
    await page.locator('#question:focus').waitFor();
    await page.locator('#ask-status', { hasText: 'Stopped before' }).waitFor();
    gate.resolve();
    service.answers.engine = scriptedEngine();
    await tabTo(page, ({ text }) => text === 'Ask');
    await page.keyboard.press('Enter');
    await page.locator('#exchange #claim-2').waitFor();
    await page.evaluate(`document.querySelector('#claim-1 .cites a').focus({ focusVisible: true })`);
    await page.keyboard.press('Enter');
    await page.waitForFunction('location.hash === "#ref-1"');
    await tabTo(page, ({ text }) => text === 'claim 1');
    await page.keyboard.press('Enter');
    await page.waitForFunction('location.hash === "#claim-1"');
    await tabTo(page, ({ tag, text }) => tag === 'SUMMARY' && text.startsWith('Wrong?'));
    await page.keyboard.press('Enter');
    await tabTo(page, ({ tag }) => tag === 'INPUT');
    await page.keyboard.press('Space');
    await tabTo(page, ({ text }) => text === 'Send');
    await page.keyboard.press('Enter');
    await page.locator('.wrong-said', { hasText: 'Thank you' }).first().waitFor();
    assert.deepEqual(problems, []);
    await page.close();
  }).timeout(180_000);
});
