/** Loads style sheets, scripts and images, which are served under names that change with the content and cached forever. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';

export interface Asset {
  readonly url: string;
  readonly type: string;
  readonly body: Buffer;
}

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.ico': 'image/x-icon',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
};

/** Returns the media type of an asset by its file extension. */
export const assetType = (name: string): string => TYPES[extname(name)] ?? 'application/octet-stream';

export interface Assets {
  /** Returns the URL of a name: `site.css` → `/assets/site.1a2b3c4d.css`. Throws when there is no such asset. */
  url(name: string): string;
  find(path: string): Asset | undefined;
  readonly all: readonly Asset[];
  readonly digest: string;
}

const STRING = /("(?:[^"\\]|\\.)*")/;

const squeezed = (css: string): string =>
  css
    .replace(/\s+/g, ' ')
    .replace(/ ?([{};,]) ?|(:) /g, '$1$2')
    .replace(/(?<=[\s:,(-])0(?=\.\d)/g, '');

/** Minifies a style sheet: removes comments and redundant white space, but does not change strings. */
export const withoutSpace = (css: string): string =>
  css
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .split(STRING)
    .map((part, at) => (at % 2 ? part : squeezed(part)))
    .join('')
    .replaceAll(';}', '}')
    .trim();

/** Reads an asset. A folder is one asset, its files joined in name order: `site.css/00-base.css`, `site.css/10-frame.css` … */
const bodyOf = (path: string): Buffer => {
  if (!statSync(path).isDirectory()) return readFileSync(path);
  const parts = readdirSync(path)
    .sort()
    .map((name) => readFileSync(join(path, name), 'utf8'));
  const whole = parts.join('');
  return Buffer.from(extname(path) === '.css' ? withoutSpace(whole) : whole);
};

export const loadAssets = (folder: string): Assets => {
  const byName = new Map<string, Asset>();
  for (const name of readdirSync(folder).sort()) {
    const body = bodyOf(join(folder, name));
    const digest = createHash('sha256').update(body).digest('hex').slice(0, 10);
    const ending = extname(name);
    byName.set(name, {
      url: `/assets/${name.slice(0, -ending.length)}.${digest}${ending}`,
      type: assetType(name),
      body,
    });
  }
  const all = [...byName.values()];
  const byPath = new Map(all.map((asset) => [asset.url, asset]));
  return {
    url: (name) => {
      const asset = byName.get(name);
      if (!asset) throw new Error(`No asset is called ${name}`);
      return asset.url;
    },
    find: (path) => byPath.get(path),
    all,
    digest: createHash('sha256')
      .update(all.map((asset) => asset.url).join('\n'))
      .digest('hex')
      .slice(0, 16),
  };
};
