/** Parses the responses of PubMed's E-utilities and classifies the errors in them. */

import { RemoteFailure } from './patient-fetch.ts';

/** A list of PMIDs that NCBI's history server stores for some hours. */
export interface History {
  readonly webEnv: string;
  readonly queryKey: string;
}

export interface SearchAnswer {
  /** Number of matching records, which may exceed the number of PMIDs listed. */
  readonly count: number;
  readonly pmids: readonly string[];
}

/** Reports that NCBI no longer stores the list of PMIDs that a request refers to. Post the list again. */
export class HistoryLost extends RemoteFailure {}

const LOST_HISTORY = /history|unable to obtain query|web_?env|query_?key/i;
const NOTHING_THERE = /empty (?:id list|result)|nothing to ?do/i;
/** Matches errors in the request, which a retry would not fix. */
const WRONG_REQUEST = /empty term|invalid (?:db|api|parameter)|missing|unsupported|not supported|cannot be larger/i;

/**
 * Returns the failure that a response reports in its `<ERROR>` element, or null. NCBI sends such responses with status 200 as
 * well as 400; those that do not report an error in the request come from a part of NCBI that is temporarily unavailable.
 */
export const failureIn = (text: string): RemoteFailure | null => {
  const from = text.indexOf('<ERROR>');
  const to = text.indexOf('</ERROR>', from);
  const reason =
    from < 0 || to < 0
      ? undefined
      : text
          .slice(from + 7, to)
          .replace(/\s+/g, ' ')
          .trim();
  if (reason === undefined) return null;
  const message = `answered with the error "${reason.slice(0, 200)}"`;
  if (NOTHING_THERE.test(reason)) return new NothingThere(message, 200);
  if (WRONG_REQUEST.test(reason)) return new RemoteFailure(message, 400);
  return LOST_HISTORY.test(reason) ? new HistoryLost(message, 400) : new RemoteFailure(message, 0);
};

/** Reports that a page starts after the end of its list. */
export class NothingThere extends RemoteFailure {}

const parsed = async (xml: string, root: string): Promise<Record<string, unknown>> => {
  // NCBI's responses have a DOCTYPE without entities. Expanding the entities of another sender could exhaust the memory.
  if (/<!ENTITY/i.test(xml)) throw new RemoteFailure('answered with XML that defines entities', 200);
  const { parseStringPromise } = await import('xml2js');
  const document: unknown = await parseStringPromise(xml).catch(() => undefined);
  const found = (document as Record<string, unknown> | null | undefined)?.[root];
  if (typeof found !== 'object' || found === null) throw new RemoteFailure(`sent no ${root}`, 200);
  return found as Record<string, unknown>;
};

const textAt = (parent: Readonly<Record<string, unknown>>, name: string): string => {
  const value = parent[name];
  const first: unknown = Array.isArray(value) ? value[0] : value;
  return typeof first === 'string' ? first.trim() : '';
};

const idsIn = (parent: Readonly<Record<string, unknown>>): string[] => {
  const [list] = Array.isArray(parent.IdList) ? parent.IdList : [];
  const ids: unknown = typeof list === 'object' && list !== null ? (list as { Id?: unknown }).Id : undefined;
  return Array.isArray(ids) ? ids.map(String) : [];
};

/** Parses a response of esearch. Throws RemoteFailure when it has no count. */
export const readSearch = async (xml: string): Promise<SearchAnswer> => {
  const result = await parsed(xml, 'eSearchResult');
  const count = textAt(result, 'Count');
  if (!/^\d+$/.test(count)) throw new RemoteFailure('sent a search result without a count', 200);
  return { count: Number(count), pmids: idsIn(result) };
};

/** Parses a response of epost. Throws RemoteFailure when it does not state where the list is stored. */
export const readPosted = async (xml: string): Promise<History> => {
  const result = await parsed(xml, 'ePostResult');
  const history = { webEnv: textAt(result, 'WebEnv'), queryKey: textAt(result, 'QueryKey') };
  if (!history.webEnv || !history.queryKey) throw new RemoteFailure('stored no list of PMIDs', 200);
  return history;
};
