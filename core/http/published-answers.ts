/**
 * Answers GET and HEAD requests for published pages, when the target is exactly a published path, without a query. All other
 * requests are passed to the application, which can render every page.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Log } from '../log.ts';
import { type Encoding, preferredEncodings } from './accepted-encoding.ts';
import {
  type ConditionalHeaders,
  isNotModified,
  isRefused,
  parseConditionalHeaders,
  rangeOf,
} from './conditional-headers.ts';
import { type HeaderBlock, withHeaders } from './header-block.ts';
import type { Form, PublishedPage, PublishedSite } from './published-site.ts';
import type { RequestCounts } from './request-counts.ts';
import { newRequestId } from './request-id.ts';

export type Listener = (request: IncomingMessage, response: ServerResponse) => void;

/** Maximum length of a published path, in characters; a longer one is not looked up. */
const LONGEST_PATH = 1_000;

const NOTHING = Buffer.alloc(0);

export interface Answer {
  readonly status: number;
  /** All headers except the request id and those of the connection. */
  readonly headers: HeaderBlock;
  /** Empty for HEAD, although the headers state the length. */
  readonly body: Buffer;
}

/** Returns the published page that a request is for; null for other requests. */
export const pageFor = (site: PublishedSite, method: string | undefined, address: string): PublishedPage | null =>
  (method === 'GET' || method === 'HEAD') && address.length <= LONGEST_PATH ? site.page(address) : null;

/** Returns the available encoding that the client prefers, the smallest one among equals. */
export const encodingFor = ({ entry: { bytes } }: PublishedPage, { acceptEncoding }: ConditionalHeaders): Encoding =>
  preferredEncodings(acceptEncoding).find((coding) => coding === 'identity' || bytes[coding] > 0) ?? 'identity';

export const answerTo = (method: string, wishes: ConditionalHeaders, form: Form): Answer => {
  const nothing = (status: number, more: Readonly<Record<string, string>>): Answer => ({
    status,
    headers: withHeaders(form.unchangedHeaders, { ...more, 'Content-Length': '0' }),
    body: NOTHING,
  });
  if (wishes.isConditional) {
    if (isRefused(wishes, form)) return nothing(412, {});
    if (isNotModified(wishes, form)) return { status: 304, headers: form.unchangedHeaders, body: NOTHING };
  }
  if (method === 'HEAD') return { status: 200, headers: form.headers, body: NOTHING };
  // Ranges apply only to the identity encoding.
  const range = wishes.range && form.encoding === 'identity' ? rangeOf(wishes, form, form.body.length) : null;
  if (range === null) return { status: 200, headers: form.headers, body: form.body };
  const total = form.body.length;
  if (range === 'none') return nothing(416, { 'Content-Range': `bytes */${total}` });
  const body = form.body.subarray(range.first, range.last + 1);
  const headers = withHeaders(form.headers, {
    'Content-Length': String(body.length),
    'Content-Range': `bytes ${range.first}-${range.last}/${total}`,
  });
  return { status: 206, headers, body };
};

export interface Surroundings {
  readonly site: PublishedSite;
  readonly log: Log;
  readonly counts: RequestCounts;
}

/** Counts and logs a response in the format of the application. */
export const tell = (
  { log, counts }: Surroundings,
  request: { readonly id: string; readonly method: string; readonly route: string; readonly startedAt: number },
  status: number,
): void => {
  counts.published(status);
  const milliseconds = performance.now() - request.startedAt;
  log.request({ id: request.id, method: request.method, route: request.route, status, milliseconds });
};

/** Returns a listener that answers requests for published pages and passes others, and unreadable pages, to the application. */
export const publishedAnswers = (around: Surroundings, app: Listener): Listener => {
  const send = (request: IncomingMessage, response: ServerResponse, [page, wishes, form, startedAt]: Ready): void => {
    const { method = '' } = request;
    const { status, headers, body } = answerTo(method, wishes, form);
    const id = newRequestId();
    response.writeHead(status, [...headers.list, 'X-Request-Id', id]);
    response.end(body);
    tell(around, { id, method, route: page.route, startedAt }, status);
  };
  return (request, response) => {
    const page = pageFor(around.site, request.method, request.url ?? '');
    if (!page) return app(request, response);
    const startedAt = performance.now();
    const wishes = parseConditionalHeaders(request.rawHeaders);
    const encoding = encodingFor(page, wishes);
    const form = page.forms[encoding];
    if (form) return send(request, response, [page, wishes, form, startedAt]);
    around.site.load(page, encoding).then(
      (loaded) => send(request, response, [page, wishes, loaded, startedAt]),
      () => app(request, response),
    );
  };
};

type Ready = readonly [page: PublishedPage, wishes: ConditionalHeaders, form: Form, startedAt: number];
