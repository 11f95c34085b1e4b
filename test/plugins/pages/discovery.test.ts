/** Tests the resources for programs: security.txt, icons, Markdown versions, llms.txt and change feeds. */
import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseStringPromise } from 'xml2js';
import { recordChanges } from '#core/db/change-log.ts';
import { publishMade } from '../../core/site/support.ts';
import { rawRequest } from '../../support/raw-http.ts';
import { type SharedService, sharedService, startBeside } from '../../support/shared.ts';

const BASE = 'http://evidence.test';
let service: SharedService;

/** Sends a request without the headers that `fetch` adds: it disables caching when an ETag is sent. */
const get = async (path: string, headers: Record<string, string> = {}, method = 'GET') => {
  const reply = await rawRequest(service.url, { path, headers, method });
  const header = (name: string): string | null => (reply.headers[name] as string | undefined) ?? null;
  return { status: reply.status, headers: { get: header }, body: reply.body, text: reply.body.toString() };
};

before(async function () {
  this.timeout(300_000);
  service = await sharedService();
});

describe('security.txt', () => {
  const fieldsOf = (text: string): Record<string, string> =>
    Object.fromEntries(
      text.split('\n').flatMap((line) => {
        const [, name = '', value = ''] = /^([A-Z][a-z-]+(?:-[A-Z][a-z]+)*): (.*)$/.exec(line) ?? [];
        return name ? [[name, value]] : [];
      }),
    );

  it('lists contact, policy and expiry, and says that no security address is set', async () => {
    const { status, headers, text } = await get('/.well-known/security.txt');
    assert.equal(status, 200);
    assert.equal(headers.get('content-type'), 'text/plain; charset=utf-8');
    const fields = fieldsOf(text);
    assert.equal(fields.Contact, `${BASE}/contact`);
    assert.match(text, /^# The operator has not set an address for reports of security holes\./);
    assert.equal(fields.Canonical, `${BASE}/.well-known/security.txt`);
    assert.equal(fields['Preferred-Languages'], 'en');
    const days = (Date.parse(fields.Expires ?? '') - Date.now()) / 86_400_000;
    assert.ok(days > 170 && days < 366, `expires in ${days} days`);
    const [page = '', anchor = ''] = (fields.Policy ?? '').replace(BASE, '').split('#');
    assert.match((await get(page)).text, new RegExp(`id="${anchor}"`));
  });

  it('lists the operator’s security address first when it is set', async () => {
    const settings = { SECURITY_CONTACT: 'security@evidence.test', CONTACT_EMAIL: 'hello@evidence.test' };
    const beside = await startBeside(service, { settings });
    const text = await (await fetch(`${beside.url}/.well-known/security.txt`)).text();
    await beside.stop();
    assert.match(text, /^Contact: mailto:security@evidence\.test\n/);
  });
});

describe('icons', () => {
  it('are an ICO file with three sizes and a PNG for phones', async () => {
    const icon = await get('/favicon.ico');
    assert.equal(icon.headers.get('content-type'), 'image/x-icon');
    assert.deepEqual([icon.body.readUInt16LE(2), icon.body.readUInt16LE(4)], [1, 3]);
    assert.deepEqual(
      [0, 1, 2].map((at) => icon.body[6 + 16 * at]),
      [16, 32, 48],
    );
    const touch = await get('/apple-touch-icon.png');
    assert.equal(touch.headers.get('content-type'), 'image/png');
    assert.equal(touch.body.readUInt32BE(16), 180);
  });
});

describe('Markdown versions of pages over HTTP', () => {
  const PATHS = [
    '/',
    '/supplements/magnesium',
    '/conditions/insomnia',
    '/interactions/st-johns-wort-warfarin',
    '/evidence/magnesium-sleep',
    '/methodology',
    '/privacy',
    '/brands',
    '/changes',
  ];
  const twinPath = (path: string): string => (path === '/' ? '/index.md' : `${path}.md`);

  it('exist for each kind of page, and the page links to its own', async () => {
    for (const path of PATHS) {
      const twin = await get(twinPath(path));
      assert.equal(twin.status, 200, path);
      assert.equal(twin.headers.get('content-type'), 'text/markdown; charset=utf-8', path);
      assert.equal(twin.headers.get('link'), `<${BASE}${path}>; rel="canonical"`, path);
      assert.equal(twin.headers.get('x-robots-tag'), null, path);
      assert.match(twin.text, /^---\ntitle: ".+"\nurl: "http:\/\/evidence\.test\//, path);
      assert.equal(twin.text.match(/^# /gm)?.length, 1, path);
      assert.doesNotMatch(twin.text, /<(div|span|p|a|svg|table)\b/, path);
      const { text } = await get(path);
      assert.ok(text.includes(`<link rel="alternate" type="text/markdown" href="${twinPath(path)}">`), path);
    }
  });

  it('contain the same references as the page, with the same numbers and URLs', async () => {
    const [{ text: html }, { text: markdown }] = [
      await get('/supplements/magnesium'),
      await get('/supplements/magnesium.md'),
    ];
    const list = markdown.slice(markdown.indexOf('## References'));
    const references = [...html.matchAll(/<li id="ref-(\d+)"[^>]*>(.*?)<\/li>/gs)];
    assert.ok(references.length > 5);
    for (const [, n, item = ''] of references) {
      const line = list.split('\n').find((one) => one.startsWith(`${n}. `)) ?? '';
      for (const [, href = ''] of item.matchAll(/href="(https:[^"]+)"/g))
        assert.ok(line.includes(`](${href})`), `${n}: ${href}`);
    }
    const cited = [...html.matchAll(/<a href="#ref-(\d+)"/g)].map(([, n]) => n);
    assert.deepEqual(
      [...new Set(cited)].filter((n) => !new RegExp(`[[ ]${n}[\\],]`).test(markdown)),
      [],
    );
  });

  it('return 304 for a matching ETag, no body for HEAD, and the redirect of the page', async () => {
    const first = await get('/supplements/magnesium.md');
    const again = await get('/supplements/magnesium.md', { 'If-None-Match': first.headers.get('etag') ?? '' });
    assert.deepEqual([again.status, again.body.length], [304, 0]);
    const head = await get('/supplements/magnesium.md', {}, 'HEAD');
    assert.equal(head.body.length, 0);
    assert.deepEqual([head.status, head.headers.get('etag')], [200, first.headers.get('etag')]);
    const moved = await get('/supplements/turmeric.md');
    assert.deepEqual([moved.status, moved.headers.get('location')], [301, '/supplements/curcumin.md']);
  });

  it('return 404 for unknown pages and search results, and 422 for an invalid parameter', async () => {
    for (const path of ['/supplements/nothing.md', '/nothing.md', '/search.md?q=zinc', '/.md', '/product/0.md'])
      assert.equal((await get(path)).status, 404, path);
    assert.equal((await get('/product/abc.md')).status, 422);
  });

  it('have the same Cache-Control and X-Robots-Tag headers as the page', async () => {
    const { headers } = await get('/interactions.md?supplement=ginkgo&drug=warfarin');
    const page = await get('/interactions?supplement=ginkgo&drug=warfarin');
    assert.equal(headers.get('cache-control'), page.headers.get('cache-control'));
    assert.equal(headers.get('x-robots-tag'), page.headers.get('x-robots-tag'));
  });
});

describe('llms.txt and llms-full.txt', () => {
  const PAGES = ['/supplements', '/supplements/magnesium', '/conditions/insomnia', '/methodology', '/benchmark'];
  before(async function () {
    this.timeout(180_000);
    assert.equal((await get('/llms.txt')).status, 503);
    const files = await Promise.all(PAGES.map(async (path) => ({ path, text: (await get(path)).text })));
    await publishMade(join(service.dataDir, 'site'), 'b000001', files);
    while ((await get('/llms.txt')).status !== 200) await sleep(50);
  });
  after(async () => {
    await rm(join(service.dataDir, 'site'), { recursive: true });
    while ((await get('/llms.txt')).status === 200) await sleep(50);
  });

  it('list the published pages by kind with their Markdown versions, in the llmstxt.org format', async () => {
    const { headers, text } = await get('/llms.txt');
    assert.equal(headers.get('content-type'), 'text/plain; charset=utf-8');
    const blocks = text.trim().split('\n\n');
    assert.equal(blocks[0], '# Supplement Evidence Base');
    assert.match(blocks[1] ?? '', /^> .+$/);
    const headings = [...text.matchAll(/^## (.+)$/gm)].map(([, name]) => name);
    assert.deepEqual(headings, ['Lists', 'Supplements', 'Conditions', 'About this base', 'Optional']);
    const links = text.split('\n').filter((line) => line.startsWith('- '));
    for (const line of links) assert.match(line, /^- \[[^\]]+\]\(http:\/\/evidence\.test\/[^)]+\)(: .+)?$/);
    assert.ok(text.includes(`- [Magnesium](${BASE}/supplements/magnesium.md): `));
    assert.ok(text.indexOf('## Optional') < text.indexOf('/benchmark.md'));
  });

  it('contain the text of supplements, conditions and policies with references, and name the omissions', async () => {
    const { headers, text } = await get('/llms-full.txt');
    assert.match(text, /^# Supplement Evidence Base\n\n> /);
    assert.match(text, /The editorial text of 3 pages with their references\. Left out: /);
    assert.ok(
      text.includes(`# Magnesium: evidence, doses as studied, safety\n\nAddress: ${BASE}/supplements/magnesium\n`) ||
        text.includes(`# Magnesium\n\nAddress: ${BASE}/supplements/magnesium\n`),
    );
    assert.match(text, /^### Safety$/m);
    assert.match(text, /\[PMID 22909270\]\(https:\/\/pubmed\.ncbi\.nlm\.nih\.gov\/22909270\/\)/);
    assert.doesNotMatch(text, /^### Products on the market$/m);
    const again = await get('/llms-full.txt', { 'If-None-Match': headers.get('etag') ?? '' });
    assert.equal(again.status, 304);
  });
});

describe('change feeds', () => {
  interface Entry {
    id: string[];
    title: string[];
    updated: string[];
    link: { $: { rel: string; href: string } }[];
    content?: { _: string; $: { type: string } }[];
    summary?: string[];
  }
  const feedOf = async (path: string) => {
    const { status, headers, text } = await get(path);
    assert.equal(status, 200, path);
    assert.equal(headers.get('content-type'), 'application/atom+xml; charset=utf-8');
    const { feed } = (await parseStringPromise(text)) as {
      feed: Omit<Entry, 'content'> & { $: object; entry?: Entry[]; author: { name: string[] }[] };
    };
    return { feed, entries: feed.entry ?? [], etag: headers.get('etag') ?? '' };
  };
  const log = (changes: Parameters<typeof recordChanges>[1]) =>
    service.runtime.db.write((em) => recordChanges(em, changes));

  it('are valid Atom with stable IDs, dates and links, newest first', async () => {
    for (const path of ['/changes.atom', '/supplements/magnesium/changes.atom']) {
      const { feed, entries } = await feedOf(path);
      assert.deepEqual(feed.$, { xmlns: 'http://www.w3.org/2005/Atom', 'xml:lang': 'en' });
      assert.equal(feed.id[0], `tag:evidence.test,2026:${path.slice(1)}`);
      assert.ok(feed.author[0]?.name[0]);
      assert.ok(feed.link.some(({ $ }) => $.rel === 'self' && $.href === `${BASE}${path}`));
      assert.ok(entries.length > 0 && entries.length <= 100);
      assert.equal(feed.updated[0], entries[0]?.updated[0]);
      const times = entries.map(({ updated }) => Date.parse(updated[0] ?? ''));
      assert.deepEqual(
        times,
        times.toSorted((a, b) => b - a),
      );
      assert.equal(new Set(entries.map(({ id }) => id[0])).size, entries.length);
      for (const { id, title, link, content, summary } of entries) {
        assert.match(id[0] ?? '', /^tag:evidence\.test,2026:change\/\d+$/);
        assert.ok(title[0] && (content?.[0]?._ || summary?.[0]));
        assert.match(link[0]?.$.href ?? '', /^http:\/\/evidence\.test\//);
      }
      assert.deepEqual(
        (await feedOf(path)).entries.map(({ id }) => id[0]),
        entries.map(({ id }) => id[0]),
      );
    }
  });

  it('contain a change of severity in the feeds of the site and the supplement, and in no other', async () => {
    const before = await feedOf('/changes.atom');
    const data = { supplement: 'magnesium', old: { severity: 'moderate' }, new: { severity: 'major' } };
    await log([
      { kind: 'interaction.severity_changed', subjectType: 'interaction', subjectId: 'magnesium-digoxin', data },
    ]);
    const title = 'Magnesium and digoxin: severity changed from “moderate” to “major”';
    for (const path of ['/changes.atom', '/supplements/magnesium/changes.atom']) {
      const [newest] = (await feedOf(path)).entries;
      assert.equal(newest?.title[0], title, path);
      assert.equal(newest?.link[0]?.$.href, `${BASE}/interactions/magnesium#magnesium-digoxin`);
    }
    assert.notEqual((await feedOf('/changes.atom')).etag, before.etag);
    const { entries } = await feedOf('/supplements/zinc/changes.atom');
    assert.ok(!entries.some((entry) => entry.title[0] === title));
    const { text } = await get('/changes');
    assert.ok(text.replaceAll('</a>', '').includes(`>${title}`));
  });

  it('group the changes of one step into one entry that lists them by name', async () => {
    const changed = ['zinc', 'magnesium', 'creatine'].map((slug) => ({
      kind: 'content.changed' as const,
      subjectType: 'content',
      subjectId: `supplements/${slug}.md`,
    }));
    await log(changed);
    const [newest] = (await feedOf('/changes.atom')).entries;
    assert.equal(newest?.title[0], '3 entries on supplements new or revised');
    assert.match(
      newest?.content?.[0]?._ ?? '',
      /<a href="http:\/\/evidence\.test\/supplements\/zinc">Zinc: the entry came in or was revised<\/a>/,
    );
    assert.equal(
      (await feedOf('/supplements/zinc/changes.atom')).entries[0]?.title[0],
      'Zinc: the entry came in or was revised',
    );
  });

  it('are shown on the page grouped by kind, with names and the severity of each interaction', async () => {
    const { text } = await get('/changes');
    assert.match(
      text,
      /<h3>3 entries on supplements new or revised<\/h3><ul class="inline"><li><a href="\/supplements\/zinc">Zinc<\/a><\/li>/,
    );
    assert.match(text, /<h3>\d+ entries on conditions new or revised<\/h3>/);
    assert.match(text, /5-HTP and SSRIs and SNRIs<\/a> <span class="severity severity-contraindicated">/);
    assert.match(
      text,
      /7-Keto-DHEA and pregnancy<\/a> <span class="severity severity-contraindicated">.*?<b>Do not take it<\/b>/,
    );
    assert.match(text, /<a href="\/interactions">And \d+ more<\/a>/);
  });

  it('name both sides of an interaction as their pages do', async () => {
    const { text } = await get('/changes');
    for (const pair of ['5-HTP and SSRIs and SNRIs', '5-HTP and St John']) assert.ok(text.includes(`>${pair}`), pair);
  });

  it('omit pipeline failures', async () => {
    const before = await feedOf('/changes.atom');
    await log([{ kind: 'pipeline.failed', subjectType: 'job', subjectId: 'evidence.pubmed' }]);
    assert.equal((await feedOf('/changes.atom')).etag, before.etag);
  });

  it('return 304 for a matching ETag and 404 for an unknown supplement, and are linked from pages', async () => {
    const { etag } = await feedOf('/changes.atom');
    assert.equal((await get('/changes.atom', { 'If-None-Match': etag })).status, 304);
    assert.equal((await get('/supplements/nothing/changes.atom')).status, 404);
    const { text } = await get('/supplements/magnesium');
    for (const href of ['/changes.atom', '/supplements/magnesium/changes.atom'])
      assert.match(
        text,
        new RegExp(`<link rel="alternate" type="application/atom\\+xml" title="[^"]+" href="${href}">`),
      );
  });
});
