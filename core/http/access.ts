/** Who may call a route, and whether their quota lets them: before anything is validated or read. */
import { coreErrors } from '../errors.ts';
import type { Route } from '../plugin.ts';
import type { Bucket, Gatekeeper, Principal } from './gatekeeper.ts';

export interface Admission {
  readonly principal: Principal;
  readonly headers: Readonly<Record<string, string>>;
  /** The request goes on with one that was counted before. */
  readonly resumed: boolean;
}

const bearer = (header: string | undefined): string | null => {
  if (header === undefined || header.trim() === '') return null;
  const match = /^Bearer\s+(\S+)\s*$/i.exec(header);
  return match?.[1] ?? '';
};

/** RateLimit headers of the IETF draft, and the older X- ones for the minute. */
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

/** With both buckets exceeded, the one that resets later is the answer. */
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

const identify = async (route: Route, gatekeeper: Gatekeeper, request: AccessRequest): Promise<Principal> => {
  const { address } = request;
  const key = bearer(request.authorization);
  if (key !== null) return gatekeeper.identify(key, address);
  if (route.access === 'limited') return { kind: 'anonymous', address };
  if (route.bootstrap && request.bootstrapSecret !== undefined)
    return gatekeeper.bootstrap(request.bootstrapSecret, address);
  throw coreErrors.missing_api_key();
};

export interface AccessRequest {
  readonly authorization: string | undefined;
  readonly bootstrapSecret: string | undefined;
  readonly address: string;
  /** Whether this caller goes on with a request that was counted before. */
  isResumed(principal: Principal): Promise<boolean>;
}

/**
 * Whether a caller who was admitted to one route may call another too.
 * @throws AppError 401 or 403
 */
export const mayCall = ({ access }: Route, principal: Principal): void => {
  if (access === 'public' || access === 'limited') return;
  if (principal.kind !== 'key') throw coreErrors.missing_api_key();
  if (access === 'admin' && !principal.isAdmin) throw coreErrors.admin_required();
};

/**
 * Admits a request to a route of any class.
 * @throws AppError 401, 403 or 429 with the headers that go with it.
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
  const resumed = await request.isResumed(principal);
  if (isOpen || resumed || principal.kind === 'bootstrap') return { principal, headers: {}, resumed };
  const { buckets, enforced } = await gatekeeper.charge(principal, route.id);
  const headers = quotaHeaders(buckets);
  if (enforced) refuseOverQuota(buckets, headers);
  if (route.access === 'admin' && !(principal.kind === 'key' && principal.isAdmin)) {
    throw coreErrors.admin_required({}, { headers });
  }
  return { principal, headers, resumed };
};
