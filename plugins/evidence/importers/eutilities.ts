import { expectFormat } from '#core/import/text-stream.ts';
import { UnreadableInput } from '#core/import/unreadable-input.ts';
import type { ImportEvent } from '../source-record.ts';
import {
  failureIn,
  type History,
  NothingThere,
  readPosted,
  readSearch,
  type SearchAnswer,
} from './eutilities-answers.ts';
import { patientFetch, RemoteFailure } from './patient-fetch.ts';
import { readPubmedXml } from './pubmed.ts';

export interface EutilitiesOptions {
  /** NCBI asks every program to send its name and a contact address. */
  readonly tool?: string;
  readonly email: string;
  /** Raises the rate from 3 to 10 requests a second. */
  readonly apiKey?: string;
  readonly baseUrl?: string;
  readonly retries?: number;
  readonly timeoutSeconds?: number;
  readonly pauseSeconds?: number;
  /** Set it below NCBI's own limit when several machines share an IP address. */
  readonly requestsPerSecond?: number;
}

/** A PubMed query, limited to records added or changed between two days (YYYY/MM/DD, both inclusive). */
export interface Search {
  readonly term: string;
  readonly from?: string;
  readonly to?: string;
}

/** Maximum number of records that PubMed lists for a search, regardless of the number requested. */
export const LONGEST_RESULT = 9_999;

/** A page of a stored list: its start index and its maximum number of records. */
export interface PageRange {
  readonly start: number;
  readonly size: number;
}

export interface Eutilities {
  /** Returns the number of matching records and the PMIDs of the first `most` of them. Throws RemoteFailure. */
  esearch(search: Search, most: number, signal: AbortSignal): Promise<SearchAnswer>;
  /** Stores a list of PMIDs on NCBI's history server. Throws RemoteFailure. */
  epost(pmids: readonly string[], signal: AbortSignal): Promise<History>;
  /**
   * Fetches a page of a stored list in an order that NCBI chooses. Throws RemoteFailure, and HistoryLost when NCBI no longer
   * stores the list.
   */
  efetch(history: History, page: PageRange, signal: AbortSignal): Promise<readonly ImportEvent[]>;
}

const ENDINGS = {
  esearch: /<\/eSearchResult>\s*$/,
  epost: /<\/ePostResult>\s*$/,
  efetch: /<\/PubmedArticleSet>\s*$|<PubmedArticleSet\s*\/>\s*$/,
};

async function* once(text: string): AsyncGenerator<string> {
  yield text;
}

const DAY_MS = 86_400_000;

/** Returns tomorrow's date in UTC (YYYY/MM/DD). NCBI's clock may already show the next day. */
const tomorrow = (): string => new Date(Date.now() + DAY_MS).toISOString().slice(0, 10).replaceAll('-', '/');

const dateParams = ({ from, to }: Search): Record<string, string> =>
  from === undefined ? {} : { datetype: 'mdat', mindate: from, maxdate: to ?? tomorrow() };

/** Creates a client for PubMed's E-utilities; all its requests share one rate limit. */
export const createEutilities = (options: EutilitiesOptions): Eutilities => {
  const base = (options.baseUrl ?? 'https://eutils.ncbi.nlm.nih.gov/entrez/eutils').replace(/\/$/, '');
  const allowed = options.apiKey ? 10 : 3;
  const fetchText = patientFetch({
    requestsPerSecond: Math.min(options.requestsPerSecond ?? allowed, allowed),
    retries: options.retries ?? 5,
    timeoutSeconds: options.timeoutSeconds ?? 60,
    pauseSeconds: options.pauseSeconds ?? 1,
  });
  const ask = (utility: keyof typeof ENDINGS, params: Record<string, string>, signal: AbortSignal): Promise<string> => {
    const who = {
      tool: options.tool ?? 'supplement-evidence-base',
      email: options.email,
      ...(options.apiKey ? { api_key: options.apiKey } : {}),
    };
    const body = new URLSearchParams({ db: 'pubmed', ...params, ...who });
    return fetchText({ url: `${base}/${utility}.fcgi`, body, ending: ENDINGS[utility], failureIn, signal });
  };

  return {
    esearch: async (search, most, signal) => {
      const params = { term: search.term, retmode: 'xml', retmax: String(most), ...dateParams(search) };
      return readSearch(await ask('esearch', params, signal));
    },
    epost: async (pmids, signal) => readPosted(await ask('epost', { id: pmids.join(',') }, signal)),
    efetch: async ({ webEnv, queryKey }, { start, size }, signal) => {
      const place = { WebEnv: webEnv, query_key: queryKey, retstart: String(start), retmax: String(size) };
      const events: ImportEvent[] = [];
      try {
        const xml = await ask('efetch', { ...place, retmode: 'xml', rettype: 'abstract' }, signal);
        const chunks = expectFormat(once(xml), 'xml', 'PubMed XML');
        for await (const event of readPubmedXml(chunks, 'PubMed')) events.push(event);
      } catch (error) {
        if (error instanceof UnreadableInput) throw new RemoteFailure(`sent a page that ${error.message}`, 200);
        if (!(error instanceof NothingThere)) throw error;
      }
      return events;
    },
  };
};
