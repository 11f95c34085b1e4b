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
    const documented = (await read('content/docs/settings.md')).split('\n').filter((line) => line.startsWith('| `'));
    const declared = allSettings(plugins).map(
      ({ name, meaning, fallback }) => `| \`${name}\` | ${meaning} | ${fallback && `\`${fallback}\``} |`,
    );
    assert.deepEqual(documented, declared);
  });

  it('agree on the list of commands', async () => {
    const { scripts } = JSON.parse(await read('package.json')) as { scripts: Record<string, string> };
    const rows = (await read('content/docs/commands.md')).matchAll(/^\| `npm (?:run )?([a-z:]+)/gm);
    const documented = [...rows].map(([, name = '']) => name);
    assert.deepEqual([...new Set(documented)].toSorted(), Object.keys(scripts).toSorted());
    for (const { id } of plugins.flatMap(({ commands = [] }) => commands))
      assert.ok(scripts[id], `package.json has no script for ${id}`);
  });

  it('agree on the importers: content/docs/importing.md names every one', async () => {
    const text = await read('content/docs/importing.md');
    const kinds = plugins.flatMap(({ importers = [] }) => importers.map(({ id }) => id));
    assert.deepEqual(
      kinds.filter((id) => !new RegExp(`^npm run import -- ${id} `, 'm').test(text)),
      [],
    );
  });

  it('name only commands and settings that exist in the README', async () => {
    const readme = await read('README.md');
    const { scripts } = JSON.parse(await read('package.json')) as { scripts: Record<string, string> };
    const commands = [...readme.matchAll(/\bnpm (?:run (?:-s )?([a-z:]+)|(start|test)\b)/g)].map(
      ([, script, short]) => script ?? short ?? '',
    );
    assert.deepEqual(
      commands.filter((name) => !scripts[name]),
      [],
    );
    const settings = allSettings(plugins).map(({ name }) => name);
    const named = [...readme.matchAll(/`([A-Z][A-Z0-9]*_[A-Z0-9_]+)\b/g)].map(([, name = '']) => name);
    assert.deepEqual(
      named.filter((name) => !settings.includes(name)),
      [],
    );
  });

  it('keep the README short, with a link to every document outside the decision records', async () => {
    const readme = await read('README.md');
    assert.ok(
      readme.trimEnd().split('\n').length <= 120,
      'README.md has more than 120 lines: move details to content/docs',
    );
    const documents = (await readdir(join(root, 'content/docs'))).filter(
      // second-readings.md links to the other readings.
      (name) => name.endsWith('.md') && !name.startsWith('second-readings-'),
    );
    assert.deepEqual(
      documents.filter((name) => !readme.includes(`(content/docs/${name})`)),
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
