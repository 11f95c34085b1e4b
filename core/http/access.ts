/** Checks authentication, authorization and quota of a request, before its body is read or validated. */
import { AppError, coreErrors } from '../errors.ts';
import type { Route, ThrottleRule } from '../plugin.ts';
import type { Bucket, Gatekeeper, Principal } from './gatekeeper.ts';
import { hasScope, requireScope } from './scopes.ts';

export interface Admission {
  readonly principal: Principal;
  readonly headers: Readonly<Record<string, string>>;
  /** `resumed` or `repeat` when the request continues one that was already counted, or asks for its response again. */
  readonly counts: 'new' | 'resumed' | 'repeat';
}

/** Limit of invalid keys and bootstrap secrets per address, so that they cannot be guessed. */
export const GUESSES: ThrottleRule = { bucket: 'auth', perMinute: 30, perDay: 300 };

const bearer = (header: string | undefined): string | null => {
  if (header === undefined || header.trim() === '') return null;
  const match = /^Bearer\s+(\S+)\s*$/i.exec(header);
  return match?.[1] ?? '';
};

/** Builds the RateLimit headers of the IETF draft, and the older X-RateLimit headers for the minute. */
const quotaHeaders = (buckets: readonly Bucket[]): Record<string, string> => {
  const minute = buckets.find((bucket) => bucket.name === 'minute');
  const left = (bucket: Bucket): number => Math.max(0, bucket.limit - bucket.used);
  return {
    'RateLimit-Policy': buckets
      .map((bucket) => `"${bucket.name}";q=${bucket.limit};w=${bucket.windowSeconds}`)
      .join(', '),
    RateLimit: buckets.map((bucket) => `"${bucket.name}";r=${left(bucket)};t=${bucket.resetSeconds}`).join(', '),
    ...(minute && {
      'X-RateLimit-Limit': String(minute.limit),
      'X-RateLimit-Remaining': String(left(minute)),
      'X-RateLimit-Reset': String(minute.resetSeconds),
    }),
  };
};

/** Throws `quota_exceeded` when a bucket is exceeded; when both are, for the one that resets later. */
const refuseOverQuota = (buckets: readonly Bucket[], headers: Readonly<Record<string, string>>): void => {
  const over = buckets.filter((bucket) => bucket.used > bucket.limit).sort((a, b) => b.resetSeconds - a.resetSeconds);
  const worst = over[0];
  if (!worst) return;
  const { name, used, limit, resetSeconds } = worst;
  throw coreErrors.quota_exceeded(
    { bucket: name, used: Math.min(used, limit + 1), limit },
    {
      headers: { ...headers, 'Retry-After': String(resetSeconds) },
      body: { 'violated-policies': over.map((bucket) => bucket.name), retry_after: resetSeconds },
    },
  );
};

/** Identifies a key. A valid key is admitted whatever others at the address try: its 256 random bits cannot be guessed. */
const identifyKey = async (gatekeeper: Gatekeeper, key: string, request: AccessRequest): Promise<Principal> => {
  try {
    return await gatekeeper.identify(key, request.address);
  } catch (error) {
    if (error instanceof AppError && error.code === 'invalid_api_key') await request.countGuess();
    throw error;
  }
};

const identify = async (route: Route, gatekeeper: Gatekeeper, request: AccessRequest): Promise<Principal> => {
  const { address } = request;
  const key = bearer(request.authorization);
  if (key !== null) return identifyKey(gatekeeper, key, request);
  if (route.access === 'limited') return { kind: 'anonymous', address };
  if (route.bootstrap && request.bootstrapSecret !== undefined) {
    // The attempt is counted before the check, because a person chose the secret: above the limit even a valid one is refused.
    await request.countGuess();
    return gatekeeper.bootstrap(request.bootstrapSecret, address);
  }
  throw coreErrors.missing_api_key();
};

export interface AccessRequest {
  readonly authorization: string | undefined;
  readonly bootstrapSecret: string | undefined;
  readonly address: string;
  /** Returns whether this caller continues a request that was already counted. */
  isResumed(principal: Principal): Promise<boolean>;
  /** Returns whether the request was already sent with the same idempotency key. */
  isRepeat(principal: Principal): Promise<boolean>;
  /** Counts an attempt that may be a guess. @throws AppError 429 when this address has made too many */
  countGuess(): Promise<void>;
}

const isAdmin = (principal: Principal): boolean => principal.kind === 'key' && principal.isAdmin;

const isAllowed = (route: Route, principal: Principal): boolean =>
  (route.access !== 'admin' || isAdmin(principal) || principal.kind === 'bootstrap') && hasScope(route, principal);

/**
 * Checks that a caller who was admitted to one route may also call another route.
 * @throws AppError 401 or 403
 */
export const mayCall = (route: Route, principal: Principal): void => {
  const { access } = route;
  if ((access === 'key' || access === 'admin') && principal.kind !== 'key') throw coreErrors.missing_api_key();
  if (access === 'admin' && !isAdmin(principal)) throw coreErrors.admin_required();
  requireScope(route, principal, {});
};

/**
 * Admits a request to a route of any access class and charges the quota.
 * @throws AppError 401, 403 or 429, with the quota headers
 */
export const admit = async (
  route: Route,
  gatekeeper: Gatekeeper | null,
  request: AccessRequest,
): Promise<Admission> => {
  const isOpen = route.access === 'public' || !gatekeeper;
  const principal = isOpen
    ? ({ kind: 'anonymous', address: request.address } as const)
    : await identify(route, gatekeeper, request);
  if (isOpen) return { principal, headers: {}, counts: (await request.isResumed(principal)) ? 'resumed' : 'new' };
  if (await request.isResumed(principal)) return { principal, headers: {}, counts: 'resumed' };
  // A caller who may no longer call the route may not read its stored response either.
  if (isAllowed(route, principal) && (await request.isRepeat(principal)))
    return { principal, headers: {}, counts: 'repeat' };
  if (principal.kind === 'bootstrap') return { principal, headers: {}, counts: 'new' };
  const { buckets, enforced } = await gatekeeper.charge(principal, route.id);
  const headers = quotaHeaders(buckets);
  if (enforced) refuseOverQuota(buckets, headers);
  if (route.access === 'admin' && !isAdmin(principal)) throw coreErrors.admin_required({}, { headers });
  requireScope(route, principal, headers);
  return { principal, headers, counts: 'new' };
};
