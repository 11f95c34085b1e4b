/**
 * Handles new connections before node:http does. While a connection sends plain requests for published pages (complete
 * heads, no body, no unusual field), they are answered here from memory, without the objects that node:http creates for
 * each request, which cost as much as the response. At the first other request, the connection is handed to node:http
 * together with all unanswered data, and node:http handles it until it closes.
 */
import type { Socket } from 'node:net';
import type { Encoding } from './accepted-encoding.ts';
import { AnswerBytes } from './answer-bytes.ts';
import { type ConditionalHeaders, parseConditionalHeaders } from './conditional-headers.ts';
import { isHost } from './host-header.ts';
import { answerTo, encodingFor, pageFor, type Surroundings, tell } from './published-answers.ts';
import type { Form, PublishedPage } from './published-site.ts';
import { newRequestId } from './request-id.ts';

/** Reason phrases, identical to those of node:http. */
const REASONS: Readonly<Record<number, string>> = {
  200: 'OK',
  206: 'Partial Content',
  304: 'Not Modified',
  412: 'Precondition Failed',
  416: 'Range Not Satisfiable',
};
const HEAD_LIMIT = 8_192;
/** Time added to the announced keep-alive timeout, as in node:http, because the next request may be on its way. */
const GRACE_MS = 1_000;
const FIELDS_LIMIT = 100;
const REQUEST_LINE = /^(GET|HEAD) (\/[!-~]*) HTTP\/1\.1$/;
/** A field that every HTTP parser reads alike: a token, a colon, a value without control characters. */
const FIELD = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([\t\x20-\x7e\x80-\xff]*)$/;
/** Fields of requests that have more than a head, or that change what the connection is used for. */
const UNUSUAL = new Set([
  'content-length',
  'transfer-encoding',
  'expect',
  'upgrade',
  'te',
  'trailer',
  'proxy-connection',
]);

export interface Lane extends Surroundings {
  /** Idle timeout of a connection, in milliseconds. */
  readonly keepAliveMs: number;
  /** Returns whether the process is shutting down: each connection is then closed after its next response. */
  isEnding?(): boolean;
  /** Takes over a connection; data that was read and not answered has been put back into the socket. */
  handOver(socket: Socket): void;
}

export interface ExpressLane {
  take(socket: Socket): void;
  /** Closes idle connections immediately and the others after their response. */
  close(): void;
}

export const createExpressLane = (lane: Lane): ExpressLane => {
  const open = new Set<Connection>();
  let isClosing = false;
  return {
    take: (socket) => {
      const connection = new Connection(socket, lane, () => open.delete(connection));
      open.add(connection);
      if (isClosing) connection.endWhenIdle();
    },
    close: () => {
      isClosing = true;
      for (const connection of open) connection.endWhenIdle();
    },
  };
};

/** A parsed request without a body. */
interface PlainRequest {
  readonly method: string;
  readonly page: PublishedPage;
  readonly wishes: ConditionalHeaders;
  readonly encoding: Encoding;
  /** Size of the head, in bytes; the request has no body. */
  readonly bytes: number;
  readonly startedAt: number;
}

/** The output buffer shared by all connections: it is always sent before any other connection is handled. */
const out = new AnswerBytes();

class Connection {
  readonly #socket: Socket;
  readonly #lane: Lane;
  readonly #leave: () => void;
  /** Data that was read and not answered yet, one character per byte. */
  #text = '';
  /** Whether a page is being read from disk or the client reads slowly; no request is handled meanwhile. */
  #isWaiting = false;
  #isEnding = false;
  /** The parsed fields of the last request, cached because the requests of a connection mostly repeat them. */
  #lastFields = { text: '', wishes: null as ConditionalHeaders | null };

  constructor(socket: Socket, lane: Lane, leave: () => void) {
    this.#socket = socket;
    this.#lane = lane;
    this.#leave = leave;
    socket.setTimeout(lane.keepAliveMs + GRACE_MS, this.#drop);
    socket.on('data', this.#onData).on('drain', this.#goOn).on('end', this.#onEnd);
    socket.on('error', this.#drop).on('close', leave);
  }

  endWhenIdle(): void {
    this.#isEnding = true;
    if (!this.#isWaiting) this.#socket.end();
  }

  readonly #onData = (chunk: Buffer): void => {
    const text = chunk.toString('latin1');
    this.#text = this.#text ? this.#text + text : text;
    if (!this.#isWaiting) this.#work();
  };

  readonly #onEnd = (): void => this.endWhenIdle();

  readonly #drop = (): void => {
    this.#socket.destroy();
  };

  #wait(): void {
    this.#isWaiting = true;
    this.#socket.pause();
  }

  readonly #goOn = (): void => {
    if (!this.#isWaiting || this.#socket.destroyed) return;
    this.#isWaiting = false;
    this.#socket.resume();
    this.#work();
  };

  /** Answers all complete requests that were read. */
  #work(): void {
    while (this.#text !== '') {
      const request = this.#next();
      const form = request?.page.forms[request.encoding];
      if (!request || !form) {
        out.send(this.#socket);
        if (request) this.#load(request);
        else this.#handOver();
        return;
      }
      this.#answer(request, form);
      if (this.#socket.writableNeedDrain) break;
    }
    out.send(this.#socket);
    if (this.#socket.writableNeedDrain) this.#wait();
    else if (this.#isEnding) this.#socket.end();
  }

  #load(request: PlainRequest): void {
    this.#wait();
    this.#lane.site.load(request.page, request.encoding).then(
      (form) => {
        if (this.#socket.destroyed) return;
        this.#answer(request, form);
        out.send(this.#socket);
        if (!this.#socket.writableNeedDrain) this.#goOn();
      },
      () => {
        // The request is still in the unanswered data, so the application renders the page.
        if (!this.#socket.destroyed) this.#handOver();
      },
    );
  }

  /** Parses the next request; returns null when it is incomplete or must be handled by node:http. */
  #next(): PlainRequest | null {
    const text = this.#text;
    const headEnd = text.indexOf('\r\n\r\n');
    const lineEnd = text.indexOf('\r\n');
    // Without fields there is no Host, which node:http rejects with its own error response.
    if (headEnd < 0 || headEnd > HEAD_LIMIT || lineEnd === headEnd) return null;
    const [, method = '', address = ''] = REQUEST_LINE.exec(text.slice(0, lineEnd)) ?? [];
    const page = pageFor(this.#lane.site, method, address);
    const wishes = page && this.#wishesIn(text.slice(lineEnd + 2, headEnd));
    if (!page || !wishes) return null;
    const encoding = encodingFor(page, wishes);
    return { method, page, wishes, encoding, bytes: headEnd + 4, startedAt: performance.now() };
  }

  #wishesIn(fields: string): ConditionalHeaders | null {
    if (fields !== this.#lastFields.text) {
      const raw = plainFields(fields);
      // The text is copied, because a substring would keep the whole received data in memory.
      this.#lastFields = {
        text: Buffer.from(fields, 'latin1').toString('latin1'),
        wishes: raw && parseConditionalHeaders(raw),
      };
    }
    return this.#lastFields.wishes;
  }

  /** Adds the complete response to the output buffer and removes the request from the unanswered data. */
  #answer({ method, page, wishes, bytes, startedAt }: PlainRequest, form: Form): void {
    this.#text = this.#text.slice(bytes);
    const { status, headers, body } = answerTo(method, wishes, form);
    const id = newRequestId();
    // Pipelined requests are answered too, because the client was promised that this connection stays open.
    if (this.#lane.isEnding?.() && this.#text === '') this.#isEnding = true;
    const isLast = this.#isEnding && this.#text === '';
    const connection = isLast ? 'close' : `keep-alive\r\nKeep-Alive: timeout=${this.#lane.keepAliveMs / 1000}`;
    const head = `HTTP/1.1 ${status} ${REASONS[status]}\r\nX-Request-Id: ${id}\r\nDate: ${dateNow()}\r\nConnection: ${connection}\r\n`;
    out.add(this.#socket, head, [headers.bytes, body]);
    tell(this.#lane, { id, method, route: page.route, startedAt }, status);
  }

  #handOver(): void {
    const socket = this.#socket;
    socket.pause();
    socket.off('data', this.#onData).off('drain', this.#goOn).off('end', this.#onEnd);
    socket.off('error', this.#drop).off('timeout', this.#drop).off('close', this.#leave);
    socket.setTimeout(0);
    this.#leave();
    if (this.#text) socket.unshift(Buffer.from(this.#text, 'latin1'));
    this.#lane.handOver(socket);
    socket.resume();
  }
}

/** Returns field names and values alternately; null when node:http must parse the fields. */
const plainFields = (fields: string): readonly string[] | null => {
  const raw: string[] = [];
  let hosts = 0;
  for (const line of fields.split('\r\n', FIELDS_LIMIT + 1)) {
    const [, name = '', value = ''] = FIELD.exec(line) ?? [];
    const known = name.toLowerCase();
    if (!known || UNUSUAL.has(known) || (known === 'connection' && value.trim().toLowerCase() !== 'keep-alive'))
      return null;
    if (known === 'host') {
      if (!value.trim() || !isHost(value.trim())) return null;
      hosts += 1;
    }
    raw.push(name, value.trim());
  }
  return hosts === 1 && raw.length <= FIELDS_LIMIT * 2 ? raw : null;
};

const date = { second: 0, text: '' };

/** Returns the value of the Date header, cached for one second. */
const dateNow = (): string => {
  const second = Math.floor(Date.now() / 1000);
  if (second !== date.second) Object.assign(date, { second, text: new Date(second * 1000).toUTCString() });
  return date.text;
};
