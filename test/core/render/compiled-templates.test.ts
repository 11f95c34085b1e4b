import assert from 'node:assert/strict';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const PROJECT = join(import.meta.dirname, '../../..');
const CACHE = join(PROJECT, 'node_modules/.cache/templates');
const folder = join(PROJECT, 'test/fixtures/templates');
const file = join(folder, 'kept.pug');
/** Occurs only in the text of this template. */
const MARK = 'kept-for-tests';

let processes = 0;
/** Renders as a new process would, with an empty memory cache. */
const renderAnew = async (closure: string): Promise<string> => {
  processes += 1;
  const module = `${join(PROJECT, 'core/render/compiled-templates.ts')}?${processes}`;
  const { compiled } = (await import(module)) as typeof import('#core/render/compiled-templates.ts');
  return compiled({ file, folder, files: [file], closure })({ word: 'zinc' });
};

const kept = (): string[] =>
  readdirSync(CACHE)
    .map((name) => join(CACHE, name))
    .filter((path) => path.endsWith('.js') && readFileSync(path, 'utf8').includes(MARK));

describe('compiled templates', () => {
  afterEach(() => {
    for (const path of kept()) rmSync(path);
  });

  it('are reused by the next process, and recompiled when the cached file is truncated', async () => {
    await renderAnew('first');
    const [path = ''] = kept();
    const code = readFileSync(path, 'utf8');
    writeFileSync(path, code.replace(MARK, `${MARK} read`));
    assert.equal(await renderAnew('first'), `<p>${MARK} read zinc</p>`);
    writeFileSync(path, code.slice(0, -4));
    assert.equal(await renderAnew('first'), `<p>${MARK} zinc</p>`);
    assert.equal(readFileSync(path, 'utf8'), code);
  });

  it('are replaced when the template changes', async () => {
    await renderAnew('first');
    const before = kept();
    assert.equal(await renderAnew('second'), `<p>${MARK} zinc</p>`);
    assert.equal(kept().length, 1);
    assert.notDeepEqual(kept(), before);
  });
});
