/** What the published build knows: which pages need not be made, and what others were. */

import type { Page, SitemapPart } from '#core/plugin.ts';
import type { Runtime } from '#core/runtime.ts';
import { LONGEST_VERSION } from '#core/site/index-writer.ts';
import { contentHash, type IndexedKind, type Place, type Run, type SiteIndex } from '#core/site/site-index.ts';
import type { Kind, PlannedPage, Published } from './plan.ts';

/** Raise it when the writing of pages changes. */
const GENERATOR_VERSION = 'generate-2';

interface Wanted {
  readonly kinds: readonly Kind[];
  readonly twins: boolean;
}

/** A kind of the index before, as it is now. */
interface KnownKind {
  /** In the kinds of now. */
  readonly number: number;
  /** Whether nothing that its pages share has changed. */
  readonly isSame: boolean;
}

export class PreviousBuild implements Published {
  /** Of the build before; null: everything is made. */
  readonly index: SiteIndex | null;
  readonly kinds: readonly Kind[];
  readonly twins: boolean;
  /** Changes with what sitemaps show beside the pages themselves. */
  readonly discovery: string;
  readonly #digests: readonly string[];
  readonly #numbers: ReadonlyMap<Page, number>;
  /** For each kind of before; null when there is none of its name any more. */
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

  /** The kinds of the build that is being made. */
  indexedKinds(states: ReadonlyMap<Page, string>): readonly IndexedKind[] {
    return this.kinds.map(({ plugin, page }, number) => ({
      plugin: plugin.name,
      page: page.id,
      digest: this.#digests[number] ?? '',
      state: states.get(page) ?? '',
    }));
  }

  /** The number of a page value in `kinds`. */
  kindOf(page: Page): number {
    return this.#numbers.get(page) ?? 0;
  }

  /** What an entry of the index before is now; null when it is no page, or one of a kind that is no more. */
  knownKind(number: number): KnownKind | null {
    if (this.index?.role(number) !== 'page') return null;
    return this.#known[this.index.kind(number)] ?? null;
  }

  stateOf(page: Page): string | null {
    const number = this.#numbers.get(page);
    const old = this.#known.findIndex((known) => known?.isSame && known.number === number);
    return this.index?.names.kinds[old]?.state || null;
  }

  /** Of all kinds that are made as they were. */
  states(): ReadonlyMap<Page, string> {
    return new Map(this.kinds.map(({ page }) => [page, this.stateOf(page) ?? '']));
  }

  pageAt(url: string): Page | null {
    const number = this.find(url);
    const known = number < 0 ? null : this.knownKind(number);
    return known?.isSame ? (this.kinds[known.number]?.page ?? null) : null;
  }

  /** Where an address stands in the index before; -1: nowhere. */
  find(url: string): number {
    return this.index?.find(url) ?? -1;
  }

  /** The published files of a part of the sitemap that has several, in their order. */
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

  /** Where each page of a plan stands. */
  numbersOf(pages: readonly PlannedPage[]): Int32Array {
    return Int32Array.from(pages, ({ url }) => this.find(url));
  }

  /** By the number of their kind: entries whose kind stays. */
  stayingRuns(staying: ReadonlySet<Page>): ReadonlyMap<number, readonly Run[]> {
    const found = new Map<number, Run[]>([...staying].map((page) => [this.kindOf(page), []]));
    for (const run of this.index?.runs ?? []) {
      const known = run.role === 'page' ? this.#known[run.kind] : null;
      if (known) found.get(known.number)?.push(run);
    }
    return found;
  }

  /** Whether the page shows what it was made of. */
  isUnchanged(number: number, { page, instance }: PlannedPage): boolean {
    if (!this.index || number < 0) return false;
    const known = this.knownKind(number);
    return (
      known?.isSame === true &&
      known.number === this.kindOf(page) &&
      this.index.isOfVersion(number, keptVersion(instance.version))
    );
  }

  /** Of the published bytes, when they may stay as they are; null when they are to be written anew. */
  hash(number: number): string | null {
    return this.index && number >= 0 && this.index.names.twins === this.twins ? this.index.hash(number) : null;
  }

  bytesOfPack(name: string): number {
    return this.#packs.get(name) ?? 0;
  }
}

/** A version as the index keeps it: as it is where it is short and plain, else its digest. */
export const keptVersion = (version: string): string =>
  version.length <= LONGEST_VERSION && /^[ -~]*$/.test(version) ? version : contentHash(Buffer.from(version));

/** Milliseconds since 1970; null when it is unknown or no date. Neighbours often changed at the same time. */
export const timeOf = (changedAt: string | null): number | null => {
  if (changedAt !== lastTime.text) lastTime = { text: changedAt, time: parsedTime(changedAt) };
  return lastTime.time;
};

let lastTime: { readonly text: string | null; readonly time: number | null } = { text: null, time: null };

const parsedTime = (changedAt: string | null): number | null => {
  const time = changedAt === null ? Number.NaN : Date.parse(changedAt);
  return Number.isNaN(time) ? null : time;
};
