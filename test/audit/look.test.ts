/** Checks every kind of page in a browser. Skipped where Chromium is not installed. */
import type { Browser } from 'playwright-core';
import type { Page } from '#core/plugin.ts';
import { allExamples, errorPages, pageKinds } from '../../bench/audit/page-kinds.ts';
import { plugins } from '../../plugins/index.ts';
import { answerBody, answersOf, balance, eventsOf, scriptedEngine } from '../plugins/answers/support.ts';
import { assertGoodPages, NARROW, PHONE, useBrowser, type Visited, WIDE } from '../support/browser.ts';
import { api, bearer, issueKey } from '../support/client.ts';
import type { SharedService } from '../support/shared.ts';

/** Creates an answer with every optional part, a rerun of it, and a refused answer. */
const makeAnswers = async (service: SharedService): Promise<Visited[]> => {
  const answers = answersOf(service);
  const [engine, key] = [answers.engine, await issueKey(service, service.admin)];
  const pair = await api(service).get('/api/interactions/check?supplement=ginkgo&drug=warfarin').expect(200);
  const ask = async (path: string, more: Parameters<typeof answerBody>[1]): Promise<string> => {
    answers.engine = scriptedEngine(({ question }) => eventsOf(answerBody(question, more)));
    const sent = api(service)
      .post(path)
      .set(...bearer(key.key))
      .send({ question: 'Does it help?' });
    return (await sent.expect(200)).body.answer_id;
  };
  try {
    const full = await ask('/api/ask', {
      interactions: [pair.body],
      warnings: [{ code: 'x', message: 'Mind this.' }],
    });
    const again = await ask(`/api/answers/${full}/rerun`, { confidence: 'high', citations: [] });
    const refused = await ask('/api/ask', {
      status: 'refused',
      claims: [],
      citations: [],
      evidence_balance: balance(0, 0),
      refusal: {
        kind: 'emergency',
        reason: 'No.',
        emergency: 'Call now.',
        pages: [{ title: 'Pregnancy', url: '/disclaimer' }],
      },
    });
    return [full, again, refused].map((id) => ({ path: `/answers/${id}` }));
  } finally {
    answers.engine = engine;
  }
};

const allPages = (): readonly Page[] => plugins.flatMap((plugin) => plugin.pages ?? []);

describe('page layout in a browser', () => {
  let service: SharedService;
  let browser: Browser;
  useBrowser((given) => {
    ({ service, browser } = given);
  });

  // Kinds that share a template differ only in their text, so one example of each template is enough.
  const templates = new Map(allPages().map(({ template, id }) => [template, pageKinds[id]?.[0]] as const));
  const usual = [...templates.values()].flatMap((path) => (path ? [{ path }] : []));

  it('fits 320 px without layout shifts and passes axe in light mode on every kind of page', async () => {
    const pages = [...allExamples.map((path) => ({ path })), ...errorPages];
    await assertGoodPages(browser, service.url, { pages, looks: [NARROW] });
  }).timeout(600_000);

  it('passes the same checks on a wide screen in dark mode, with one page of each template', async () => {
    await assertGoodPages(browser, service.url, { pages: [...usual, ...errorPages.slice(0, 1)], looks: [WIDE] });
  }).timeout(600_000);

  it('passes the same checks on a phone for the most common entry pages', async () => {
    const pages = ['/', '/supplements/magnesium', '/search?q=insomnia'].map((path) => ({ path }));
    await assertGoodPages(browser, service.url, { pages, looks: [PHONE] });
  }).timeout(180_000);

  it('passes the same checks for a full, a rerun and a refused answer', async () => {
    await assertGoodPages(browser, service.url, { pages: await makeAnswers(service) });
  }).timeout(180_000);
});
