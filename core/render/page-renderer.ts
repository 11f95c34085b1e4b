/** Renders a page from its view, identically for a live request and for `generate`: without a clock or randomness. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import type { Config } from '../config.ts';
import type { AppError } from '../errors.ts';
import { createViewAjv } from '../http/validate.ts';
import type { AnyPlugin, Near, Page, PageHead } from '../plugin.ts';
import { type Assets, loadAssets } from './assets.ts';
import { hasTwin, twinOf } from './markdown-twin.ts';
import { createPreparedPages } from './prepared-pages.ts';
import { createTemplates } from './templates.ts';

export interface PageRenderer {
  readonly assets: Assets;
  /** @throws Error with the page and the field when the view does not match the schema that the page declares. */
  render(page: Page, path: string, head: PageHead, view: unknown): string;
  errorPage(error: AppError, requestId: string, path: string): Promise<string>;
  /** Returns a digest that changes whenever the page's template, the layout, the assets or the site's settings change. */
  digestOf(page: Page): string;
}

interface RendererOptions {
  readonly templatesDir: string;
  readonly config: Config;
  readonly plugins: readonly AnyPlugin[];
}

/** Serializes JSON-LD for a script element, which an unescaped `<` could close. */
const embedJson = (value: object): string => JSON.stringify(value).replace(/</g, '\\u003c');

const numberFormat = new Intl.NumberFormat('en-GB');
const dayFormat = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

const baseLocals = (config: Config, assets: Assets) => ({
  site: {
    name: 'Supplement Evidence Base',
    baseUrl: config.text('BASE_URL'),
    operator: config.text('OPERATOR_NAME'),
    contact: config.text('CONTACT_EMAIL'),
    reviewer: config.text('REVIEWER_NAME'),
  },
  asset: (name: string) => assets.url(name),
  number: (value: number) => numberFormat.format(value),
  count: (value: number, one: string, many = `${one}s`) => `${numberFormat.format(value)} ${value === 1 ? one : many}`,
  /** Formats the date of an RFC 3339 date or time, such as "21 November 2026". */
  day: (at: string) => dayFormat.format(new Date(at)),
  embedJson,
});

/** Title and text of the error page by status; other statuses use `refusalOf` or `FAULT`. */
const WORDS: Readonly<Record<number, readonly [string, string]>> = {
  403: ['This was refused', 'The request came from another site, so nothing was changed.'],
  404: [
    'There is no such page',
    'The address may be mistyped, or what it named may have been merged into something else.',
  ],
  413: ['The file is too large', 'Nothing of it was kept.'],
  415: ['This kind of file is not read here', 'Nothing of it was kept.'],
  422: ['That request could not be understood', 'One of the values in the address or form breaks its rule.'],
  429: ['Too many requests', 'Please wait a moment and try again.'],
  503: ['The service is busy', 'Nothing is lost. Please try again in a few seconds.'],
};
/** Formats a waiting time such as "in 40 seconds" or "in 5 minutes", rounded up so that a retry after it is accepted. */
const inWords = (seconds: number): string => {
  const counts = [
    { unit: 'second', of: 1, upTo: 90 },
    { unit: 'minute', of: 60, upTo: 90 * 60 },
    { unit: 'hour', of: 3600, upTo: Number.POSITIVE_INFINITY },
  ];
  const { unit, of } = counts.find(({ upTo }) => seconds <= upTo) ?? { unit: 'hour', of: 3600 };
  const count = Math.ceil(seconds / of);
  return `in ${count} ${unit}${count === 1 ? '' : 's'}`;
};

const MEGABYTE = 1024 * 1024;
const FILE_NAMES: Readonly<Record<string, string>> = {
  'application/pdf': 'PDF',
  'image/png': 'PNG',
  'image/jpeg': 'JPEG',
  'image/webp': 'WEBP',
  'application/fhir+json': 'FHIR (JSON)',
};

/** Describes the accepted size or file types when the error states them. */
const fileWords = ({ body = {} }: AppError['extras']): string => {
  const { max_bytes: most, accepted } = body as { max_bytes?: number; accepted?: readonly string[] };
  if (most) return `At most ${Math.floor(most / MEGABYTE)} MB are taken.`;
  const names = (accepted ?? []).map((type) => FILE_NAMES[type] ?? type);
  if (!names.length) return '';
  const heic = names.includes('JPEG') ? ' A picture that a phone stored as HEIC can be saved as JPEG first.' : '';
  return `Taken are ${names.join(', ')}, told by their content and not by their names.${heic}`;
};

/** Returns the text below the title, with the waiting time when the response states one. */
const wordsOf = ({ status, extras }: AppError, words: string): string => {
  if (status === 413 || status === 415) return `${fileWords(extras)} ${words}`.trim();
  const seconds = Number(extras.headers?.['Retry-After']);
  if (!(seconds > 0)) return words;
  if (status === 429)
    return `Please try again ${inWords(seconds)}. What you sent was not taken: go back and send it then.`;
  return status === 503 ? `Nothing is lost. Please try again ${inWords(seconds)}.` : words;
};

const FAULT: readonly [string, string] = [
  'Something went wrong on our side',
  'It has been written down. Please try again.',
];

/** Returns the title and text for a client error whose status has none of its own. */
const refusalOf = ({ detail }: AppError): readonly [string, string] => ['That cannot be done here', `${detail}.`];

const PATH_MARK = 'zq0path';
const REQUEST_MARK = 'zq0request';

/** Returns the initial text of the error page's search box: the last path segment, as words. */
const searchedFor = (path: string): string =>
  (path.split('/').at(-1) ?? '')
    .replace(/[^a-z0-9]+/gi, ' ')
    .trim()
    .slice(0, 80);

/** Returns a function that finds the menu section of a path: its first segment when a page begins with it, else "". */
const createSections = (plugins: readonly AnyPlugin[]): ((path: string) => string) => {
  const known = new Set(plugins.flatMap(({ pages = [] }) => pages.map(({ path }) => path.split('/')[1] ?? '')));
  return (path) => {
    const [, first = ''] = path.split('/', 2);
    return known.has(first) && first ? `/${first}` : '';
  };
};

export const createPageRenderer = ({ templatesDir, config, plugins }: RendererOptions): PageRenderer => {
  const assets = loadAssets(join(templatesDir, 'assets'));
  const template = createTemplates(templatesDir);
  const locals = baseLocals(config, assets);
  const base = createHash('sha256')
    .update(JSON.stringify([locals.site, assets.digest]))
    .digest('hex');
  const ajv = createViewAjv();
  const checks = new Map<Page, ValidateFunction>();
  const prepared = createPreparedPages();
  const sectionOf = createSections(plugins);
  const checkView = (page: Page, view: unknown): void => {
    const check = checks.get(page) ?? ajv.compile(page.view);
    checks.set(page, check);
    if (check(view)) return;
    const { instancePath = '', message = '' } = check.errors?.[0] ?? {};
    throw new Error(`The view of page ${page.id} is not what it declares: ${instancePath} ${message}`);
  };
  return {
    assets,
    render: (page, path, head, view) => {
      checkView(page, view);
      const twin = hasTwin(page) ? twinOf(path) : null;
      return template(page.template).render({ ...locals, path, head, twin, ...(view as object) });
    },
    errorPage: async (error, requestId, path) => {
      const [title, fixed] = WORDS[error.status] ?? (error.status < 500 ? refusalOf(error) : FAULT);
      const words = wordsOf(error, fixed);
      const near = (error.extras.body?.near ?? []) as readonly Near[];
      const problems = (error.extras.problems ?? []).map(({ loc, msg }) => `${String(loc.at(-1))}: ${msg}`);
      const head = { title, description: words, noindex: true };
      const { status } = error;
      // Responses to rate-limited requests are frequent, so this page must be small and cheaper than the page it replaces.
      if (status === 429) return template('errors/short').render({ ...locals, head, status, words, requestId });
      const render = (at: string, id: string): string =>
        template('errors/error').render({
          ...locals,
          path: at,
          searched: searchedFor(at),
          head,
          status,
          words,
          near,
          problems,
          requestId: id,
        });
      const section = sectionOf(path);
      if (near.length || problems.length || path === '/' || path === section) return render(path, requestId);
      const marked = `${section}/${PATH_MARK}`;
      const values = {
        [encodeURIComponent(marked)]: encodeURIComponent(path),
        [marked]: path,
        [PATH_MARK]: searchedFor(path),
        [REQUEST_MARK]: requestId,
      };
      return prepared.fill([status, title, words, section].join('\n'), values, () => render(marked, REQUEST_MARK));
    },
    digestOf: (page) => {
      const owner = plugins.find((plugin) => plugin.pages?.includes(page))?.name ?? '';
      return createHash('sha256')
        .update([base, owner, page.id, page.revision, template(page.template).closure].join('\0'))
        .digest('hex')
        .slice(0, 32);
    },
  };
};
