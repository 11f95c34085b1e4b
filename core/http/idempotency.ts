/**
 * `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header): a POST that is sent again with the same key is answered
 * with what it was answered before, and neither done nor charged again.
 */
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Claim, type Found, idempotentRequests } from '../db/idempotent-requests.ts';
import { AppError, coreErrors } from '../errors.ts';
import type { Context, Reply, Route, ThrottleRule } from '../plugin.ts';
import type { Runtime } from '../runtime.ts';
import type { Secrets } from '../secrets.ts';
import { errorReply } from './error-reply.ts';
import type { Principal } from './gatekeeper.ts';

/** Of an RFC 8941 string, as the draft wants it, or of the bare characters that most clients send. */
const SYNTAX = /^(?:"([\x21\x23-\x5b\x5d-\x7e]{1,255})"|([\x21\x23-\x7e][\x21-\x7e]{0,254}))$/;

/** For the description. */
export const HEADER_PATTERN = SYNTAX.source;

/** Longer answers are not kept. */
const MAX_BYTES = 1_048_576;
/** How long a second request waits for the first one's answer, and how often it looks. */
const WAIT_MS = 20_000;
const LOOK_MS = 100;

/** Answering again costs no quota: it has a limit of its own. */
export const REPEATS: ThrottleRule = { bucket: 'idempotency', perMinute: 120 };

/** Streams and uploads are not done once: their answers, or what is sent, are too long to keep. */
export const takesIdempotencyKey = ({ method, access, upload, stream, replies }: Route): boolean =>
  method === 'POST' &&
  access !== 'public' &&
  !upload &&
  !stream &&
  replies.every(({ mediaType }) => mediaType !== 'text/event-stream');

interface Kept {
  readonly status: number;
  readonly type: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What a request is: its route, whole address and body. */
export interface Asked {
  readonly route: Route;
  readonly address: string;
  readonly body: unknown;
}

/** One request with the header, from its admission to its answer. */
export interface Once {
  /** Claims it for this caller. True: another one with this key came before, and this one is not charged. */
  begin(principal: Principal, read: () => Promise<unknown>): Promise<boolean>;
  /** Before anything is read. @throws AppError 422 when the header is wrong here, or was used for something else. */
  check(): void;
  /** Does the work once, or gives the answer of before. @throws AppError 503, or as the work does. */
  run(request: Pick<Context, 'requestId' | 'signal'>, work: () => Promise<Reply>): Promise<Reply>;
  /** Lets go of what was claimed and never done. */
  end(): Promise<void>;
}

interface Parts extends Pick<Runtime, 'db' | 'secrets' | 'log'> {
  readonly baseUrl: string;
}

const wait = (seconds: number) =>
  coreErrors.reduced_capacity({}, { headers: { 'Retry-After': String(seconds) }, body: { retry_after: seconds } });

const invalidHeader = () => {
  const msg = 'Value should be 1 to 255 visible ASCII characters';
  return coreErrors.validation_failed(
    {},
    { problems: [{ type: 'value_error', loc: ['header', 'Idempotency-Key'], msg }] },
  );
};

const idOf = (holder: string, key: string): string => createHash('sha256').update(`${holder}\0${key}`).digest('hex');

/** Keyed, for a body may hold what can be guessed: of each secret that may have been in use when the first one came. */
const fingerprintsOf = (secrets: Secrets, { route, address, body }: Asked): readonly [string, ...string[]] =>
  secrets.pseudonyms('idempotency', JSON.stringify([route.id, address, body ?? null]));

const sealing = (id: string) => ({ purpose: 'idempotent_request', id });

/** Null: pages, streams, long answers. */
const keptOf = ({ status = 200, type, headers = {}, body, page }: Reply): Kept | null => {
  if (page) return null;
  const text = type ? body : JSON.stringify(body ?? null);
  if (typeof text !== 'string' || Buffer.byteLength(text) > MAX_BYTES) return null;
  return { status, type: type ?? 'application/json', headers, body: text };
};

/** A failure that the same request would meet again: not one of ours, and not a limit that passes. */
const lasts = (error: unknown): error is AppError =>
  error instanceof AppError && error.status < 500 && error.status !== 429;

const replayed = ({ status, type, headers, body }: Kept): Reply => ({
  status,
  type,
  headers: { ...headers, 'Idempotency-Replayed': 'true' },
  body,
});

const keepFor = async ({ secrets, log }: Parts, id: string, claim: Claim, kept: Kept | null): Promise<void> => {
  // The work is done: what cannot be kept is told all the same.
  const done = kept ? claim.keep(secrets.seal(sealing(id), Buffer.from(JSON.stringify(kept)))) : claim.forget();
  await done.catch((error) => log.warn('idempotent_answer_not_kept', { error }));
};

const doOnce = async (parts: Parts, id: string, claim: Claim, requestId: string, work: () => Promise<Reply>) => {
  try {
    const reply = await work();
    await keepFor(parts, id, claim, keptOf(reply));
    return reply;
  } catch (error) {
    const told = lasts(error) ? errorReply(error, requestId, parts.baseUrl, false) : null;
    await keepFor(parts, id, claim, told && { ...told, body: JSON.stringify(told.body) });
    throw error;
  }
};

/** What another one with this key answers. That one may be under way, on any node. */
const answerOf = async ({ db, secrets }: Parts, id: string, first: Found, signal: AbortSignal): Promise<Reply> => {
  const requests = idempotentRequests(db);
  const until = Date.now() + WAIT_MS;
  let found: Found | null = first;
  while (found && !found.sealed && !found.isDead && Date.now() < until && !signal.aborted) {
    await sleep(LOOK_MS);
    found = await requests.find(id);
  }
  // Refused, failed or killed, or not done yet: the next attempt is a request of its own.
  if (!found?.sealed) throw wait(found?.isDead === false ? 2 : 1);
  return replayed(JSON.parse(secrets.open(sealing(id), found.sealed).toString('utf8')) as Kept);
};

type Claimed = { readonly id: string } & ({ readonly claim: Claim } | { readonly found: Found });

const createOnce = (parts: Parts, header: string, asked: Omit<Asked, 'body'>): Once => {
  let refusal: AppError | null = null;
  let claimed: Claimed | null = null;
  const refuse = (error: AppError): false => {
    refusal = error;
    return false;
  };
  return {
    begin: async (principal, read) => {
      const match = SYNTAX.exec(header);
      if (!match) return refuse(invalidHeader());
      if (principal.kind !== 'key' || !takesIdempotencyKey(asked.route))
        return refuse(coreErrors.idempotency_not_supported());
      // A body that cannot be read is refused where all others are, after the call was counted.
      const body = await read().then(
        (value) => ({ value }),
        () => null,
      );
      if (!body) return false;
      const id = idOf(principal.holderId, match[1] ?? match[2] ?? '');
      const [current, ...before] = fingerprintsOf(parts.secrets, { ...asked, body: body.value });
      const result = await idempotentRequests(parts.db).claim(id, { fingerprint: current, keyId: principal.keyId });
      if ('found' in result && ![current, ...before].includes(result.found.fingerprint))
        return refuse(coreErrors.idempotency_key_reused());
      claimed = { id, ...result };
      return 'found' in result;
    },
    check: () => {
      if (refusal) throw refusal;
    },
    run: async ({ requestId, signal }, work) => {
      if (!claimed) return work();
      if ('found' in claimed) return answerOf(parts, claimed.id, claimed.found, signal);
      return doOnce(parts, claimed.id, claimed.claim, requestId, work);
    },
    end: async () => {
      if (claimed && 'claim' in claimed)
        await claimed.claim.forget().catch((error) => parts.log.warn('idempotency_claim_not_ended', { error }));
    },
  };
};

/** Without the header, and where it means nothing: as often as it is sent. */
const ALWAYS: Once = {
  begin: async () => false,
  check: () => undefined,
  run: (_request, work) => work(),
  end: async () => undefined,
};

/** @returns what a request is done by: `header` is the value of `Idempotency-Key`. */
export const onceOnly = ({ db, secrets, log, config }: Runtime) => {
  const parts: Parts = { db, secrets, log, baseUrl: config.text('BASE_URL') };
  return (header: string | undefined, route: Route, address: string): Once =>
    header === undefined || route.method !== 'POST' || route.access === 'public'
      ? ALWAYS
      : createOnce(parts, header, { route, address });
};
