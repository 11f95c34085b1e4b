/**
 * Emulates PubMed's E-utilities (https://www.ncbi.nlm.nih.gov/books/NBK25499/) on a local server, with their limits and errors.
 * It serves only the records that a test or a benchmark generates.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export type Utility = 'esearch' | 'epost' | 'efetch';

export interface Asked {
  readonly utility: Utility;
  readonly url: string;
  readonly params: URLSearchParams;
  readonly at: number;
}

/** A failure that the server produces instead of a correct response. */
export type Fault =
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: string }
  /** Sends the first half of the response as if it were complete. */
  | 'truncated'
  | 'hang up'
  | 'lost history'
  | { readonly delayMs: number };

export interface PubmedParts {
  /** Returns the XML of a record, or null when PubMed has none with this PMID. */
  article(pmid: number): string | null;
  /** Returns the PMIDs that match a query, before date limits. */
  find(term: string): readonly number[];
  /** Returns a date of a record as YYYY/MM/DD; without it, every record has 2021/06/15. */
  dayOf?(pmid: number, date: 'pdat' | 'edat' | 'mdat'): string;
}

/** Maximum number of results that PubMed lists for a search, whatever is requested. */
const MOST_LISTED = 9_999;

const wrapAnswer = (root: string, parts: readonly string[]): string =>
  `<?xml version="1.0" encoding="UTF-8" ?>
<!DOCTYPE ${root} PUBLIC "-//NLM//DTD ${root} 20060628//EN" "https://eutils.ncbi.nlm.nih.gov/eutils/dtd/20060628/${root}.dtd">
<${root}>${parts.join('\n')}</${root}>
`;

const wrapError = (root: string, message: string): string => wrapAnswer(root, [`<ERROR>${message}</ERROR>`]);

const lostHistory = (webEnv: string): string =>
  wrapError('eFetchResult', `Cannot retrieve history data. query_key: 1, WebEnv: ${webEnv}, retstart: 0, retmax: 200`);

const readBody = async (request: IncomingMessage): Promise<URLSearchParams> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return new URLSearchParams(Buffer.concat(chunks).toString());
};

export class PubmedServer {
  asked: Asked[] = [];
  /** Called before each response; returns the failure to produce, if any. */
  faultFor: (asked: Asked) => Fault | undefined = () => undefined;
  /** Promise that responses wait for. */
  gate: Promise<unknown> = Promise.resolve();
  readonly #parts: PubmedParts;
  readonly #posted = new Map<string, readonly number[]>();
  readonly #server: Server = createServer((request, reply) => void this.#serve(request, reply));
  #lists = 0;

  constructor(parts: PubmedParts) {
    this.#parts = parts;
  }

  /** Listens on a free port and returns the base address of the utilities. */
  async listen(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/entrez/eutils`;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  /** Clears requests and failures, but not the stored lists. */
  reset(): void {
    this.asked = [];
    this.faultFor = () => undefined;
  }

  /** Returns the requests to one utility since the last reset. */
  to(utility: Utility): Asked[] {
    return this.asked.filter((one) => one.utility === utility);
  }

  /** Returns the PMIDs of the page that an efetch request asks for. */
  pagePmids({ params }: Pick<Asked, 'params'>): readonly number[] {
    const list = this.#posted.get(params.get('WebEnv') ?? '') ?? [];
    const start = Number(params.get('retstart'));
    return list.slice(start, start + Number(params.get('retmax')));
  }

  async #serve(request: IncomingMessage, reply: ServerResponse): Promise<void> {
    const url = request.url ?? '';
    const params = await readBody(request);
    const utility = /(\w+)\.fcgi/.exec(url)?.[1] as Utility;
    const asked = { utility, url, params, at: performance.now() };
    this.asked.push(asked);
    await this.gate;
    const fault = this.faultFor(asked);
    if (fault === 'lost history') this.#posted.delete(params.get('WebEnv') ?? '');
    if (fault === 'hang up') return void reply.destroy();
    if (typeof fault === 'object' && 'status' in fault)
      return void reply.writeHead(fault.status, { ...fault.headers }).end(fault.body ?? '');
    if (typeof fault === 'object') await sleep(fault.delayMs);
    const { status, text } = this.#answer(utility, params);
    const sent = fault === 'truncated' ? text.slice(0, text.length / 2) : text;
    reply.writeHead(status, { 'content-type': 'text/xml; charset=UTF-8' }).end(sent);
  }

  #answer(utility: Utility, params: URLSearchParams): { status: number; text: string } {
    if (utility === 'esearch') return { status: 200, text: this.#search(params) };
    if (utility === 'epost') return { status: 200, text: this.#post(params) };
    const webEnv = params.get('WebEnv') ?? '';
    if (!this.#posted.has(webEnv)) return { status: 400, text: lostHistory(webEnv) };
    return { status: 200, text: this.#fetch(this.pagePmids({ params })) };
  }

  #search(params: URLSearchParams): string {
    const term = params.get('term') ?? '';
    if (!term) return wrapError('eSearchResult', 'Empty term and query_key - nothing todo');
    const found = this.#limited(params, this.#parts.find(term)).toSorted((a, b) => b - a);
    const listed = found.slice(0, Math.min(Number(params.get('retmax') ?? 20), MOST_LISTED));
    return wrapAnswer('eSearchResult', [
      `<Count>${found.length}</Count><RetMax>${listed.length}</RetMax><RetStart>0</RetStart>`,
      `<IdList>${listed.map((pmid) => `<Id>${pmid}</Id>`).join('\n')}</IdList>`,
      `<TranslationSet/><QueryTranslation/>`,
    ]);
  }

  /** Filters PMIDs by the date ranges in the term and in mindate and maxdate. */
  #limited(params: URLSearchParams, pmids: readonly number[]): readonly number[] {
    const dayOf = this.#parts.dayOf ?? (() => '2021/06/15');
    const spans = [...(params.get('term') ?? '').matchAll(/"([\d/]+)"\[(pdat|edat)\] : "([\d/]+)"\[\2\]/g)].map(
      ([, from = '', date, to = '']) => ({ from, to, date: date as 'pdat' | 'edat' | 'mdat' }),
    );
    const [from, to] = [params.get('mindate'), params.get('maxdate')];
    if (from && to && this.#parts.dayOf) spans.push({ from, to, date: params.get('datetype') as 'mdat' });
    return pmids.filter((pmid) =>
      spans.every((span) => dayOf(pmid, span.date) >= span.from && dayOf(pmid, span.date) <= span.to),
    );
  }

  /** Stores a list. NCBI returns a stored list in its own order: here by descending PMID. */
  #post(params: URLSearchParams): string {
    const ids = (params.get('id') ?? '').split(',').filter(Boolean);
    if (!ids.length) return wrapError('ePostResult', 'Empty id list - nothing todo');
    this.#lists += 1;
    const webEnv = `MCID_made_${this.#lists}`;
    const known = ids.map(Number).filter((pmid) => this.#parts.article(pmid) !== null);
    this.#posted.set(
      webEnv,
      known.toSorted((a, b) => b - a),
    );
    return wrapAnswer('ePostResult', [`<QueryKey>1</QueryKey><WebEnv>${webEnv}</WebEnv>`]);
  }

  #fetch(page: readonly number[]): string {
    if (!page.length) return wrapError('eFetchResult', 'Empty result - nothing to do');
    const records = page.map((pmid) => this.#parts.article(pmid)).join('\n');
    return `<?xml version="1.0" ?>
<!DOCTYPE PubmedArticleSet PUBLIC "-//NLM//DTD PubMedArticle, 1st January 2026//EN" "https://dtd.nlm.nih.gov/ncbi/pubmed/out/pubmed_260101.dtd">
<PubmedArticleSet>
${records}
</PubmedArticleSet>
`;
  }
}
