/** Checks the style sheets: size, colour tokens, contrast, unused rules and classes without a rule. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { loadAssets } from '#core/render/assets.ts';

const root = join(import.meta.dirname, '../..');
/** The style sheet of every page and those of single areas. */
const sheets = ['site.css', 'tools.css', 'labs.css', 'developers.css'].map((name) =>
  join(root, 'templates/assets', name),
);

const filesOf = (path: string, ending: RegExp): string[] =>
  readdirSync(path, { recursive: true, encoding: 'utf8' })
    .filter((name) => ending.test(name))
    .map((name) => join(path, name));
const textOf = (paths: readonly string[]): string => paths.map((path) => readFileSync(path, 'utf8')).join('\n');
const withoutComments = (css: string): string => css.replace(/\/\*[\s\S]*?\*\//g, '');

const parts = sheets.flatMap((folder) => filesOf(folder, /\.css$/).sort());
const sheet = withoutComments(textOf(parts));
/** Ids and classes in selectors; quoted text is removed because it contains no names. */
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

/** Classes without a style, used by tests and scripts or to document the markup. This list may only shrink. */
const WITHOUT_RULE = new Set(
  'answer-kept balance best-text diff history-table hits mockup-lead others result search-read severities source-brief trials written-lead'.split(
    ' ',
  ),
);

/** Returns the relative luminance as defined in WCAG 2.2. */
const luminance = (hex: string): number => {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const contrast = (one: string, other: string): number => {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
};

describe('the style sheet', () => {
  it('is at most 41 kB, and 8.5 kB with Brotli', () => {
    const assets = loadAssets(join(root, 'templates/assets'));
    const sent = assets.find(assets.url('site.css'))?.body ?? Buffer.alloc(0);
    assert.ok(sent.length > 10_000 && sent.length <= 41_000, `${sent.length} bytes`);
    const packed = brotliCompressSync(sent).length;
    assert.ok(packed <= 8_500, `${packed} bytes with Brotli`);
  });

  it('defines colours only as tokens', () => {
    const wrong = parts.flatMap((path) => {
      const css = withoutComments(readFileSync(path, 'utf8')).replace(/:root\s*\{[^}]*\}/g, '');
      return [...css.matchAll(/#[0-9a-f]{3,8}\b(?=[^{}]*[;}])|\b(?:rgba?|hsla?|oklch|lab)\([^)]*\)/gi)].map(
        ([colour]) => `${path.slice(root.length + 1)}: ${colour}`,
      );
    });
    assert.deepEqual(wrong, []);
  });

  it('has enough contrast in light and dark mode: 4.5:1 for text, 3:1 for control borders', () => {
    const [day = '', night = ''] = [...sheet.matchAll(/:root\s*\{([^}]*)\}/g)].map(([, block = '']) => block);
    for (const [name, block] of Object.entries({ day, night })) {
      const colour = (token: string): string => new RegExp(`--${token}: (#[0-9a-f]{6})`).exec(block)?.[1] ?? '';
      for (const ground of ['paper', 'wash']) {
        for (const token of ['ink', 'soft', 'accent', 'accent-2']) {
          const ratio = contrast(colour(token), colour(ground));
          assert.ok(ratio >= 4.5, `${token} on ${ground} by ${name}: ${ratio.toFixed(2)}`);
        }
      }
      assert.ok(contrast(colour('neutral'), colour('paper')) >= 3, name);
    }
  });

  it('has no selector for a name that no template, script or plugin uses', () => {
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

  it('has a rule for every class in a template, except the listed classes without a rule', () => {
    const templates = filesOf(join(root, 'templates'), /\.pug$/);
    const missing = templates.flatMap((path) =>
      [...new Set(classesOf(readFileSync(path, 'utf8')))]
        .filter((name) => !named.has(name) && !WITHOUT_RULE.has(name))
        .map((name) => `${path.slice(root.length + 1)}: ${name}`),
    );
    assert.deepEqual(missing, []);
  });
});
