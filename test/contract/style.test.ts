/** The style sheet as a system: small, its colours by name, no rule without a use and no class without a rule. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { loadAssets } from '#core/render/assets.ts';

const root = join(import.meta.dirname, '../..');
const folder = join(root, 'templates/assets/site.css');

const filesOf = (path: string, ending: RegExp): string[] =>
  readdirSync(path, { recursive: true, encoding: 'utf8' })
    .filter((name) => ending.test(name))
    .map((name) => join(path, name));
const textOf = (paths: readonly string[]): string => paths.map((path) => readFileSync(path, 'utf8')).join('\n');
const withoutComments = (css: string): string => css.replace(/\/\*[\s\S]*?\*\//g, '');

const parts = readdirSync(folder).sort();
const sheet = withoutComments(textOf(parts.map((name) => join(folder, name))));
/** Ids and classes that a rule asks for; what stands between quotes is no name. */
const named = new Set(
  [...sheet.replace(/"[^"]*"/g, '').matchAll(/[.#]([a-z][\w-]*)(?=[^{};]*\{)/g)].map(([, name = '']) => name),
);

const TAG =
  '(?:a|article|b|button|cite|dd|details|div|dl|dt|figure|form|h[1-4]|header|i|img|input|label|li|nav|ol|p|section|span|strong|summary|svg|table|td|th|tr|ul)';
const NAMES = '((?:[.#][A-Za-z][\\w-]*)+)';
const AT_START = new RegExp(`^\\s*(?:${TAG}|[a-z]+(?=[.#]))?${NAMES}(?=[\\s(=!:]|$)`, 'gm');
const INSIDE = new RegExp(`(?:#\\[|: )${TAG}${NAMES}(?=[\\s(=\\]]|$)`, 'gm');
const classesOf = (pug: string): string[] =>
  [...pug.matchAll(AT_START), ...pug.matchAll(INSIDE)].flatMap(([, names = '']) =>
    [...names.matchAll(/\.([\w-]+)/g)].map(([, name = '']) => name),
  );

/** Classes that tests, scripts or another class's rule go by. May only shrink. */
const WITHOUT_RULE = new Set<string>([]);

describe('the style sheet', () => {
  it('stays small: at most 44 kB as it is sent, 9 kB of them on the wire', () => {
    const sent = loadAssets(join(root, 'templates/assets')).all.find(({ type }) => type.startsWith('text/css'));
    assert.ok(sent);
    assert.ok(sent.body.length <= 44_000, `${sent.body.length} bytes`);
    const packed = brotliCompressSync(sent.body).length;
    assert.ok(packed <= 9_000, `${packed} bytes with Brotli`);
  });

  it('names its colours once: none stands outside the tokens', () => {
    const wrong = parts.flatMap((name) => {
      const css = withoutComments(readFileSync(join(folder, name), 'utf8')).replace(/:root\s*\{[^}]*\}/g, '');
      return [...css.matchAll(/#[0-9a-f]{3,8}\b(?=[^{}]*[;}])|\b(?:rgba?|hsla?|oklch|lab)\([^)]*\)/gi)].map(
        ([colour]) => `${name}: ${colour}`,
      );
    });
    assert.deepEqual(wrong, []);
  });

  it('has no rule for what no template, script or plugin writes', () => {
    const written = textOf([
      ...filesOf(join(root, 'templates'), /\.(pug|js)$/),
      ...filesOf(join(root, 'plugins'), /\.ts$/),
      ...filesOf(join(root, 'core/render'), /\.ts$/),
    ]);
    const words = new Set(written.match(/[A-Za-z][\w-]*/g));
    const begun = [...written.matchAll(/([a-z][a-z-]*-)\$\{/g)].map(([, prefix = '']) => prefix);
    const unused = [...named].filter((name) => !words.has(name) && !begun.some((prefix) => name.startsWith(prefix)));
    assert.deepEqual(unused, []);
  });

  it('has a rule for every class that a template writes', () => {
    const templates = filesOf(join(root, 'templates'), /\.pug$/);
    const missing = templates.flatMap((path) =>
      [...new Set(classesOf(readFileSync(path, 'utf8')))]
        .filter((name) => !named.has(name) && !WITHOUT_RULE.has(name))
        .map((name) => `${path.slice(root.length + 1)}: ${name}`),
    );
    assert.deepEqual(missing, []);
  });
});
