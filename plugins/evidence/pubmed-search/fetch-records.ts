/** Fetches the records of a list of PMIDs in pages, and reports for each PMID its record or the reason why it is missing. */

import type { Eutilities } from '../importers/eutilities.ts';
import { type History, HistoryLost } from '../importers/eutilities-answers.ts';
import { pause, RemoteFailure } from '../importers/patient-fetch.ts';
import type { ImportEvent } from '../source-record.ts';
import { NcbiAway } from './ncbi-away.ts';

type GoodEvent = Exclude<ImportEvent, { type: 'problem' }>;

export type Fetched =
  | { readonly type: 'fetched'; readonly pmid: string; readonly events: readonly GoodEvent[] }
  | { readonly type: 'missing'; readonly pmid: string; readonly reason: string };

/** Number of PMIDs posted to the NCBI history server at once; PubMed returns at most 9,999 records of one list. */
const POSTED = 5_000;
/**
 * Numbers of records per page. Records missing from a page are requested again in smaller pages, so that one record that cannot
 * be sent does not block the others.
 */
const [PAGE, SMALL_PAGE, SINGLE] = [200, 20, 1];
/** Number of pages prefetched while one is being written, so that network and database work concurrently. */
const AHEAD = 2;
/** Number of consecutive failures after which NCBI counts as unavailable, rather than a record as broken. */
const MOST_FAILURES = 3;
const REPOST_PAUSE_MS = 1_000;

type Page = { readonly events: readonly ImportEvent[] } | { readonly error: unknown };

/** Yields the pages of a posted list in order, prefetching some of them. */
async function* pagesAhead(
  client: Eutilities,
  history: History,
  { count, size }: { readonly count: number; readonly size: number },
  signal: AbortSignal,
): AsyncGenerator<Page> {
  const abandoned = new AbortController();
  const fetchPage = (start: number): Promise<Page> =>
    client.efetch(history, { start, size }, AbortSignal.any([signal, abandoned.signal])).then(
      (events) => ({ events }),
      (error: unknown) => ({ error }),
    );
  const coming: Promise<Page>[] = [];
  try {
    for (let start = 0; start < count || coming.length > 0; start += size) {
      if (start < count) coming.push(fetchPage(start));
      if (start < count && coming.length <= AHEAD) continue;
      const page = await coming.shift();
      signal.throwIfAborted();
      if (page) yield page;
    }
  } finally {
    // Abort prefetched pages that nobody reads, which would otherwise be requested and retried.
    abandoned.abort();
  }
}

const PMID_IN_PROBLEM = /\(PMID (\d+)\)/;

/** Requests each PMID of a list once and records why some are missing. */
class Round {
  readonly #client: Eutilities;
  readonly #size: number;
  readonly #signal: AbortSignal;
  /** Reasons why PMIDs are missing: a page failed, or the record cannot be parsed. */
  readonly reasons = new Map<string, string>();
  readonly left: Set<string>;
  /** Number of failures since the last received record. */
  #failures = 0;

  constructor(client: Eutilities, pmids: readonly string[], size: number, signal: AbortSignal) {
    this.#client = client;
    this.#size = size;
    this.#signal = signal;
    this.left = new Set(pmids);
  }

  async *fetch(): AsyncGenerator<Fetched> {
    const all = [...this.left];
    for (let start = 0; start < all.length; start += POSTED) yield* this.#part(all.slice(start, start + POSTED));
  }

  /** Posts the PMIDs of a part that are still missing, and posts them again when NCBI loses the list. */
  async *#part(part: readonly string[]): AsyncGenerator<Fetched> {
    for (;;) {
      const posted = part.filter((pmid) => this.left.has(pmid));
      if (!posted.length) return;
      const lost = yield* this.#posted(posted);
      if (!lost) return;
      await pause(REPOST_PAUSE_MS, this.#signal);
    }
  }

  /** Fetches the pages of a posted list. Returns whether NCBI lost the list before its end. */
  async *#posted(posted: readonly string[]): AsyncGenerator<Fetched, boolean> {
    let history: History;
    try {
      history = await this.#client.epost(posted, this.#signal);
    } catch (error) {
      this.#note(error, posted);
      return false;
    }
    const extent = { count: posted.length, size: this.#size };
    let failed: unknown = null;
    for await (const page of pagesAhead(this.#client, history, extent, this.#signal)) {
      if ('events' in page) {
        yield* this.#wanted(page.events);
        continue;
      }
      this.#count(page.error);
      if (page.error instanceof HistoryLost) return true;
      failed = page.error;
    }
    if (failed) this.#note(failed, posted, false);
    return false;
  }

  /** Yields the events of each requested PMID; ignores duplicates. */
  *#wanted(events: readonly ImportEvent[]): Generator<Fetched> {
    for (const { pmid, events: mine } of byPmid(events, this.reasons)) {
      if (!this.left.delete(pmid)) continue;
      this.#failures = 0;
      yield { type: 'fetched', pmid, events: mine };
    }
  }

  #note(error: unknown, pmids: readonly string[], counts = true): void {
    if (counts) this.#count(error);
    const reason = `NCBI ${error instanceof Error ? error.message : String(error)}`;
    for (const pmid of pmids) if (this.left.has(pmid)) this.reasons.set(pmid, reason);
  }

  #count(error: unknown): void {
    this.#signal.throwIfAborted();
    if (!(error instanceof RemoteFailure)) throw error;
    this.#failures += 1;
    if (this.#failures >= MOST_FAILURES) throw new NcbiAway(error);
  }
}

/**
 * Groups the events of a page by PMID (a record with its notices, or a withdrawal), and records why a record cannot be parsed.
 */
const byPmid = (
  events: readonly ImportEvent[],
  reasons: Map<string, string>,
): readonly { readonly pmid: string; readonly events: GoodEvent[] }[] => {
  const groups: { pmid: string; events: GoodEvent[] }[] = [];
  for (const event of events) {
    if (event.type === 'record') groups.push({ pmid: event.record.pmid, events: [event] });
    else if (event.type === 'deletion') groups.push({ pmid: event.pmid, events: [event] });
    else if (event.type === 'retraction') groups.at(-1)?.events.push(event);
    else {
      const pmid = PMID_IN_PROBLEM.exec(event.message)?.[1];
      if (pmid) reasons.set(pmid, event.message.replace(`(PMID ${pmid}) `, 'its record '));
    }
  }
  return groups;
};

const NO_RECORD = 'PubMed sent no record of it';

/** Fetches the records of PMIDs and yields one event for each PMID. Throws NcbiAway, or the abort reason. */
export async function* fetchRecords(
  client: Eutilities,
  pmids: readonly string[],
  signal: AbortSignal,
): AsyncGenerator<Fetched> {
  const first = new Round(client, pmids, PAGE, signal);
  yield* first.fetch();
  const second = new Round(client, [...first.left], SMALL_PAGE, signal);
  yield* second.fetch();
  const failed = [...second.left].filter((pmid) => second.reasons.has(pmid));
  const third = new Round(client, failed, SINGLE, signal);
  yield* third.fetch();
  for (const pmid of second.left) {
    const reason = third.reasons.get(pmid) ?? second.reasons.get(pmid) ?? NO_RECORD;
    if (!second.reasons.has(pmid) || third.left.has(pmid)) yield { type: 'missing', pmid, reason };
  }
}
