/** What the published build knows: which pages need not be made, and what others were. */

import type { Page } from '#core/plugin.ts';
import type { Runtime } from '#core/runtime.ts';
import { LONGEST_VERSION } from '#core/site/index-writer.ts';
import { contentHash, type IndexedKind, type SiteIndex } from '#core/site/site-index.ts';
import type { Kind, PlannedPage } from './plan.ts';

/** Raise it when the writing of pages changes. */
const GENERATOR_VERSION = 'generate-2';

interface Wanted {
  readonly kinds: readonly Kind[];
  readonly twins: boolean;
}

export class Before {
  /** Of the build before; null: everything is made. */
  readonly index: SiteIndex | null;
  /** Of the build that is being made. */
  readonly kinds: readonly IndexedKind[];
  readonly twins: boolean;
  readonly #numbers: ReadonlyMap<Page, number>;
  /** For each kind of before, its number now where nothing that its pages share has changed; else -1. */
  readonly #sameKind: readonly number[];
  readonly #packs: ReadonlyMap<string, number>;

  constructor(runtime: Runtime, index: SiteIndex | null, { kinds, twins }: Wanted) {
    this.index = index;
    this.twins = twins;
    this.kinds = kinds.map(({ plugin, page }) => ({
      plugin: plugin.name,
      page: page.id,
      digest: contentHash(Buffer.from([GENERATOR_VERSION, twins, runtime.pages.digestOf(page)].join('\0'))),
    }));
    this.#numbers = new Map(kinds.map(({ page }, number) => [page, number]));
    const now = new Map(this.kinds.map(({ plugin, page, digest }, number) => [`${plugin}/${page}/${digest}`, number]));
    this.#sameKind = (index?.names.kinds ?? []).map(
      ({ plugin, page, digest }) => now.get(`${plugin}/${page}/${digest}`) ?? -1,
    );
    this.#packs = new Map((index?.names.packs ?? []).map(({ name, bytes }) => [name, bytes]));
  }

  /** The number of a page value in `kinds`. */
  kindOf(page: Page): number {
    return this.#numbers.get(page) ?? 0;
  }

  /** Where an address stands in the index before; -1: nowhere. */
  find(url: string): number {
    return this.index?.find(url) ?? -1;
  }

  /** Where each page of a plan stands. */
  numbersOf(plan: readonly PlannedPage[]): Int32Array {
    return Int32Array.from(plan, ({ url }) => this.find(url));
  }

  /** Whether pages of a kind of the index before would be made in the same way now. */
  isCurrentKind(kind: number): boolean {
    return (this.#sameKind[kind] ?? -1) >= 0;
  }

  /** Whether the page shows what it was made of. */
  isUnchanged(number: number, { page, instance }: PlannedPage): boolean {
    if (!this.index || number < 0 || this.index.role(number) !== 'page') return false;
    return (
      this.#sameKind[this.index.kind(number)] === this.kindOf(page) &&
      this.index.isOfVersion(number, keptVersion(instance.version))
    );
  }

  /** Of the published bytes, when they may stay as they are; null when they are to be written anew. */
  hash(number: number): string | null {
    return this.index && number >= 0 && this.index.names.twins === this.twins ? this.index.hash(number) : null;
  }

  /** Pages of before that are in no plan. */
  countRemoved(numbers: Int32Array): number {
    if (!this.index) return 0;
    let pages = 0;
    for (let number = 0; number < this.index.count; number += 1) if (this.index.role(number) === 'page') pages += 1;
    return pages - numbers.reduce((found, number) => found + (number < 0 ? 0 : 1), 0);
  }

  bytesOfPack(name: string): number {
    return this.#packs.get(name) ?? 0;
  }
}

/** A version as the index keeps it: as it is where it is short and plain, else its digest. */
export const keptVersion = (version: string): string =>
  version.length <= LONGEST_VERSION && /^[ -~]*$/.test(version) ? version : contentHash(Buffer.from(version));

/** Milliseconds since 1970; null when it is unknown or no date. */
export const timeOf = (changedAt: string | null): number | null => {
  const time = changedAt === null ? Number.NaN : Date.parse(changedAt);
  return Number.isNaN(time) ? null : time;
};
