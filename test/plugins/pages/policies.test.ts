import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ContentError } from '#core/errors.ts';
import { systemContext } from '#core/system-context.ts';
import { pagesPlugin } from '#plugins/pages/index.ts';
import { documentContent } from '#plugins/pages/texts/document-content.ts';
import { POLICIES, policyContent } from '#plugins/pages/texts/policy-content.ts';
import { type SharedService, sharedService, startBeside } from '../../support/shared.ts';

const root = join(import.meta.dirname, '../../..');
/** The text pages and the pages that they link to by name; the page audit follows every other link. */
const OWN = new RegExp(`^(/(${POLICIES.join('|')})|/(page|articles|supplements|conditions)/.*|/page|)$`);
const words = (html: string): string => html.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');

describe('the pages about the service', () => {
  let service: SharedService;
  const get = async (path: string, url = service.url) => {
    const reply = await fetch(`${url}${path}`, { redirect: 'manual' });
    return { status: reply.status, location: reply.headers.get('Location'), html: await reply.text() };
  };
  before(async () => {
    service = await sharedService();
  });

  it('exist with a summary first, the date of the last change and no unfilled placeholder', async () => {
    for (const policy of POLICIES) {
      const { status, html } = await get(`/${policy}`);
      assert.equal(status, 200, policy);
      assert.match(html, /<p class="answer">[^<]{40,}<\/p>/, policy);
      assert.match(words(html), /Last changed on \d+ \w+ 20\d\d/, policy);
      assert.doesNotMatch(html, /\{\{|\}\}|undefined|\bnull\b/, policy);
    }
  });

  it('link only to existing pages and existing anchors', async () => {
    const seen = new Map<string, Awaited<ReturnType<typeof get>>>();
    const look = async (path: string) => {
      const known = seen.get(path) ?? (await get(path));
      seen.set(path, known);
      return known;
    };
    const broken: string[] = [];
    const articles = (await readdir(join(root, 'content/articles'))).map((name) => `articles/${name.slice(0, -3)}`);
    for (const page of [...POLICIES, ...articles, 'retailer', 'page', 'page/content-format', 'page/glossary']) {
      const { html } = await look(`/${page}`);
      const main = html.slice(html.indexOf('<main'), html.indexOf('</main>'));
      for (const [, href = ''] of main.matchAll(/href="([^"]+)"/g)) {
        const [path = '', fragment] = href.split('#');
        if (!OWN.test(path)) continue;
        const target = await look(path || `/${page}`);
        const isThere = target.status === 200 && (!fragment || target.html.includes(`id="${fragment}"`));
        if (!isThere) broken.push(`/${page} → ${href}`);
      }
    }
    assert.deepEqual(broken, []);
  });

  it('say that the operator, the address and the reviewer are not set, and invent none', async () => {
    assert.match(words((await get('/contact')).html), /operator of this instance has not given a name/);
    assert.match(words((await get('/privacy')).html), /operator has not set an address/);
    assert.match(words((await get('/about')).html), /No clinician has reviewed/);
    assert.doesNotMatch((await get('/contact')).html, /mailto:/);
  });

  it('name the operator, the addresses and the reviewer when they are set, and follow the settings', async () => {
    const settings = {
      OPERATOR_NAME: 'Example *Health* Ltd',
      CONTACT_EMAIL: 'desk@example.org',
      SECURITY_CONTACT: 'https://example.org/report',
      REVIEWER_NAME: 'Dr Example',
      BASE_URL: 'https://base.example',
      ANSWERS_KEEP_DAYS: '0',
      FEEDBACK_KEEP_DAYS: '31',
      VOTERS_KEEP_DAYS: '1',
      USAGE_KEEP_DAYS: '1234',
      ANON_RPM: '7',
      GENERATE_PAGES: 'off',
    };
    const other = await startBeside(service, { settings });
    try {
      const text = async (path: string) => words((await get(path, other.url)).html);
      assert.match(await text('/contact'), /Example \*Health\* Ltd\. Write to desk@example\.org/);
      assert.match((await get('/contact', other.url)).html, /href="https:\/\/example\.org\/report"/);
      assert.match(await text('/about'), /reviewed by Dr Example/);
      assert.match(await text('/privacy'), /this instance keeps no answers/);
      assert.match(await text('/privacy'), /until 31 days after the matter is closed/);
      assert.match(await text('/privacy'), /the part of the answer are erased after 31 days/);
      assert.match(await text('/privacy'), /the hashes and the reason are erased after 1 day;/);
      assert.match(await text('/privacy'), /How many calls a key made, .{50,60} 1,234 days/);
      assert.match(await text('/terms'), /for each address 7 /);
      assert.match((await get('/cookies', other.url)).html, /<code>__Host-ekb_device<\/code>/);
      assert.doesNotMatch(await text('/cookies'), /without encryption/);
    } finally {
      await other.stop();
    }
  });

  it('list every cookie that the code sets, and no other', async () => {
    const sources = ['core', 'plugins'].map(async (folder) =>
      (await readdir(join(root, folder), { recursive: true }))
        .filter((name) => name.endsWith('.ts'))
        .map((name) => `${folder}/${name}`),
    );
    const setting: string[] = [];
    for (const file of (await Promise.all(sources)).flat()) {
      const code = (await readFile(join(root, file), 'utf8')).replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');
      if (/Set-Cookie|cookies\.set\(|from 'koa-session'/.test(code)) setting.push(file);
    }
    assert.deepEqual(setting, ['core/http/device.ts', 'core/http/session-cookies.ts']);
    const made = await fetch(`${service.url}/blood-test/reports`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': '10.9.8.7' },
      body: JSON.stringify({ consent: true, added: {} }),
    });
    const cookies = made.headers.getSetCookie().map((line) => line.split(/=|; /));
    const table = /<table[\s\S]*?<\/table>/.exec((await get('/cookies')).html)?.[0] ?? '';
    assert.deepEqual(
      [...table.matchAll(/<code>([^<]+)<\/code>/g)].map(([, shown]) => shown),
      cookies.map(([name]) => name),
    );
    const attributes = cookies[0] ?? [];
    const days = Number(attributes[attributes.indexOf('Max-Age') + 1]) / 86_400;
    assert.ok(words(table).includes(`${days} days`), `${days} days`);
  });

  it('show the counts of the database', async () => {
    const stats = (await (await fetch(`${service.url}/api/stats`)).json()) as {
      supplements: number;
      sources: { by_class: Record<string, number> };
    };
    const text = words((await get('/sources-and-licenses')).html);
    const kinds = Object.values(stats.sources.by_class);
    for (const n of kinds) assert.ok(text.includes(` ${n.toLocaleString('en-GB')} `), String(n));
    assert.ok(text.includes(`${stats.supplements} entries on supplements`));
  });

  it('are rejected with file and line when they contain an unknown placeholder', async () => {
    const context = systemContext(service.runtime, pagesPlugin, AbortSignal.timeout(5_000));
    const sync = (path: string, text: string) =>
      service.runtime.db.write((em) => policyContent.sync(context, [{ path, text, digest: 'x' }], [], em));
    const good = await readFile(join(root, 'content/pages/about.md'), 'utf8');
    const wrong = good.replace('{{sources}} graded', '{{sorces}} graded');
    const line = wrong.slice(0, wrong.indexOf('{{sorces}}')).split('\n').length;
    await assert.rejects(sync('pages/about.md', wrong), (error: ContentError) => {
      assert.ok(error instanceof ContentError);
      assert.match(error.message, new RegExp(`pages/about\\.md.*\\b${line}\\b.*"sorces" is no fact`));
      return true;
    });
    await assert.rejects(sync('pages/abuot.md', good), /no page has that name/);
    await assert.rejects(
      sync('pages/about.md', good.replace('last_changed: 2026', 'last_changed: x2026')),
      /last_changed/,
    );
    const document = { path: 'docs/new.md', text: 'No title', digest: 'x' };
    await assert.rejects(
      service.runtime.db.write((em) => documentContent.sync(context, [document], [], em)),
      /first line must be the title/,
    );
  });
});

describe('/page', () => {
  let service: SharedService;
  const get = async (path: string) => {
    const reply = await fetch(`${service.url}${path}`, { redirect: 'manual' });
    return { status: reply.status, location: reply.headers.get('Location') ?? '', html: await reply.text() };
  };
  before(async () => {
    service = await sharedService();
  });

  it('shows every document of content/docs at its path', async () => {
    const names = (await readdir(join(root, 'content/docs'), { recursive: true })).filter((name) =>
      name.endsWith('.md'),
    );
    assert.ok(names.length > 15);
    const contents = (await get('/page')).html;
    for (const name of names) {
      const path = `/page/${name.slice(0, -'.md'.length)}`;
      assert.ok(contents.includes(`href="${path}"`), path);
    }
    const { status, html } = await get('/page/decisions/0013-model-ports');
    assert.equal(status, 200);
    assert.match(html, /<h1>0013 Models stand behind ports, and nothing needs one<\/h1>/);
    assert.match(html, /rel="prev"[\s\S]*rel="next"/);
  });

  it('redirects to the URL of a text that has its own page', async () => {
    for (const [path, to] of [
      ['/page/privacy', '/privacy'],
      ['/page/pages/terms', '/terms'],
      ['/page/decisions', '/page'],
      ['/page/index', '/page'],
    ] as const) {
      const { status, location } = await get(path);
      assert.deepEqual([status, new URL(location, service.url).pathname], [301, to]);
    }
  });

  it('returns 404 with similar pages for an unknown path, and serves no other files', async () => {
    const unknown = await get('/page/glosary');
    assert.equal(unknown.status, 404);
    assert.match(unknown.html, /href="\/page\/glossary"/);
    for (const path of ['docs/glossary.md', '..%2f..%2fREADME', '%2e%2e/%2e%2e/package', '/etc/passwd', 'LICENSE'])
      assert.equal((await get(`/page/${path}`)).status, 404, path);
  });
});

describe('/retailer', () => {
  it('shows responses that equal those of the API', async () => {
    const service = await sharedService();
    const html = await (await fetch(`${service.url}/retailer`)).text();
    const texts = [...html.matchAll(/<pre><code>([\s\S]*?)<\/code><\/pre>/g)].map(([, text = '']) =>
      text.replaceAll('&quot;', '"').replaceAll('&gt;', '>').replaceAll('&lt;', '<').replaceAll('&amp;', '&'),
    );
    assert.equal(texts.length, 8);
    for (let at = 0; at < texts.length; at += 2) {
      const address = /^curl "http:\/\/evidence\.test(\/[^"]+)"$/.exec(texts[at] ?? '')?.[1] ?? '';
      const shown = JSON.parse(texts[at + 1] ?? '') as Record<string, unknown>;
      const real = (await (await fetch(`${service.url}${address}`)).json()) as Record<string, unknown>;
      for (const [name, value] of Object.entries(shown)) {
        if (name !== 'evidence') assert.deepEqual(value, real[name], `${address} ${name}`);
      }
      assert.ok(Object.keys(shown).length >= 4, address);
    }
    assert.match(html, /This does not mean the combination is safe/);
  });
});
