import { strict as assert } from 'node:assert';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { allSettings } from '../../core/boot.ts';
import { coreErrors } from '../../core/errors.ts';
import { codesOf } from '../../core/http/openapi.ts';
import type { Route } from '../../core/plugin.ts';
import { plugins } from '../../plugins/index.ts';

const root = join(import.meta.dirname, '../..');
const read = (path: string): Promise<string> => readFile(join(root, path), 'utf8');

describe('documentation and code', () => {
  it('agree on every setting: name, meaning and default', async () => {
    const readme = await read('README.md');
    const table = /<!-- settings:[^>]*-->([\s\S]*?)<!-- \/settings -->/.exec(readme)?.[1] ?? '';
    const documented = table.split('\n').filter((line) => /^\| [A-Z]/.test(line));
    const declared = allSettings(plugins).map(
      ({ name, meaning, fallback }) => `| ${name} | ${meaning} | ${fallback} |`,
    );
    assert.deepEqual(documented, declared);
  });

  it('agree on the list of commands', async () => {
    const readme = await read('README.md');
    const { scripts } = JSON.parse(await read('package.json')) as { scripts: Record<string, string> };
    const section = /## Commands([\s\S]*?)## Settings/.exec(readme)?.[1] ?? '';
    const documented = [...section.matchAll(/^\| `npm (?:run )?([a-z:]+)/gm)].map((match) => match[1] ?? '');
    assert.deepEqual(
      [...new Set(documented)].toSorted(),
      Object.keys(scripts)
        .filter((name) => name !== 'fix')
        .sort(),
    );
    for (const { id } of plugins.flatMap(({ commands = [] }) => commands))
      assert.ok(scripts[id], `package.json has no script for ${id}`);
  });

  it('agree on the importers: the README names every one', async () => {
    const section = /## Feeding it([\s\S]*?)## Commands/.exec(await read('README.md'))?.[1] ?? '';
    const kinds = plugins.flatMap(({ importers = [] }) => importers.map(({ id }) => id));
    assert.deepEqual(
      kinds.filter((id) => !new RegExp(`(?:import -- |and: .*\\b)${id}\\b`).test(section)),
      [],
    );
  });

  it('define each error code once, and define every code that routes raise', () => {
    const codes = [...coreErrors.definitions, ...plugins.flatMap(({ errors = [] }) => errors)].map(({ code }) => code);
    assert.equal(new Set(codes).size, codes.length);
    const raised = plugins.flatMap(({ routes = [] }) => (routes as readonly Route[]).flatMap(codesOf));
    assert.deepEqual(
      raised.filter((code) => !codes.includes(code)),
      [],
    );
  });

  it('link only to files that exist', async () => {
    const pages = [
      'README.md',
      'CONTRIBUTING.md',
      ...(await readdir(join(root, 'content/docs'), { recursive: true }))
        .filter((name) => name.endsWith('.md'))
        .map((name) => `content/docs/${name}`),
    ];
    const broken: string[] = [];
    for (const page of pages) {
      for (const [, target = ''] of (await read(page)).matchAll(/\]\((?!https?:|#|mailto:)([^)#]+)/g)) {
        if (!existsSync(join(root, page, '..', target))) broken.push(`${page} → ${target}`);
      }
    }
    assert.deepEqual(broken, []);
  });

  it('number the decision records without a gap', async () => {
    const names = (await readdir(join(root, 'content/docs/decisions'))).sort();
    assert.deepEqual(
      names.map((name) => Number(name.slice(0, 4))),
      names.map((_, at) => at + 1),
    );
  });

  it('agree on the dependencies listed in the packages record', async () => {
    const { dependencies } = JSON.parse(await read('package.json')) as { dependencies: Record<string, string> };
    const record = (await read('content/docs/decisions/0009-packages.md')).replace(
      /@mikro-orm\/core, \/postgresql, \/migrations/,
      '@mikro-orm/core, @mikro-orm/postgresql, @mikro-orm/migrations',
    );
    const listed = [...record.matchAll(/^\| ([^|]+) \|/gm)]
      .flatMap((match) => (match[1] ?? '').split(',').map((name) => name.trim()))
      .filter((name) => !['package', '---', ''].includes(name));
    const direct = Object.keys(dependencies).filter((name) => name !== 'node');
    assert.deepEqual(listed.toSorted(), direct.toSorted());
  });
});
