/** Brings together what a build consists of: pages made and taken over, sitemaps, and the assets that pages name. */
import type { Runtime } from '#core/runtime.ts';
import { IndexWriter } from '#core/site/index-writer.ts';
import type { PackWriter } from '#core/site/pack-writer.ts';
import { contentHash, type IndexedEntry } from '#core/site/site-index.ts';
import { type Before, keptVersion, timeOf } from './before.ts';
import { compactor } from './compaction.ts';
import type { MadePages } from './make-pages.ts';
import type { PlannedPage } from './plan.ts';
import { discoveryFiles, type ListedPage } from './sitemap.ts';
import { twinsOf } from './twins.ts';

/** How long assets that no page names any more stay for browsers that have an older page, in milliseconds. */
const ASSETS_STAY = 7 * 86_400_000;
const PAGE_TYPE = 'text/html; charset=utf-8';

interface Parts {
  readonly runtime: Runtime;
  readonly siteDir: string;
  readonly pack: PackWriter;
  readonly before: Before;
  readonly plan: readonly PlannedPage[];
  /** Where each of them stands in the build before. */
  readonly numbers: Int32Array;
  readonly made: MadePages;
}

export interface Contents {
  readonly index: IndexWriter;
  readonly pages: number;
  /** Of all forms of everything. */
  readonly bytes: number;
  /** Whether it differs from the build before, if only in versions. */
  readonly isNew: boolean;
}

export const writeContents = async (parts: Parts): Promise<Contents> => {
  const draft = new Draft(parts);
  const listed = draft.addPages();
  await draft.addDiscovery(listed);
  draft.addAssets();
  draft.addOldAssets();
  return { index: draft.index, pages: listed.length, bytes: draft.bytes, isNew: draft.isNew };
};

type Extra = Pick<IndexedEntry, 'path' | 'role' | 'type'> & { readonly body: Buffer };

class Draft {
  readonly index: IndexWriter;
  bytes = 0;
  isNew = false;
  readonly #parts: Parts;
  readonly #now = Date.now();
  readonly #move: ReturnType<typeof compactor>;

  constructor(parts: Parts) {
    this.#parts = parts;
    const { before, plan, numbers } = parts;
    this.index = new IndexWriter({ kinds: before.kinds, twins: before.twins, entries: plan.length });
    this.#move = compactor(parts.siteDir, before.index, parts.pack, this.#keptNumbers());
    this.isNew = before.index === null || before.countRemoved(numbers) > 0;
  }

  /** Entries of the build before that stay. */
  *#keptNumbers(): Iterable<number> {
    const { numbers, made } = this.#parts;
    for (const [at, page] of made.pages.entries())
      if (page === 'unchanged' || (page && !page.place)) yield numbers[at] ?? -1;
  }

  /** Pages in the order of the plan. Answers those that are there, for the sitemaps. */
  addPages(): readonly ListedPage[] {
    const { plan, numbers, made, before } = this.#parts;
    const listed: ListedPage[] = [];
    for (const [at, { url, page, instance }] of plan.entries()) {
      const result = made.pages[at];
      const number = numbers[at] ?? -1;
      if (!result) {
        if (number >= 0) this.isNew = true;
        continue;
      }
      const changedAt = timeOf(instance.changedAt);
      const common = { kind: before.kindOf(page), version: keptVersion(instance.version), changedAt };
      if (result === 'unchanged' || !result.place) this.#takeOver(number, url, common, result === 'unchanged');
      else
        this.#add({
          ...common,
          path: url,
          role: 'page',
          type: PAGE_TYPE,
          hash: result.hash,
          modified: this.#modified(number, result.hash),
          place: result.place,
        });
      listed.push({ url, part: page.sitemap, changedAt });
    }
    return listed;
  }

  /** Bytes that were published before keep their date, whatever pack they lie in now. */
  #modified(number: number, hash: string): number {
    const { index } = this.#parts.before;
    return index && number >= 0 && index.hash(number) === hash ? index.modified(number) : this.#now;
  }

  #add(entry: IndexedEntry): void {
    this.index.add(entry);
    this.bytes += entry.place.identity + entry.place.gzip + entry.place.br;
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
    this.bytes += index.bytes(number);
    const moved = this.#move(number);
    if (moved) this.index.add({ ...index.entry(number), ...rest, path, place: moved });
    else this.index.takeOver(index, number, path, rest);
    if (!same || index.changedAt(number) !== rest.changedAt) this.isNew = true;
  }

  /** Files that are made each time; written only when they differ. */
  #addExtra({ path, role, type, body }: Extra): void {
    const { before, pack } = this.#parts;
    const hash = contentHash(body);
    const number = before.find(path);
    const rest = { kind: 0, version: '', changedAt: null };
    if (before.hash(number) === hash) this.#takeOver(number, path, rest, true);
    else {
      const place = pack.add(body, twinsOf(body, before.twins && /^(text|application)\/|svg/.test(type)));
      this.#add({ ...rest, path, role, type, hash, modified: this.#modified(number, hash), place });
    }
  }

  async addDiscovery(listed: readonly ListedPage[]): Promise<void> {
    for (const { path, text } of await discoveryFiles(listed, this.#parts.runtime.config.text('BASE_URL'))) {
      const type = path.endsWith('.xml') ? 'application/xml; charset=utf-8' : 'text/plain; charset=utf-8';
      this.#addExtra({ path, role: 'discovery', type, body: Buffer.from(text) });
    }
  }

  /** The pages name them by their content: they stay beside the pages, whatever the program has by then. */
  addAssets(): void {
    for (const { url, type, body } of this.#parts.runtime.pages.assets.all)
      this.#addExtra({ path: url, role: 'asset', type, body });
  }

  /** Those of earlier builds, for a while: `changedAt` is when they went out of use. */
  addOldAssets(): void {
    const { runtime, before } = this.#parts;
    if (!before.index) return;
    for (let number = 0; number < before.index.count; number += 1) {
      if (before.index.role(number) !== 'asset') continue;
      const path = before.index.path(number);
      if (runtime.pages.assets.find(path)) continue;
      const since = before.index.changedAt(number) ?? this.#now;
      if (this.#now - since < ASSETS_STAY)
        this.#takeOver(number, path, { kind: 0, version: '', changedAt: since }, true);
    }
  }
}
