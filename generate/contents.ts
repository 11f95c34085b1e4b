/**
 * Assembles the contents of a build: rendered pages, pages reused from the previous build, sitemaps, and the assets that pages
 * reference.
 */
import type { Page, SitemapPart } from '#core/plugin.ts';
import type { Runtime } from '#core/runtime.ts';
import { IndexWriter, STALE } from '#core/site/index-writer.ts';
import type { PackWriter } from '#core/site/pack-writer.ts';
import { contentHash, type IndexedEntry, type Run, type SiteIndex } from '#core/site/site-index.ts';
import { compactor, readForms } from './compaction.ts';
import type { MadePages } from './make-pages.ts';
import type { Plan } from './plan.ts';
import { keptVersion, type PreviousBuild, timeOf } from './previous-build.ts';
import { type Dated, discoveryFiles, type Listed, writeDates } from './sitemap.ts';
import { twinsOf } from './twins.ts';

/** How long assets that no page references any more stay published, for browsers that show an older page, in milliseconds. */
const ASSETS_STAY = 7 * 86_400_000;
const PAGE_TYPE = 'text/html; charset=utf-8';

interface Parts {
  readonly runtime: Runtime;
  readonly siteDir: string;
  readonly pack: PackWriter;
  readonly before: PreviousBuild;
  readonly plan: Plan;
  /** Entry number of each planned page in the previous build. */
  readonly numbers: Int32Array;
  readonly made: MadePages;
}

export interface Contents {
  readonly index: IndexWriter;
  readonly pages: number;
  /** Published pages that were not checked. */
  readonly stayed: number;
  readonly removed: number;
  /** Total size of all files in all encodings. */
  readonly bytes: number;
  /** Whether the build differs from the previous one, if only in versions. */
  readonly isNew: boolean;
}

export const writeContents = async (parts: Parts): Promise<Contents> => {
  const draft = new Draft(parts);
  draft.addPages();
  const removed = draft.countRemoved();
  await draft.addDiscovery();
  draft.addAssets();
  draft.addOldAssets();
  const { index, pages, stayed, bytes, isNew } = draft;
  return { index, pages, stayed, removed, bytes, isNew };
};

/** Values of the members that apply to pages only. */
const EXTRA = { kind: 0, version: '', changedAt: null };

interface Found extends Pick<IndexedEntry, 'changedAt'> {
  readonly url: string;
  /** Entry number in the previous build; below 0 when it has none. */
  readonly number: number;
  readonly isThere: boolean;
}

type Extra = Pick<IndexedEntry, 'path' | 'role' | 'type'> & { readonly body: Buffer };

class Draft {
  readonly index: IndexWriter;
  pages = 0;
  stayed = 0;
  isNew: boolean;
  readonly #parts: Parts;
  readonly #now = Date.now();
  readonly #staying: ReadonlyMap<number, readonly Run[]>;
  readonly #move: ReturnType<typeof compactor>;
  /** Flags of planned pages that are in the index, and of entries of the previous build that are accounted for. */
  readonly #added: Uint8Array;
  readonly #seen: Uint8Array;
  /** Flags of entries of the previous build whose bytes the new index reuses. */
  readonly #taken: Uint8Array;
  #addedBytes = 0;
  /** Ranges of the pages of each kind in the new index. */
  readonly #segments: { readonly part: SitemapPart | null; readonly from: number; readonly to: number }[] = [];
  /** Parts of the sitemap that changed, and other parts in which only the dates of pages changed. */
  readonly #changedParts = new Set<SitemapPart | null>();
  readonly #newDates = new Map<SitemapPart | null, Dated[]>();

  constructor(parts: Parts) {
    this.#parts = parts;
    const { before, plan } = parts;
    const expected = Math.max(plan.pages.length, before.index?.count ?? 0);
    const kinds = before.indexedKinds(plan.states);
    this.index = new IndexWriter({ kinds, twins: before.twins, discovery: before.discovery, entries: expected });
    this.isNew = before.index === null;
    this.#added = new Uint8Array(plan.pages.length);
    this.#seen = new Uint8Array(before.index?.count ?? 0);
    this.#taken = new Uint8Array(this.#seen.length);
    this.#staying = before.stayingRuns(plan.staying);
    this.#move = compactor(parts.siteDir, before.index, parts.pack, this.#kept());
  }

  /** Marks entries of the previous build that are reused. */
  #kept(): Uint8Array {
    const { numbers, made } = this.#parts;
    const kept = new Uint8Array(this.#seen.length);
    for (const runs of this.#staying.values()) for (const { from, to } of runs) kept.fill(1, from, to);
    for (const [at, page] of made.pages.entries()) {
      const number = numbers[at] ?? -1;
      if (number >= 0) kept[number] = page === 'unchanged' || (page && !page.place) ? 1 : 0;
    }
    return kept;
  }

  /** Total size of all files in all encodings: the previous total, minus removed files, plus new ones. */
  get bytes(): number {
    const { index } = this.#parts.before;
    let bytes = this.#addedBytes + (index?.names.about.bytes ?? 0);
    for (const number of zerosIn(this.#taken)) bytes -= index?.bytes(number) ?? 0;
    return bytes;
  }

  /** Adds the pages, grouped by kind, in the order of the plan or, for unchanged kinds, of the previous build. */
  addPages(): void {
    const { before, plan, numbers } = this.#parts;
    const ofKind = Map.groupBy(plan.pages.keys(), (at) => before.kindOf(plan.pages[at]?.page as Page));
    const lookedAt = [...numbers.keys()]
      .filter((at) => (numbers[at] as number) >= 0)
      .sort((one, other) => (numbers[one] as number) - (numbers[other] as number));
    for (const [kind, { page }] of before.kinds.entries()) {
      const from = this.index.count;
      this.#addStaying(kind, lookedAt);
      for (const at of ofKind.get(kind) ?? []) this.#addPlanned(at);
      this.#segments.push({ part: page.sitemap, from, to: this.index.count });
    }
    this.pages = this.index.count;
  }

  /** Adds the unchecked pages of a kind; checked pages between them keep their position. */
  #addStaying(kind: number, lookedAt: readonly number[]): void {
    const { plan, numbers } = this.#parts;
    for (const { from, to } of this.#staying.get(kind) ?? []) {
      let begin = from;
      for (const at of lookedAt) {
        const number = numbers[at] as number;
        if (number < from || number >= to) continue;
        if (begin < number) this.#stay({ from: begin, to: number, kind });
        if (plan.staying.has(plan.pages[at]?.page as Page)) this.#addPlanned(at);
        begin = number + 1;
      }
      if (begin < to) this.#stay({ from: begin, to, kind });
    }
  }

  #addPlanned(at: number): void {
    const { plan, numbers, made, before } = this.#parts;
    const [planned, result, number] = [plan.pages[at], made.pages[at], numbers[at] ?? -1];
    if (!planned || this.#added[at]) return;
    this.#added[at] = 1;
    if (number >= 0) this.#seen[number] = 1;
    const { url, page, instance } = planned;
    const changedAt = timeOf(instance.changedAt);
    this.#noteDate(page.sitemap, { url, changedAt, number, isThere: result !== null });
    if (!result) {
      if (number >= 0) this.isNew = true;
      return;
    }
    const common = { kind: before.kindOf(page), version: keptVersion(instance.version), changedAt };
    if (result === 'unchanged' || !result.place) this.#takeOver(number, url, common, result === 'unchanged');
    else {
      const { hash, place } = result;
      const modified = this.#modified(number, hash);
      this.#add({ ...common, path: url, role: 'page', type: PAGE_TYPE, hash, modified, place });
    }
  }

  #noteDate(part: SitemapPart | null, { url, changedAt, number, isThere }: Found): void {
    const { index } = this.#parts.before;
    const last = index && number >= 0 ? index.changedAt(number) : null;
    if (!isThere || number < 0 || (last === null) !== (changedAt === null)) this.#changedParts.add(part);
    else if (changedAt !== null && last !== changedAt) {
      const dates = this.#newDates.get(part) ?? [];
      this.#newDates.set(part, dates);
      dates.push({ url, changedAt });
    }
  }

  /** Adds pages that were not checked, in bulk when none of their entries changes. */
  #stay(run: { readonly from: number; readonly to: number; readonly kind: number }): void {
    const { before } = this.#parts;
    const index = before.index as SiteIndex;
    const { from, to, kind } = run;
    const isStale = !before.knownKind(from)?.isSame;
    this.stayed += to - from;
    this.#seen.fill(1, from, to);
    this.#taken.fill(1, from, to);
    if (!isStale && !this.#move.isAny) {
      this.index.stay(index, run);
      return;
    }
    for (let number = from; number < to; number += 1) {
      const rest = { kind, ...(isStale && { version: STALE }) };
      const place = this.#move.placeOf(number) ?? index.place(number);
      this.index.add({ ...index.entry(number), ...rest, place });
    }
  }

  /** Counts the pages of the previous build that are not in the plan. */
  countRemoved(): number {
    const { before } = this.#parts;
    let removed = 0;
    for (const number of zerosIn(this.#seen)) {
      if (before.index?.role(number) !== 'page') continue;
      removed += 1;
      const kind = before.knownKind(number)?.number ?? -1;
      this.#changedParts.add(before.kinds[kind]?.page.sitemap ?? null);
    }
    if (removed) this.isNew = true;
    return removed;
  }

  /** Returns the time of modification: bytes that were already published keep theirs, even when they moved to another pack. */
  #modified(number: number, hash: string): number {
    const { index } = this.#parts.before;
    return index && number >= 0 && index.hash(number) === hash ? index.modified(number) : this.#now;
  }

  #add(entry: IndexedEntry): void {
    this.index.add(entry);
    this.#addedBytes += entry.place.identity + entry.place.gzip + entry.place.br;
    this.isNew = true;
  }

  #takeOver(
    number: number,
    path: string,
    rest: Pick<IndexedEntry, 'kind' | 'version' | 'changedAt'>,
    same: boolean,
  ): void {
    const { index } = this.#parts.before;
    if (!index) throw new Error(`${path} is taken over from nowhere`);
    this.#taken[number] = 1;
    const moved = this.#move.placeOf(number);
    if (moved) this.index.add({ ...index.entry(number), ...rest, path, place: moved });
    else this.index.takeOver(index, number, path, rest);
    if (!same || index.changedAt(number) !== rest.changedAt) this.isNew = true;
  }

  /** Adds a file that is generated in each build; its bytes are written only when they differ. */
  #addExtra({ path, role, type, body }: Extra): void {
    const { before, pack } = this.#parts;
    const hash = contentHash(body);
    const number = before.find(path);
    if (before.hash(number) === hash) this.#takeOver(number, path, EXTRA, true);
    else {
      const place = pack.add(body, twinsOf(body, before.twins && /^(text|application)\/|svg/.test(type)));
      this.#add({ ...EXTRA, path, role, type, hash, modified: this.#modified(number, hash), place });
    }
  }

  #listed(): ReadonlyMap<SitemapPart | null, Listed> {
    const { index } = this;
    const numbers = new Map(
      [...Map.groupBy(this.#segments, ({ part }) => part)].map(([part, segments]) => [part, numbersIn(segments)]),
    );
    return new Map(
      [...numbers].map(([part, entries]) => [
        part,
        {
          length: entries.length,
          url: (at) => index.path(entries[at] ?? 0),
          copyUrl: (at, into, from) => index.copyPath(entries[at] ?? 0, into, from),
          changedAt: (at) => index.changedAt(entries[at] ?? 0),
        },
      ]),
    );
  }

  async addDiscovery(): Promise<void> {
    const { runtime, before } = this.#parts;
    const isSame = before.index?.names.discovery === before.discovery;
    const stays = (path: string, part: SitemapPart): boolean =>
      isSame && !this.#changedParts.has(part) && !this.#newDates.has(part) && before.hash(before.find(path)) !== null;
    const baseUrl = runtime.config.text('BASE_URL');
    const dated = isSame && this.#isInOrder('products') ? this.#withDates('products', baseUrl) : null;
    for await (const { path, text } of discoveryFiles(this.#listed(), { baseUrl, stays, dated })) {
      const type = path.endsWith('.xml') ? 'application/xml; charset=utf-8' : 'text/plain; charset=utf-8';
      if (text !== null)
        this.#addExtra({ path, role: 'discovery', type, body: Buffer.isBuffer(text) ? text : Buffer.from(text) });
      else this.#takeOver(before.find(path), path, EXTRA, true);
    }
  }

  /** Returns whether a part contains the same pages as the previous build, in the same order. */
  #isInOrder(part: SitemapPart): boolean {
    const { plan, before } = this.#parts;
    const isStaying = before.kinds.every(({ page }) => page.sitemap !== part || plan.staying.has(page));
    return isStaying && !this.#changedParts.has(part) && this.#newDates.has(part);
  }

  /** Returns the published sitemap files of a part with updated dates; null when a file does not have the expected format. */
  #withDates(part: SitemapPart, baseUrl: string): ReadonlyMap<string, Buffer> | null {
    const { siteDir, before } = this.#parts;
    const files = before.numbered(part).map(({ path, place }) => ({ path, file: readForms(siteDir, place).identity }));
    return writeDates(files, this.#newDates.get(part) ?? [], baseUrl)
      ? new Map(files.map(({ path, file }) => [path, file]))
      : null;
  }

  /**
   * Adds the current assets. Pages reference them by a hash of their content, so they are published with the pages and do not
   * depend on the version of the program that runs later.
   */
  addAssets(): void {
    for (const { url, type, body } of this.#parts.runtime.pages.assets.all)
      this.#addExtra({ path: url, role: 'asset', type, body });
  }

  /** Adds assets of earlier builds for a limited time; `changedAt` is the time since which no page references them. */
  addOldAssets(): void {
    const { runtime, before } = this.#parts;
    if (!before.index) return;
    for (const number of before.index.runs.flatMap((run) => (run.role === 'asset' ? [...numbersIn([run])] : []))) {
      const path = before.index.path(number);
      if (runtime.pages.assets.find(path)) continue;
      const since = before.index.changedAt(number) ?? this.#now;
      if (this.#now - since < ASSETS_STAY)
        this.#takeOver(number, path, { kind: 0, version: '', changedAt: since }, true);
    }
  }
}

/** Yields the positions of the flags that are 0. */
function* zerosIn(flags: Uint8Array): Iterable<number> {
  for (let at = flags.indexOf(0); at >= 0; at = flags.indexOf(0, at + 1)) yield at;
}

const numbersIn = (segments: readonly { readonly from: number; readonly to: number }[]): Int32Array => {
  const numbers = new Int32Array(segments.reduce((sum, { from, to }) => sum + to - from, 0));
  let at = 0;
  for (const { from, to } of segments) for (let number = from; number < to; number += 1) numbers[at++] = number;
  return numbers;
};
