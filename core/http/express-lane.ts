/**
 * The first to see a connection. As long as it brings plain requests for published pages (one whole head behind the
 * other, no body, nothing unusual), they are answered here from memory, without the objects that node:http makes of each
 * request: those cost as much as the answer. At the first request that is anything else, the connection is handed to
 * node:http with all that is not answered yet, and stays there.
 */
import type { Socket } from 'node:net';
import type { Encoding } from './accepted-encoding.ts';
import { AnswerBytes } from './answer-bytes.ts';
import { type ConditionalHeaders, parseConditionalHeaders } from './conditional-headers.ts';
import { isHost } from './host-header.ts';
import { answerTo, encodingFor, pageFor, type Surroundings, tell } from './published-answers.ts';
import type { Form, PublishedPage } from './published-site.ts';
import { newRequestId } from './request-id.ts';

/** As node:http's own. */
const REASONS: Readonly<Record<number, string>> = {
  200: 'OK',
  206: 'Partial Content',
  304: 'Not Modified',
  412: 'Precondition Failed',
  416: 'Range Not Satisfiable',
};
const HEAD_LIMIT = 8_192;
/** Behind the end that was announced, as node:http has it: the next request may be on its way. */
const GRACE_MS = 1_000;
const FIELDS_LIMIT = 100;
const REQUEST_LINE = /^(GET|HEAD) (\/[!-~]*) HTTP\/1\.1$/;
/** A field that every reader of HTTP reads alike: a token, a colon, a value without control characters. */
const FIELD = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([\t\x20-\x7e\x80-\xff]*)$/;
/** With one of these a request is more than its head, or the connection becomes something else. */
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
  /** How long a connection may be silent, in milliseconds. */
  readonly keepAliveMs: number;
  /** The process ends soon: each connection is given up with its next answer. */
  isEnding?(): boolean;
  /** Takes a connection over, what was read and not answered put back into it. */
  handOver(socket: Socket): void;
}

export interface ExpressLane {
  take(socket: Socket): void;
  /** Ends the connections that wait for nothing, the others once they are answered. */
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

/** What a request asks for, as far as its head says. */
interface PlainRequest {
  readonly method: string;
  readonly page: PublishedPage;
  readonly wishes: ConditionalHeaders;
  readonly encoding: Encoding;
  /** Of its head, which is all of it. */
  readonly bytes: number;
  readonly startedAt: number;
}

/** For one connection after the other: what is added is sent before anything else happens. */
const out = new AnswerBytes();

class Connection {
  readonly #socket: Socket;
  readonly #lane: Lane;
  readonly #leave: () => void;
  /** Read, and not answered yet; a character for each byte. */
  #text = '';
  /** A page is being read from disk, or the client takes its answers slowly: nothing else is done meanwhile. */
  #isWaiting = false;
  #isEnding = false;
  /** The requests of one connection mostly have the same fields. */
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

  /** Answers what was read, as far as it goes. */
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
        // It is still what was read last: the app makes the page.
        if (!this.#socket.destroyed) this.#handOver();
      },
    );
  }

  /** The request that was read first; null when it is not whole, or not for here. */
  #next(): PlainRequest | null {
    const text = this.#text;
    const headEnd = text.indexOf('\r\n\r\n');
    const lineEnd = text.indexOf('\r\n');
    // Without a field there is no Host, which node:http refuses in its own words.
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
      // A copy: a piece of what was read would keep all of it in memory.
      this.#lastFields = {
        text: Buffer.from(fields, 'latin1').toString('latin1'),
        wishes: raw && parseConditionalHeaders(raw),
      };
    }
    return this.#lastFields.wishes;
  }

  /** Adds the whole answer to what goes out; the request is done with. */
  #answer({ method, page, wishes, bytes, startedAt }: PlainRequest, form: Form): void {
    this.#text = this.#text.slice(bytes);
    const { status, headers, body } = answerTo(method, wishes, form);
    const id = newRequestId();
    // What was sent behind it is answered too: whoever sent it has been promised that this connection stays.
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

/** Names and values in turn; null when there is anything that only node:http should judge. */
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

/** For the Date header: all answers of one second share it. */
const dateNow = (): string => {
  const second = Math.floor(Date.now() / 1000);
  if (second !== date.second) Object.assign(date, { second, text: new Date(second * 1000).toUTCString() });
  return date.text;
};
