import { strict as assert } from 'node:assert';
import type { AnyPlugin } from '#core/plugin.ts';
import { bySpecificity, orderPlugins, RegistryError } from '#core/registry.ts';
import { plugins } from '../../plugins/index.ts';

/** Builds a plugin with only the fields that the registry reads. */
const plugin = (name: string, rest: Partial<Record<keyof AnyPlugin, unknown>> = {}): AnyPlugin =>
  ({ name, summary: '', dependencies: [], start: () => undefined, ...rest }) as AnyPlugin;
const route = (id: string, path: string, method = 'GET') => ({ id, path, method });
const page = (id: string, path: string) => ({ id, path });

const refuses = (list: readonly AnyPlugin[], message: string): void => {
  assert.throws(
    () => orderPlugins(list),
    (error: Error) => {
      assert.ok(error instanceof RegistryError);
      assert.equal(error.message, message);
      return true;
    },
  );
};

describe('plugin registry', () => {
  it('puts dependencies first and otherwise keeps the order of the list', () => {
    const base = plugin('base');
    const late = plugin('late', { dependencies: [base] });
    const list = [late, plugin('other'), base];
    assert.deepEqual(
      orderPlugins(list).map(({ name }) => name),
      ['base', 'late', 'other'],
    );
  });

  it('accepts the plugins of this program', () => {
    assert.equal(orderPlugins(plugins).length, plugins.length);
  });

  it('rejects two plugins of one name', () => {
    refuses([plugin('one'), plugin('one')], 'Two plugins are called "one"');
  });

  it('rejects a dependency that is not in the list, and names both plugins', () => {
    refuses([plugin('one', { dependencies: [plugin('two')] })], 'Plugin "one" needs "two", which is not in the list');
  });

  it('rejects a dependency on another plugin with the same name as one in the list', () => {
    refuses(
      [plugin('two'), plugin('one', { dependencies: [plugin('two')] })],
      'Plugin "one" needs "two", which is not in the list',
    );
  });

  it('rejects circular dependencies, and names the whole circle', () => {
    const [one, two, three] = [plugin('one'), plugin('two'), plugin('three')];
    Object.assign(one, { dependencies: [two] });
    Object.assign(two, { dependencies: [three] });
    Object.assign(three, { dependencies: [one] });
    refuses([one, two, three], 'Plugins depend on each other in a circle: one → two → three → one');
  });

  it('rejects two routes with one path and method, whatever the names of their parameters', () => {
    refuses(
      [
        plugin('one', { routes: [route('get', '/api/things/{id}')] }),
        plugin('two', { routes: [route('read', '/api/things/{name}')] }),
      ],
      'route two/read and route one/get both claim GET /api/things/{}',
    );
    assert.equal(
      orderPlugins([plugin('one', { routes: [route('get', '/api/things'), route('make', '/api/things', 'POST')] })])
        .length,
      1,
    );
  });

  it('rejects a page on the path of a route or of another page', () => {
    refuses(
      [plugin('one', { routes: [route('get', '/x')] }), plugin('two', { pages: [page('show', '/x')] })],
      'page two/show and route one/get both claim GET /x',
    );
    refuses(
      [plugin('one', { pages: [page('a', '/{slug}'), page('b', '/{name}')] })],
      'page one/b and page one/a both claim GET /{}',
    );
  });

  for (const [kind, member, value] of [
    ['setting', 'settings', [{ name: 'X' }]],
    ['error', 'errors', [{ code: 'X' }]],
    ['job', 'jobs', [{ id: 'X' }]],
    ['command', 'commands', [{ id: 'X' }]],
    ['importer', 'importers', [{ id: 'X' }]],
  ] as const) {
    it(`rejects two plugins with the same ${kind}`, () => {
      refuses(
        [plugin('one', { [member]: value }), plugin('two', { [member]: value })],
        `plugin two and plugin one both claim ${kind} X`,
      );
    });
  }

  it('rejects a setting or an error code of core', () => {
    refuses([plugin('one', { settings: [{ name: 'PORT' }] })], 'plugin one and core both claim setting PORT');
    refuses([plugin('one', { errors: [{ code: 'not_found' }] })], 'plugin one and core both claim error not_found');
  });

  it('rejects two gatekeepers', () => {
    const gatekeeper = () => null;
    refuses(
      [plugin('one', { gatekeeper }), plugin('two', { gatekeeper })],
      '"one" and "two" both want to be the gatekeeper',
    );
  });

  it('matches literal segments before parameters', () => {
    const paths = ['/a/{x}', '/{x}/b', '/a', '/a/b', '/a/{x}/c', '/{x}'];
    assert.deepEqual(
      paths
        .map((path) => ({ path }))
        .sort(bySpecificity)
        .map(({ path }) => path),
      ['/a/b', '/a/{x}/c', '/a/{x}', '/a', '/{x}/b', '/{x}'],
    );
  });
});
