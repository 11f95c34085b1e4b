/** Reads the index of the published build: which pages can be reused, and the properties of earlier ones. */

import type { Page, SitemapPart } from '#core/plugin.ts';
import type { Runtime } from '#core/runtime.ts';
import { LONGEST_VERSION } from '#core/site/index-writer.ts';
import { contentHash, type IndexedKind, type Place, type Run, type SiteIndex } from '#core/site/site-index.ts';
import type { Kind, PlannedPage, Published } from './plan.ts';

/** Increase it when the way pages are generated changes. */
const GENERATOR_VERSION = 'generate-2';

interface Wanted {
  readonly kinds: readonly Kind[];
  readonly twins: boolean;
}

/** The current equivalent of a page kind in the previous index. */
interface KnownKind {
  /** Position in the current kinds. */
  readonly number: number;
  /** Whether everything that its pages share is unchanged. */
  readonly isSame: boolean;
}

export class PreviousBuild implements Published {
  /** The index of the previous build; null when all pages must be generated. */
  readonly index: SiteIndex | null;
  readonly kinds: readonly Kind[];
  readonly twins: boolean;
  /** Changes with the content of sitemaps that does not come from the pages themselves. */
  readonly discovery: string;
  readonly #digests: readonly string[];
  readonly #numbers: ReadonlyMap<Page, number>;
  /** One entry for each kind of the previous build; null when no current kind has its name. */
  readonly #known: readonly (KnownKind | null)[];
  readonly #packs: ReadonlyMap<string, number>;

  constructor(runtime: Runtime, index: SiteIndex | null, { kinds, twins }: Wanted) {
    this.index = index;
    this.twins = twins;
    this.kinds = kinds;
    this.#digests = kinds.map(({ page }) =>
      contentHash(Buffer.from([GENERATOR_VERSION, twins, runtime.pages.digestOf(page)].join('\0'))),
    );
    const parts = kinds.map(({ plugin, page }) => `${plugin.name}/${page.id} ${page.sitemap}`);
    this.discovery = contentHash(
      Buffer.from([GENERATOR_VERSION, runtime.config.text('BASE_URL'), ...parts].join('\n')),
    );
    this.#numbers = new Map(kinds.map(({ page }, number) => [page, number]));
    const now = new Map(kinds.map(({ plugin, page }, number) => [`${plugin.name}/${page.id}`, number]));
    this.#known = (index?.names.kinds ?? []).map(({ plugin, page, digest }) => {
      const number = now.get(`${plugin}/${page}`);
      return number === undefined ? null : { number, isSame: this.#digests[number] === digest };
    });
    this.#packs = new Map((index?.names.packs ?? []).map(({ name, bytes }) => [name, bytes]));
  }

  /** Returns the kinds of the new build. */
  indexedKinds(states: ReadonlyMap<Page, string>): readonly IndexedKind[] {
    return this.kinds.map(({ plugin, page }, number) => ({
      plugin: plugin.name,
      page: page.id,
      digest: this.#digests[number] ?? '',
      state: states.get(page) ?? '',
    }));
  }

  /** Returns the position of a page definition in `kinds`. */
  kindOf(page: Page): number {
    return this.#numbers.get(page) ?? 0;
  }

  /** Returns the current kind of an entry of the previous index; null when it is no page, or when its kind no longer exists. */
  knownKind(number: number): KnownKind | null {
    if (this.index?.role(number) !== 'page') return null;
    return this.#known[this.index.kind(number)] ?? null;
  }

  stateOf(page: Page): string | null {
    const number = this.#numbers.get(page);
    const old = this.#known.findIndex((known) => known?.isSame && known.number === number);
    return this.index?.names.kinds[old]?.state || null;
  }

  /** Returns the published states of all kinds; "" for kinds whose shared parts changed. */
  states(): ReadonlyMap<Page, string> {
    return new Map(this.kinds.map(({ page }) => [page, this.stateOf(page) ?? '']));
  }

  pageAt(url: string): Page | null {
    const number = this.find(url);
    const known = number < 0 ? null : this.knownKind(number);
    return known?.isSame ? (this.kinds[known.number]?.page ?? null) : null;
  }

  /** Returns the entry number of an address in the previous index; -1 when it is not found. */
  find(url: string): number {
    return this.index?.find(url) ?? -1;
  }

  /** Returns the published files of a sitemap part that is split into several, in order. */
  numbered(part: SitemapPart): readonly { readonly path: string; readonly place: Place }[] {
    const files: { path: string; place: Place }[] = [];
    for (let chunk = 1; this.index; chunk += 1) {
      const path = `/sitemap-${part}-${chunk}.xml`;
      const number = this.index.find(path);
      if (number < 0) break;
      files.push({ path, place: this.index.place(number) });
    }
    return files;
  }

  /** Returns the entry number of each planned page. */
  numbersOf(pages: readonly PlannedPage[]): Int32Array {
    return Int32Array.from(pages, ({ url }) => this.find(url));
  }

  /** Returns the entries of unchanged kinds, by kind number. */
  stayingRuns(staying: ReadonlySet<Page>): ReadonlyMap<number, readonly Run[]> {
    const found = new Map<number, Run[]>([...staying].map((page) => [this.kindOf(page), []]));
    for (const run of this.index?.runs ?? []) {
      const known = run.role === 'page' ? this.#known[run.kind] : null;
      if (known) found.get(known.number)?.push(run);
    }
    return found;
  }

  /** Returns whether the published page is up to date. */
  isUnchanged(number: number, { page, instance }: PlannedPage): boolean {
    if (!this.index || number < 0) return false;
    const known = this.knownKind(number);
    return (
      known?.isSame === true &&
      known.number === this.kindOf(page) &&
      this.index.isOfVersion(number, keptVersion(instance.version))
    );
  }

  /** Returns the hash of the published bytes when they can be reused; null when the page must be written again. */
  hash(number: number): string | null {
    return this.index && number >= 0 && this.index.names.twins === this.twins ? this.index.hash(number) : null;
  }

  bytesOfPack(name: string): number {
    return this.#packs.get(name) ?? 0;
  }
}

/** Returns a version as the index stores it: unchanged when it is short and plain ASCII, otherwise its digest. */
export const keptVersion = (version: string): string =>
  version.length <= LONGEST_VERSION && /^[ -~]*$/.test(version) ? version : contentHash(Buffer.from(version));

/**
 * Parses a date into milliseconds since 1970; null when it is unknown or invalid. The last result is cached, because neighbouring
 * pages often changed at the same time.
 */
export const timeOf = (changedAt: string | null): number | null => {
  if (changedAt !== lastTime.text) lastTime = { text: changedAt, time: parsedTime(changedAt) };
  return lastTime.time;
};

let lastTime: { readonly text: string | null; readonly time: number | null } = { text: null, time: null };

const parsedTime = (changedAt: string | null): number | null => {
  const time = changedAt === null ? Number.NaN : Date.parse(changedAt);
  return Number.isNaN(time) ? null : time;
};
