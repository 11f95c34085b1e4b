import assert from 'node:assert/strict';
import { Type } from 'typebox';
import { OperatorError } from '#core/errors.ts';
import { type AnyPlugin, definePage, definePlugin, type Page, type PageInstance } from '#core/plugin.ts';
import type { Runtime } from '#core/runtime.ts';
import { kindsOf, planChanges, planPages } from '#generate/plan.ts';

const pageAt = (id: string, path: string, params: readonly Record<string, string>[] | null) =>
  definePage({
    id,
    path,
    summary: 'made for tests',
    template: 'none',
    view: Type.Object({}),
    scope: 'public',
    sitemap: 'static',
    revision: 1,
    ...(params && {
      list: (): PageInstance[] => params.map((one) => ({ params: one, version: '1', changedAt: null })),
    }),
    load: async () => ({ head: { title: '', description: '' }, view: {} }),
  });

const pluginOf = (name: string, ...pages: ReturnType<typeof pageAt>[]): AnyPlugin =>
  definePlugin({ name, summary: 'made for tests', dependencies: [], pages, start: () => ({}) });

/** Plans with a minimal runtime, because planning uses only the plugins and their contexts. */
const planOf = (...plugins: AnyPlugin[]) =>
  planPages({ plugins, contextOf: () => ({}) } as unknown as Runtime, new AbortController().signal);

describe('build plan', () => {
  it('contains every instance of every page with a list, in the order of plugins, pages and lists', async () => {
    const plan = await planOf(
      pluginOf('first', pageAt('b', '/b/{x}', [{ x: '2' }, { x: '1' }]), pageAt('live', '/live', null)),
      pluginOf('second', pageAt('home', '/', [{}]), pageAt('deep', '/a/{x}/{y}', [{ x: 'one', y: 'two' }])),
    );
    assert.deepEqual(
      plan.map(({ url, plugin, page }) => [url, plugin.name, page.id]),
      [
        ['/b/2', 'first', 'b'],
        ['/b/1', 'first', 'b'],
        ['/', 'second', 'home'],
        ['/a/one/two', 'second', 'deep'],
      ],
    );
  });

  it('rejects two pages with the same address and names both', async () => {
    const plan = planOf(
      pluginOf('herbs', pageAt('any', '/herbs/{slug}', [{ slug: 'ginger' }, { slug: 'all' }])),
      pluginOf('lists', pageAt('everything', '/herbs/all', [{}])),
    );
    await assert.rejects(plan, (error) => {
      assert.ok(error instanceof OperatorError);
      assert.equal(error.message, 'Pages herbs/any and lists/everything both want /herbs/all');
      return true;
    });
  });

  it('rejects a page that lists an address twice', async () => {
    const plan = planOf(pluginOf('herbs', pageAt('any', '/herbs/{slug}', [{ slug: 'ginger' }, { slug: 'ginger' }])));
    await assert.rejects(plan, /Pages herbs\/any and herbs\/any both want \/herbs\/ginger/);
  });

  for (const slug of ['../../etc/passwd', '.hidden', 'a b', 'ü', '', 'a/b', 'a\0b', '%2e%2e', '-dash']) {
    it(`rejects an address that cannot be published: ${JSON.stringify(slug)}`, async () => {
      const plan = planOf(pluginOf('herbs', pageAt('any', '/herbs/{slug}', [{ slug }])));
      await assert.rejects(plan, /Page herbs\/any has an address that cannot be published: \/herbs\//);
    });
  }

  it('rejects a new page at the address of an unchanged published page', async () => {
    const staying = definePage({
      ...pageAt('any', '/herbs/{slug}', [{ slug: 'ginger' }]),
      changes: async () => ({ state: 'now', changed: [] }),
    });
    const plugins = [pluginOf('herbs', staying), pluginOf('lists', pageAt('ginger', '/herbs/ginger', [{}]))];
    const runtime = { plugins, contextOf: () => ({}) } as unknown as Runtime;
    const published = {
      stateOf: () => 'before',
      pageAt: (url: string) => (url === '/herbs/ginger' ? (staying as Page) : null),
    };
    const signal = new AbortController().signal;
    await assert.rejects(planChanges(runtime, kindsOf(plugins), { published, signal }), {
      message: 'Pages lists/ginger and any both want /herbs/ginger',
    });
  });
});
