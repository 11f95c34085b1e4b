/** Provides an engine scripted by tests, and a client that reads a stream as raw bytes. */
import { once } from 'node:events';
import { type ClientRequest, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AnswerEngine, AskEvent, AskRequest } from '#plugins/answers/engine/port.ts';
import { answersPlugin } from '#plugins/answers/index.ts';
import type { AnswerBody, Citation } from '#plugins/answers/schemas.ts';
import type { AnswerServices } from '#plugins/answers/services.ts';
import { bootstrapAdmin, type IssuedKey, issueKey } from '../../support/client.ts';
import { type ServiceOptions, startService, type TestService } from '../../support/service.ts';

const HEARTBEAT_MS = 15_000;

export interface AnswerService extends TestService {
  readonly admin: IssuedKey;
  /** Each test may replace the engine or the heartbeat interval here. */
  readonly answers: AnswerServices;
}

export const answersOf = (service: Pick<TestService, 'runtime'>): AnswerServices =>
  service.runtime.servicesOf(answersPlugin) as AnswerServices;

/** Starts a service that trusts X-Forwarded-For, so that tests can choose client addresses. */
export const startAnswerService = async (options: ServiceOptions = {}): Promise<AnswerService> => {
  const settings = { TRUSTED_PROXIES: '127.0.0.1', ...options.settings };
  const service = await startService({ ...options, settings });
  return { ...service, admin: await bootstrapAdmin(service), answers: answersOf(service) };
};

/** Starts a service for a suite; each test gets its own key and an engine with the default script. */
export const useAnswerService = (give: (given: { service: AnswerService; key: IssuedKey }) => void): void => {
  let service: AnswerService | undefined;
  before(async () => {
    service = await startAnswerService();
  });
  after(() => service?.stop());
  beforeEach(async () => {
    if (!service) return;
    service.answers.engine = scriptedEngine();
    service.answers.heartbeatMs = HEARTBEAT_MS;
    give({ service, key: await issueKey(service, service.admin) });
  });
};

let lastAddress = 0;
/** Returns an address that no other test uses. */
export const newAddress = (): string => {
  lastAddress += 1;
  return `198.51.${100 + Math.floor(lastAddress / 250)}.${1 + (lastAddress % 250)}`;
};

export const citation = (n: number, more: Partial<Citation> = {}): Citation => ({
  n,
  source_id: `pmid-9000000${n}`,
  pmid: `9000000${n}`,
  doi: '',
  nct_id: null,
  title: `A trial of something, number ${n}`,
  year: 2020 + n,
  source_class: 'pubmed_article',
  quality_tier: 'A',
  quality_score: 90,
  url: `https://pubmed.ncbi.nlm.nih.gov/9000000${n}/`,
  quote: 'It helped.',
  quote_verified: true,
  quote_from: 'summary',
  quote_start: 0,
  quote_end: 10,
  stance: 'supports',
  retraction_status: 'none',
  evidence_level: 'rct',
  sample_size: '80',
  journal: 'J Test',
  ...more,
});

export const balance = (positive: number, none: number): AnswerBody['evidence_balance'] => ({
  positive,
  null: none,
  negative: 0,
  mixed: 0,
  unclear: 0,
  by_program: 0,
  weighted: { positive: 8 * positive, null: 4 * none, negative: 0, mixed: 0 },
});

const TEXT = 'It helped in one trial [1]. It did nothing in another [2].';

/** Builds a complete answer to any question. */
export const answerBody = (question: string, more: Partial<AnswerBody> = {}): AnswerBody => ({
  question,
  status: 'answered',
  answer: TEXT,
  summary: 'It may help.',
  confidence: 'low',
  claims: [
    { text: 'It helped in one trial', citations: [1], start: 0, end: 26 },
    { text: 'It did nothing in another', citations: [2], start: 28, end: 57 },
  ],
  citations: [citation(1), citation(2, { stance: 'contradicts', quality_tier: 'B' })],
  evidence_balance: balance(1, 1),
  interactions: [],
  follow_ups: ['Does it help for longer?'],
  disclaimer: 'This is no medical advice.',
  disclaimer_url: '/disclaimer',
  retrieval_version: 'test-1',
  index_version: 'index-1',
  model: 'extractive',
  resolved: [],
  warnings: [],
  refusal: null,
  coverage: 0.8,
  what_would_answer: '',
  ...more,
});

/** Builds the events of a complete answer, in the order of the port. */
export const eventsOf = (body: AnswerBody): AskEvent[] => [
  { type: 'status', stage: 'retrieving', progress: 0.1 },
  { type: 'sources', citations: body.citations },
  { type: 'status', stage: 'generating', progress: 0.5 },
  ...(body.answer.match(/\S+\s*/g) ?? []).map((text): AskEvent => ({ type: 'delta', text })),
  ...body.citations.map(({ n, source_id, quote }): AskEvent => ({ type: 'citation', n, source_id, quote })),
  { type: 'warning', code: 'test', message: 'Only a test.' },
  { type: 'final', answer: body },
];

export interface Scripted extends AnswerEngine {
  /** The requests received, in order. */
  readonly asked: AskRequest[];
  /** The abort signals of the requests, in order. */
  readonly signals: AbortSignal[];
}

/** Emits these events, and waits for the gate before the event with the given index. */
export const scriptedEngine = (
  of: (request: AskRequest) => readonly AskEvent[] = ({ question }) => eventsOf(answerBody(question)),
  gate: { readonly before: number; readonly open: Promise<unknown> } = { before: -1, open: Promise.resolve() },
): Scripted => {
  const [asked, signals]: [AskRequest[], AbortSignal[]] = [[], []];
  return {
    asked,
    signals,
    async *ask(asking, signal) {
      asked.push(asking);
      signals.push(signal);
      for (const [at, event] of of(asking).entries()) {
        if (at === gate.before) await gate.open;
        signal.throwIfAborted();
        yield event;
      }
    },
  };
};

export interface WireEvent {
  readonly id: string;
  readonly event: string;
  // biome-ignore lint/suspicious/noExplicitAny: the tests look into data of every shape
  readonly data: any;
}

export interface OpenStream {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Returns all text received so far. */
  text(): string;
  events(): WireEvent[];
  /** Waits until the predicate accepts the events received so far. */
  until(says: (events: readonly WireEvent[], text: string) => boolean): Promise<void>;
  /** Waits for the server to end the stream. */
  ended(): Promise<WireEvent[]>;
  /** Destroys the connection, as a phone in a tunnel does. */
  drop(): void;
}

const parse = (text: string): WireEvent[] =>
  text
    .split('\n\n')
    .slice(0, -1)
    .flatMap((block) => {
      const fields = new Map(
        block.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
      );
      const event = fields.get('event');
      return event ? [{ id: fields.get('id') ?? '', event, data: JSON.parse(fields.get('data') ?? 'null') }] : [];
    });

const PATIENCE_MS = 10_000;

const streamOf = (sent: ClientRequest, reply: IncomingMessage): OpenStream => {
  let [text, hasEnded] = ['', false];
  reply.setEncoding('utf8');
  reply.on('data', (chunk: string) => {
    text += chunk;
  });
  for (const end of ['end', 'close', 'error'])
    reply.on(end, () => {
      hasEnded = true;
    });
  const wait = async (isDone: () => boolean): Promise<void> => {
    const deadline = Date.now() + PATIENCE_MS;
    while (!isDone()) {
      if (Date.now() > deadline) throw new Error(`The stream did not get there: ${text}`);
      await sleep(10);
    }
  };
  return {
    status: reply.statusCode ?? 0,
    headers: reply.headers,
    text: () => text,
    events: () => parse(text),
    until: (says) => wait(() => says(parse(text), text)),
    ended: async () => {
      await wait(() => hasEnded);
      return parse(text);
    },
    drop: () => sent.destroy(),
  };
};

export interface StreamRequest {
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object;
}

/** Posts a question and reads the response as raw bytes. */
export const openStream = async (
  service: TestService,
  { path = '/api/ask/stream', headers = {}, body = { question: 'Does it help?' } }: StreamRequest,
): Promise<OpenStream> => {
  const text = JSON.stringify(body);
  const sent = request(`${service.url}${path}`, {
    method: 'POST',
    agent: false,
    headers: { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text), ...headers },
  });
  sent.on('error', () => undefined);
  sent.end(text);
  const [reply] = (await once(sent, 'response')) as [IncomingMessage];
  return streamOf(sent, reply);
};

export const authorised = (key: IssuedKey): Record<string, string> => ({ Authorization: `Bearer ${key.key}` });
