/**
 * Implements `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header): a POST that is repeated with the same key
 * receives the stored response and is neither executed nor charged again.
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

/** Matches an RFC 8941 string, as the draft requires, or the bare characters that most clients send. */
const SYNTAX = /^(?:"([\x21\x23-\x5b\x5d-\x7e]{1,255})"|([\x21\x23-\x7e][\x21-\x7e]{0,254}))$/;

/** The pattern for the OpenAPI document. */
export const HEADER_PATTERN = SYNTAX.source;

/** Maximum size of a stored response, in bytes. */
const MAX_BYTES = 1_048_576;
/** Longest time that a repeated request waits for the first response, and the polling interval, in milliseconds. */
const WAIT_MS = 20_000;
const LOOK_MS = 100;

/** A replayed response costs no quota, so repeats have a rate limit of their own. */
export const REPEATS: ThrottleRule = { bucket: 'idempotency', perMinute: 120 };

/** Returns whether a route supports the header. Streams and uploads do not: the response or the body is too long to store. */
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

/** The parts that identify a request: its route, whole address and body. */
export interface Asked {
  readonly route: Route;
  readonly address: string;
  readonly body: unknown;
}

/** The handling of one request with the header, from its admission to its response. */
export interface Once {
  /** Claims the key for this caller. Returns true when it was already claimed, so that this request is not charged. */
  begin(principal: Principal, read: () => Promise<unknown>): Promise<boolean>;
  /** Must be called before the body is used. @throws AppError when the header is invalid, unsupported or already used. */
  check(): void;
  /** Executes the work once, or returns the stored response. @throws AppError 503, or any error of the work. */
  run(request: Pick<Context, 'requestId' | 'signal'>, work: () => Promise<Reply>): Promise<Reply>;
  /** Releases a claim whose work was not executed. */
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

/**
 * Computes the fingerprints of a request, the current one first, with one for each secret that may have been in use when
 * the first request came. They are keyed because a body may contain guessable data.
 */
const fingerprintsOf = (secrets: Secrets, { route, address, body }: Asked): readonly [string, ...string[]] =>
  secrets.pseudonyms('idempotency', JSON.stringify([route.id, address, body ?? null]));

const sealing = (id: string) => ({ purpose: 'idempotent_request', id });

/** Returns the response to store; null for pages, streams and long responses. */
const keptOf = ({ status = 200, type, headers = {}, body, page }: Reply): Kept | null => {
  if (page) return null;
  const text = type ? body : JSON.stringify(body ?? null);
  if (typeof text !== 'string' || Buffer.byteLength(text) > MAX_BYTES) return null;
  return { status, type: type ?? 'application/json', headers, body: text };
};

/** Returns whether a repeated request would fail in the same way, unlike after an internal error or a rate limit. */
const lasts = (error: unknown): error is AppError =>
  error instanceof AppError && error.status < 500 && error.status !== 429;

const replayed = ({ status, type, headers, body }: Kept): Reply => ({
  status,
  type,
  headers: { ...headers, 'Idempotency-Replayed': 'true' },
  body,
});

const keepFor = async ({ secrets, log }: Parts, id: string, claim: Claim, kept: Kept | null): Promise<void> => {
  // The work is done, so a response that cannot be stored is still sent.
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

/** Waits for the response of the first request with this key, which may be running on any node. */
const answerOf = async ({ db, secrets }: Parts, id: string, first: Found, signal: AbortSignal): Promise<Reply> => {
  const requests = idempotentRequests(db);
  const until = Date.now() + WAIT_MS;
  let found: Found | null = first;
  while (found && !found.sealed && !found.isDead && Date.now() < until && !signal.aborted) {
    await sleep(LOOK_MS);
    found = await requests.find(id);
  }
  // The first request was rejected, failed, was killed or is still running, so the client must retry.
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
      // An unreadable body is rejected later, where all others are, after the call was counted.
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

/** Used without the header and where it has no meaning: every request is executed. */
const ALWAYS: Once = {
  begin: async () => false,
  check: () => undefined,
  run: (_request, work) => work(),
  end: async () => undefined,
};

/** Returns a function that creates the handling of a request; `header` is the value of `Idempotency-Key`. */
export const onceOnly = ({ db, secrets, log, config }: Runtime) => {
  const parts: Parts = { db, secrets, log, baseUrl: config.text('BASE_URL') };
  return (header: string | undefined, route: Route, address: string): Once =>
    header === undefined || route.method !== 'POST' || route.access === 'public'
      ? ALWAYS
      : createOnce(parts, header, { route, address });
};
