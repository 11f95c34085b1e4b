/** Tests that the portal's pages are complete and generated from the API description. */
import assert from 'node:assert/strict';
import { coreErrors } from '#core/errors.ts';
import { plugins } from '../../../plugins/index.ts';
import { api, bearer } from '../../support/client.ts';
import { type SharedService, sharedService } from '../../support/shared.ts';
import { codeBlocks, unescaped } from './support.ts';

interface Described {
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { readonly operationId: string; readonly tags: string[] }>>>
  >;
}

describe('the developer portal', () => {
  let service: SharedService;
  const page = async (path: string): Promise<string> => (await api(service).get(path).expect(200)).text;
  before(async () => {
    service = await sharedService();
  });

  it('links every page of the portal from every other', async () => {
    const overview = await page('/developers');
    const nav = /<nav class="portal-nav"[\s\S]*?<\/nav>/.exec(overview)?.[0] ?? '';
    const paths = [...nav.matchAll(/href="([^"]+)"/g)].map(([, path = '']) => path);
    assert.ok(paths.length >= 11);
    for (const path of paths) assert.ok((await page(path)).includes(`href="${path}" aria-current="page"`), path);
  });

  it('shows the limits configured for this instance', async () => {
    assert.match(
      (await page('/developers')).replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' '),
      /Without a key 100,000 100,000.*Sandbox key 30 200.*Free key 120 5,000/,
    );
  });

  it('lists every operation of the API description in its reference, with error codes and response fields', async () => {
    const { paths } = (await api(service).get('/openapi.json').expect(200)).body as Described;
    const index = unescaped(await page('/developers/reference'));
    const operations = Object.entries(paths).flatMap(([path, item]) =>
      Object.entries(item)
        .filter(([method]) => method !== 'head' && method !== 'options')
        .map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
    );
    assert.ok(operations.length > 100);
    const links = [
      ...index.matchAll(/href="(\/developers\/reference\/[a-z-]+)#([a-z0-9-]+)"><code class="code">([^<]+)</g),
    ];
    assert.deepEqual(
      links.map(([, , , text]) => text).sort(),
      operations.map(({ path, method }) => `${method} ${path}`).sort(),
    );
    const pages = new Map<string, string>();
    for (const [, path = '', anchor = ''] of links) {
      const html = pages.get(path) ?? (await page(path));
      pages.set(path, html);
      assert.ok(html.includes(`<h2 id="${anchor}">`), `${path}#${anchor}`);
    }
    const evidence = pages.get('/developers/reference/evidence') ?? '';
    for (const what of [
      'invalid_api_key',
      'top_k',
      'integer, 1 to 50, 15 when left out',
      'rank_score',
      'application/json',
    ])
      assert.ok(evidence.includes(what), what);
    await api(service).get('/developers/reference/nosuch').expect(404);
  });

  it('has an anchor for every error code, and each error response links to one', async () => {
    const html = await page('/developers/errors');
    const codes = [...coreErrors.definitions, ...plugins.flatMap(({ errors = [] }) => errors)];
    for (const { code, cause, fix } of codes) {
      assert.ok(html.includes(`id="${code.replaceAll('_', '-')}"`), code);
      assert.ok(unescaped(html).includes(cause) && unescaped(html).includes(fix), code);
    }
    const failures = [
      await api(service).get('/api/keys/me').expect(401),
      await api(service)
        .get('/api/keys/me')
        .set(...bearer('nonsense'))
        .expect(401),
      await api(service).get('/api/nosuch').expect(404),
      await api(service).get('/api/products/abc').expect(422),
    ];
    for (const { body } of failures) {
      const [address, anchor] = String(body.type).split('#');
      assert.equal(address, 'http://evidence.test/developers/errors');
      assert.ok(html.includes(`id="${anchor}"`), body.type);
    }
  });

  it('publishes the changelog as a page, as JSON and as an Atom feed, from one file', async () => {
    const { body } = await api(service).get('/developers/changelog.json').expect(200);
    assert.ok(body.releases.length > 1);
    const html = unescaped(await page('/developers/changelog'));
    const { text: feed } = await api(service).get('/developers/changelog.atom').buffer(true).expect(200);
    for (const { title, date, changes } of body.releases) {
      for (const words of [title, ...changes.map(({ text }: { text: string }) => text)]) {
        assert.ok(html.includes(words), words);
        assert.ok(unescaped(feed ?? '').includes(words), words);
      }
      assert.ok(feed?.includes(`<updated>${date}T00:00:00Z</updated>`));
    }
    assert.equal(body.version, '1.0.0');
  });

  it('shows real, non-empty and reproducible responses on the use-case pages', async () => {
    for (const path of ['/developers/health-ai', '/developers/labs', '/developers/supplement-retail']) {
      const blocks = codeBlocks(await page(path));
      const answers = blocks.filter(({ language }) => language === 'json');
      assert.equal(answers.length, blocks.filter(({ language }) => language === 'curl').length, path);
      for (const { code } of answers) {
        const answer = JSON.parse(code);
        assert.ok(Object.keys(answer).length >= 1, `${path}: ${code}`);
        assert.doesNotMatch(code, /latency_ms|searched_at|generated_at/);
      }
      assert.equal(await page(path), await page(path));
    }
    assert.match(await page('/developers/health-ai'), /This does not mean the combination is safe/);
  });

  it('preserves line breaks of code in its Markdown versions', async () => {
    const twin = await page('/developers/health-ai.md');
    assert.match(twin, /```curl\ncurl "[^\n]+\\\n {2}-H "Authorization: Bearer \$EKB_KEY"\n```/);
  });

  it('generates all pages statically except the playground, whose URL may contain a key', () => {
    const pages = plugins.flatMap((plugin) => plugin.pages ?? []).filter(({ path }) => path.startsWith('/developers'));
    assert.equal(pages.length, 11);
    for (const { id, sitemap, list } of pages) {
      const isLive = id === 'developers.playground';
      assert.equal(sitemap, isLive ? null : 'static', id);
      assert.equal(list === undefined, isLive, id);
    }
  });
});
