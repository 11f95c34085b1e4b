import { expectFormat } from '#core/import/text-stream.ts';
import { reasonOf } from '#core/import/unreadable-input.ts';
import type { ImportEvent } from '../source-record.ts';
import { problem } from './events.ts';
import { patientFetch, RemoteFailure } from './patient-fetch.ts';
import { readPubmedXml } from './pubmed.ts';

export interface EutilitiesOptions {
  /** NCBI asks every program to name itself and an address to write to. */
  readonly tool?: string;
  readonly email: string;
  /** Raises the rate from 3 to 10 requests a second. */
  readonly apiKey?: string;
  readonly baseUrl?: string;
  readonly retries?: number;
  readonly timeoutSeconds?: number;
  readonly pauseSeconds?: number;
  readonly pageSize?: number;
  /** Lower than NCBI's own limit, where a machine shares its address. */
  readonly requestsPerSecond?: number;
}

/** What to search, and between which days: from and to as YYYY/MM/DD, both included, or so many days up to today. */
export interface Search {
  readonly term: string;
  readonly from?: string;
  readonly to?: string;
  readonly days?: number;
  /** `mdat` (the default): when the record was added or last changed; `edat`: when added; `pdat`: when published. */
  readonly dateType?: 'edat' | 'mdat' | 'pdat';
}

/** A result that the server keeps for some hours. */
export interface KeptSearch {
  readonly count: number;
  readonly webEnv: string;
  readonly queryKey: string;
}

/** PubMed gives the first 9,999 records of a search and no more. */
export const longestResult = 9_999;

export interface Eutilities {
  /** Searches PubMed and lets the server keep the result. Throws RemoteFailure. */
  esearch(search: Search, signal: AbortSignal): Promise<KeptSearch>;
  /** The records of a kept result, page by page; a page that cannot be had is a problem, and the next is tried. */
  efetch(kept: KeptSearch, signal: AbortSignal): AsyncIterable<ImportEvent>;
  /** Searches and fetches; a span of days is halved until each part fits into one result. Throws RemoteFailure. */
  records(search: Search, signal: AbortSignal): AsyncIterable<ImportEvent>;
}

const textAt = (value: unknown, name: string): string => {
  const found = typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
  const first = Array.isArray(found) ? found[0] : found;
  return typeof first === 'string' ? first.trim() : '';
};

const searchReply = async (xml: string): Promise<KeptSearch> => {
  // NCBI's answers carry a DOCTYPE without entities; one with any is not NCBI's.
  if (/<!ENTITY/i.test(xml)) throw new RemoteFailure('answered with XML that defines entities', 200);
  const { parseStringPromise } = await import('xml2js');
  const parsed: unknown = await parseStringPromise(xml).catch(() => undefined);
  const result = (parsed as { eSearchResult?: unknown } | undefined)?.eSearchResult;
  if (result === undefined) throw new RemoteFailure('answered esearch with something else than a search result', 200);
  const error = textAt(result, 'ERROR');
  const [count, webEnv, queryKey] = ['Count', 'WebEnv', 'QueryKey'].map((name) => textAt(result, name));
  if (error !== '') throw new RemoteFailure(`refused the search: ${error.slice(0, 200)}`, 200);
  if (!/^\d+$/.test(count ?? '')) throw new RemoteFailure('answered esearch without a count', 200);
  return { count: Number(count), webEnv: webEnv ?? '', queryKey: queryKey ?? '' };
};

const dayMs = 86_400_000;
const dayOf = (date: string): number => Date.parse(`${date.replaceAll('/', '-')}T00:00:00Z`);
const dateOf = (day: number): string => new Date(day).toISOString().slice(0, 10).replaceAll('-', '/');

type Span = { readonly from: string; readonly to: string };

/** The days meant, if any. Days are counted in UTC with one to spare, as NCBI lives by its own clock. */
const spanOf = ({ from, to, days }: Search): Span | null => {
  const today = Math.floor(Date.now() / dayMs) * dayMs;
  if (days !== undefined) return { from: dateOf(today - (Math.ceil(days) + 1) * dayMs), to: dateOf(today + dayMs) };
  return from === undefined ? null : { from, to: to ?? dateOf(today + dayMs) };
};

/** The two halves of a span, or nothing where it is one day or none. */
const halvesOf = (span: Span | null): readonly Span[] => {
  const [first, last] = span === null ? [0, 0] : [dayOf(span.from), dayOf(span.to)];
  if (span === null || !(last > first)) return [];
  const middle = first + Math.floor((last - first) / dayMs / 2) * dayMs;
  return [
    { from: span.from, to: dateOf(middle) },
    { from: dateOf(middle + dayMs), to: span.to },
  ];
};

const endings = { esearch: /<\/eSearchResult>\s*$/, efetch: /<\/PubmedArticleSet>\s*$|<PubmedArticleSet\s*\/>\s*$/ };

async function* once(text: string): AsyncGenerator<string> {
  yield text;
}

/** A client of PubMed's E-utilities for scheduled updates. */
export const createEutilities = (options: EutilitiesOptions): Eutilities => {
  const base = (options.baseUrl ?? 'https://eutils.ncbi.nlm.nih.gov/entrez/eutils').replace(/\/$/, '');
  const pageSize = options.pageSize ?? 200;
  const allowed = options.apiKey ? 10 : 3;
  const fetchText = patientFetch({
    requestsPerSecond: Math.min(options.requestsPerSecond ?? allowed, allowed),
    retries: options.retries ?? 5,
    timeoutSeconds: options.timeoutSeconds ?? 60,
    pauseSeconds: options.pauseSeconds ?? 1,
  });
  const ask = (utility: keyof typeof endings, params: Record<string, string>, signal: AbortSignal): Promise<string> => {
    const who = {
      tool: options.tool ?? 'supplement-evidence-base',
      email: options.email,
      ...(options.apiKey ? { api_key: options.apiKey } : {}),
    };
    const body = new URLSearchParams({ db: 'pubmed', ...params, ...who });
    return fetchText({ url: `${base}/${utility}.fcgi`, body, ending: endings[utility], signal });
  };

  const esearch = async (search: Search, signal: AbortSignal): Promise<KeptSearch> => {
    const span = spanOf(search);
    const dates: Record<string, string> =
      span === null ? {} : { datetype: search.dateType ?? 'mdat', mindate: span.from, maxdate: span.to };
    const params = { term: search.term, usehistory: 'y', retmax: '0', retmode: 'xml', ...dates };
    return searchReply(await ask('esearch', params, signal));
  };

  async function* page(kept: KeptSearch, start: number, signal: AbortSignal): AsyncGenerator<ImportEvent> {
    const name = `PubMed records ${start + 1}–${Math.min(start + pageSize, kept.count)}`;
    const place = { WebEnv: kept.webEnv, query_key: kept.queryKey, retstart: String(start), retmax: String(pageSize) };
    try {
      const xml = await ask('efetch', { ...place, retmode: 'xml', rettype: 'abstract' }, signal);
      yield* readPubmedXml(expectFormat(once(xml), 'xml', 'PubMed XML'), name);
    } catch (error) {
      signal.throwIfAborted();
      yield problem(name, error instanceof RemoteFailure ? `NCBI ${error.message}` : reasonOf(error));
    }
  }

  async function* efetch(kept: KeptSearch, signal: AbortSignal): AsyncGenerator<ImportEvent> {
    const count = Math.min(kept.count, longestResult);
    for (let start = 0; start < count; start += pageSize) yield* page({ ...kept, count }, start, signal);
    if (kept.count > longestResult) {
      yield problem(
        'PubMed',
        `found ${kept.count} records and gives only the first ${longestResult}: narrow the search`,
      );
    }
  }

  async function* records(search: Search, signal: AbortSignal): AsyncGenerator<ImportEvent> {
    const kept = await esearch(search, signal);
    const halves = kept.count > longestResult ? halvesOf(spanOf(search)) : [];
    if (halves.length === 0) yield* efetch(kept, signal);
    for (const half of halves) yield* records({ term: search.term, dateType: search.dateType, ...half }, signal);
  }

  return { esearch, efetch, records };
};
