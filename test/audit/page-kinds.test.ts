/** Checks that the list of page kinds, which all audits use, is complete. */
import assert from 'node:assert/strict';
import { pageKinds, redirectKinds } from '../../bench/audit/page-kinds.ts';
import { plugins } from '../../plugins/index.ts';

const pages = plugins.flatMap((plugin) => plugin.pages ?? []).filter(({ scope }) => scope === 'public');
const examples = { ...pageKinds, ...redirectKinds };

const patternOf = (path: string): RegExp =>
  new RegExp(
    `^${path
      .replace(/[.]/g, '\\.')
      .replace(/\{\+\w+\}/g, '.+')
      .replace(/\{\w+\}/g, '[^/]+')}$`,
  );

describe('list of page kinds', () => {
  it('has an example of every public page of every plugin', () => {
    assert.deepEqual(
      pages.filter(({ id }) => !examples[id]?.length).map(({ id, path }) => `${id} (${path}) has no example`),
      [],
    );
  });

  it('names only public pages, and only addresses that match the path of the named page', () => {
    const wrong = Object.entries(examples).flatMap(([id, paths]) => {
      const page = pages.find((one) => one.id === id);
      if (!page) return [`${id} is no public page`];
      return paths
        .filter((path) => !patternOf(page.path).test(path.split('?')[0] ?? ''))
        .map((path) => `${path} is no address of ${id}`);
    });
    assert.deepEqual(wrong, []);
  });
});
