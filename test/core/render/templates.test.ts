import assert from 'node:assert/strict';
import { globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pug from 'pug';
import { createTemplates } from '#core/render/templates.ts';

const TEMPLATES = join(import.meta.dirname, '../../../templates');

describe('templates', () => {
  let folder: string;

  const write = (name: string, lines: readonly string[]): void =>
    writeFileSync(join(folder, `${name}.pug`), `${lines.join('\n')}\n`);

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'templates-'));
    mkdirSync(join(folder, 'parts'));
    write('layout', ['html', '  block content']);
    write('page', ['extends /layout', 'block content', '  include parts/card', '  p= word']);
    write('parts/card', ['include ./note.pug', 'b card']);
    write('parts/note', ['i note']);
    write('other', ['p other']);
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('returns the same files for every page of this site as pug’s dependency tracking', () => {
    const template = createTemplates(TEMPLATES);
    const names = globSync('**/*.pug', { cwd: TEMPLATES }).map((file) => file.replace(/\.pug$/, ''));
    assert.ok(names.length > 50);
    for (const name of names) {
      const file = join(TEMPLATES, `${name}.pug`);
      const { dependencies } = pug.compileClientWithDependenciesTracked(`include /${name}`, {
        basedir: TEMPLATES,
        filename: join(TEMPLATES, 'any.pug'),
      });
      const made = [...new Set([file, ...dependencies])].map((path) => path.slice(TEMPLATES.length + 1)).sort();
      assert.deepEqual(template(name).files, made, name);
    }
  }).timeout(180_000);

  it('changes a page’s digest when any included file changes, and only then', () => {
    const earlier = createTemplates(folder);
    write('parts/note', ['i another note']);
    const later = createTemplates(folder);
    assert.deepEqual(later('page').files, ['layout.pug', 'page.pug', 'parts/card.pug', 'parts/note.pug']);
    assert.notEqual(later('page').closure, earlier('other').closure);
    assert.notEqual(later('page').closure, createTemplates(folder)('parts/card').closure);
    assert.equal(later('other').closure, earlier('other').closure);
    assert.equal(later('page').render({ word: 'word' }), '<html><i>another note</i><b>card</b><p>word</p></html>');
  });

  it('reports the file and line of a rendering error', () => {
    write('parts/note', ['i note', 'b= word.length.toFixed()']);
    const render = () => createTemplates(folder)('page').render({ word: undefined });
    assert.throws(render, /parts\/note\.pug:2\b/);
  });

  it('names a missing template in the error', () => {
    assert.throws(() => createTemplates(folder)('nowhere'), /There is no template nowhere/);
  });
});
