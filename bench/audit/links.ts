/**
 * Checks the links of a site: each internal link must return a success status, each fragment must exist, and each external link
 * must be well formed.
 */
import { factsOf } from './page-facts.ts';

export interface LinkReport {
  readonly pages: number;
  readonly links: number;
  /** Number of distinct addresses of this site that pages link to. */
  readonly targets: number;
  readonly outside: number;
  /** Messages with the page, the link and the error; at most three pages per broken link. */
  readonly broken: readonly string[];
}

export interface LinkCheck {
  /** Address at which the site is served: `http://127.0.0.1:3000`. */
  readonly url: string;
  /** Public base URL of the site: links to it are internal. */
  readonly baseUrl: string;
  /** Paths of the pages to read. */
  readonly paths: readonly string[];
  /** Addresses that are known to exist; all others are requested. */
  readonly known?: ReadonlySet<string>;
}

/** Required form of external addresses that contain an identifier. */
const IDENTIFIED: readonly (readonly [RegExp, RegExp])[] = [
  [/^pubmed\.|ncbi\.nlm\.nih\.gov\/pubmed/, /^https:\/\/pubmed\.ncbi\.nlm\.nih\.gov\/\d{1,8}\/$/],
  [/\bdoi\.org/, /^https:\/\/doi\.org\/10\.\d{4,9}\/\S+$/],
  [/clinicaltrials\.gov\/./, /^https:\/\/clinicaltrials\.gov\/study\/NCT\d{8}$/],
];

const wrongOutside = (href: string): string | null => {
  if (/^(mailto|tel):/.test(href)) return null;
  if (!URL.canParse(href) || !href.startsWith('https://')) return 'is no https address';
  const { host } = new URL(href);
  if (!/^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(host)) return 'names no host';
  const rule = IDENTIFIED.find(([which]) => which.test(`${host}${new URL(href).pathname}`));
  return rule && !rule[1].test(href) ? 'is no address of an identifier' : null;
};

/** Maximum number of concurrent requests. */
const SIDE_BY_SIDE = 8;

const inParallel = async <T>(items: Iterable<T>, work: (item: T) => Promise<void>): Promise<void> => {
  const queue = items[Symbol.iterator]();
  const worker = async (): Promise<void> => {
    for (let next = queue.next(); !next.done; next = queue.next()) await work(next.value);
  };
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, worker));
};

/** Data collected while pages are read. */
interface Gathered {
  /** Linked fragments by address, each with up to three of the pages that link to it. */
  readonly wanted: Map<string, Map<string, string[]>>;
  /** Fragments that exist at an address. */
  readonly ids: Map<string, ReadonlySet<string>>;
  readonly outside: Map<string, string[]>;
  links: number;
}

const note = (map: Map<string, string[]>, key: string, from: string): void => {
  const pages = map.get(key) ?? [];
  if (pages.length < 3) pages.push(from);
  map.set(key, pages);
};

const gather = (
  { wanted, ids, outside }: Gathered,
  { path, html, check }: { path: string; html: string; check: LinkCheck },
): number => {
  const facts = factsOf(html);
  ids.set(path, new Set(facts.ids));
  for (const href of [...facts.links.map((link) => link.href), ...facts.assets]) {
    const own = href.startsWith(check.baseUrl) ? href.slice(check.baseUrl.length) || '/' : href;
    if (/^[a-z][a-z0-9+.-]*:|^\/\//i.test(own)) {
      note(outside, own, path);
      continue;
    }
    const { pathname, search, hash } = new URL(own, `http://site${path}`);
    const target = `${pathname}${search}`;
    const fragments = wanted.get(target) ?? new Map<string, string[]>();
    wanted.set(target, fragments);
    note(fragments, decodeURIComponent(hash.slice(1)), path);
  }
  return facts.links.length;
};

/** Returns the final status of an address after redirects, and its HTML if it is a page. */
const ask = async (url: string, target: string): Promise<{ status: number; html: string }> => {
  const reply = await fetch(`${url}${target}`, { headers: { 'X-Forwarded-For': '10.9.8.7' } });
  const isPage = reply.headers.get('content-type')?.startsWith('text/html');
  if (!isPage) await reply.body?.cancel();
  return { status: reply.status, html: isPage ? await reply.text() : '' };
};

/** Reads the pages, then requests each linked address that is not known once. */
export const checkLinks = async (check: LinkCheck): Promise<LinkReport> => {
  const gathered: Gathered = { wanted: new Map(), ids: new Map(), outside: new Map(), links: 0 };
  const broken: string[] = [];
  await inParallel(check.paths, async (path) => {
    const { status, html } = await ask(check.url, path);
    if (status !== 200) broken.push(`${path} answers ${status}`);
    else gathered.links += gather(gathered, { path, html, check });
  });
  await inParallel(gathered.wanted, async ([target, fragments]) => {
    const asked = [...fragments].filter(([fragment]) => fragment);
    const from = [...fragments.values()].flat().slice(0, 3).join(', ');
    if (!gathered.ids.has(target) && !(check.known?.has(target) && asked.length === 0)) {
      const { status, html } = await ask(check.url, target);
      if (status !== 200) broken.push(`${from}: ${target} answers ${status}`);
      if (status !== 200) return;
      gathered.ids.set(target, new Set(asked.length ? factsOf(html).ids : []));
    }
    for (const [fragment, pages] of asked)
      if (!gathered.ids.get(target)?.has(fragment)) broken.push(`${pages.join(', ')}: ${target} has no #${fragment}`);
  });
  for (const [href, pages] of gathered.outside) {
    const wrong = wrongOutside(href);
    if (wrong) broken.push(`${pages.join(', ')}: ${href} ${wrong}`);
  }
  return {
    pages: check.paths.length,
    links: gathered.links,
    targets: gathered.wanted.size,
    outside: gathered.outside.size,
    broken: broken.sort(),
  };
};
