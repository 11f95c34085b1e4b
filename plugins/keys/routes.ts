import { coreErrors } from '#core/errors.ts';
import type { Principal } from '#core/http/gatekeeper.ts';
import { invalid } from '#core/http/validate.ts';
import { type Context, defineRoute } from '#core/plugin.ts';
import { keyErrors } from './errors.ts';
import { subjectOfHolder } from './gatekeeper.ts';
import type { KeyRow } from './key-store.ts';
import { isHashOf } from './key-text.ts';
import type { KeptPart } from './revocation.ts';
import {
  CreatedKey,
  DeactivatedKey,
  KeyCreation,
  KeyDeactivation,
  KeyEnd,
  KeyIdPath,
  KeyMetadata,
  KeyRotation,
  OwnKey,
  RotatedKey,
} from './schemas.ts';
import type { KeyServices } from './services.ts';

const noStore = { 'Cache-Control': 'no-store' };
const iso = (date: Date | null): string | null => date?.toISOString() ?? null;

const metadataOf = (row: KeyRow) => ({
  id: row.id,
  name: row.name,
  key_prefix: row.prefix,
  is_admin: row.isAdmin,
  active: row.active ? 1 : 0,
  plan: row.plan,
  rpm_limit: row.rpmLimit,
  daily_limit: row.dailyLimit,
  scopes: row.scopes,
  created_at: row.createdAt.toISOString(),
  expires_at: iso(row.expiresAt),
  predecessor_id: row.predecessorId,
  successor_id: row.successorId,
});

/**
 * Returns the end of a window. Windows begin at whole multiples of their length, so fractions of a second are rounded away.
 */
const endOfWindow = (windowSeconds: number, resetSeconds: number): string => {
  const seconds = Math.round((Date.now() / 1000 + resetSeconds) / windowSeconds) * windowSeconds;
  return new Date(seconds * 1000).toISOString();
};

const dateOf = (name: string, text: string | null): Date | null => {
  if (!text) return null;
  const at = new Date(text);
  // The schema accepts a leap second and an offset without minutes; Date does not.
  if (Number.isNaN(at.getTime())) throw invalid('body', name, 'Value is not a valid date-time', text);
  return at;
};

const expiryOf = (text: string | null): Date | null => {
  const at = dateOf('expires_at', text);
  if (at && at.getTime() <= Date.now()) throw invalid('body', 'expires_at', 'The expiry must lie in the future', text);
  return at;
};

const WARNING = 'Store this key now. It is shown only once.';
const callerOf = ({ principal }: Pick<Context, 'principal'>): string | null =>
  principal.kind === 'key' ? principal.keyId : null;

const createKey = defineRoute<KeyServices, { body: typeof KeyCreation }>({
  id: 'keys.create',
  method: 'POST',
  path: '/api/keys',
  summary: 'Create an API key',
  description:
    'Needs an admin key, or the header `X-Admin-Bootstrap` while no admin key exists. The raw key and the secret of its owner are returned once.',
  tag: 'Keys',
  access: 'admin',
  bootstrap: true,
  request: { body: KeyCreation },
  replies: [{ status: 200, mediaType: 'application/json', description: 'The new key', schema: CreatedKey }],
  links: { 'keys.rotate': { id: '/id' }, 'keys.deactivate': { id: '/id' } },
  raises: ['validation_failed', 'malformed_json', 'bootstrap_locked', 'wrong_bootstrap_secret'],
  handle: async ({ services, principal }, { body }) => {
    const bootstrap = principal.kind === 'bootstrap';
    if (bootstrap && !body.is_admin)
      throw invalid('body', 'is_admin', 'Under bootstrap, is_admin must be true', body.is_admin);
    const expiresAt = expiryOf(body.expires_at ?? null);
    const { row, raw, ownerSecret } = await services.store.create(
      {
        name: body.name,
        isAdmin: body.is_admin,
        rpmLimit: body.rpm_limit,
        dailyLimit: body.daily_limit,
        expiresAt,
        scopes: body.scopes,
        contactEmail: body.contact_email,
        notes: body.notes,
        issuerId: callerOf({ principal }),
      },
      { bootstrap },
    );
    return {
      headers: noStore,
      body: { ...metadataOf(row), key: raw, api_key: raw, owner_secret: ownerSecret, warning: WARNING },
    };
  },
});

/** Returns the rotations of a key. A successor that its predecessor itself requested was created with the owner's secret. */
const rotationsOf = async ({ store }: KeyServices, row: KeyRow) => {
  const [after, before] = await Promise.all(
    [row.successorId, row.predecessorId].map((id) => (id ? store.byId(id) : null)),
  );
  const told = (made: KeyRow, other: KeyRow) => ({
    at: made.createdAt.toISOString(),
    by: made.issuerId === made.predecessorId ? 'owner' : 'administrator',
    key_prefix: other.prefix,
  });
  return { replaced: after ? told(after, after) : null, replaces: before ? told(row, before) : null };
};

const ownKey = defineRoute<KeyServices, Record<string, never>>({
  id: 'keys.me',
  method: 'GET',
  path: '/api/keys/me',
  summary: 'The caller’s own key and its usage',
  tag: 'Keys',
  access: 'key',
  request: {},
  replies: [{ status: 200, mediaType: 'application/json', description: 'Metadata, no secret', schema: OwnKey }],
  raises: [],
  scope: null,
  handle: async ({ services, principal }) => {
    const row = principal.kind === 'key' ? await services.store.byId(principal.keyId) : null;
    if (!row) throw coreErrors.invalid_api_key();
    const buckets = await services.quota.read(subjectOfHolder(row.holderId), row);
    const usage = Object.fromEntries(
      buckets.map(({ name, used, limit, windowSeconds, resetSeconds }) => [
        name,
        { used, limit, resets_at: endOfWindow(windowSeconds, resetSeconds) },
      ]),
    );
    const { replaced, replaces } = await rotationsOf(services, row);
    return {
      headers: noStore,
      body: { ...metadataOf(row), replaced, replaces, usage, last_used_at: iso(row.lastUsedAt) },
    };
  },
});

const deactivateKey = defineRoute<KeyServices, { params: typeof KeyIdPath; body: typeof KeyDeactivation }>({
  id: 'keys.deactivate',
  method: 'POST',
  path: '/api/keys/{id}/deactivate',
  summary: 'Deactivate a key and everything that was created with it',
  description:
    'Requests and downloads under way are broken off within two seconds. With the key end the keys that replaced it, the keys of administrators that it issued, the webhooks that it registered or pointed elsewhere (they are switched off, and what waits is not sent), and its answers to repeated requests. `keep` names what goes on. The key that calls vouches for itself: it does not end, nor what came of it. Ordinary keys that it issued go on, and are counted, unless `since` says from when on they are not trusted.',
  tag: 'Keys',
  access: 'admin',
  request: { params: KeyIdPath, body: KeyDeactivation },
  replies: [
    { status: 200, mediaType: 'application/json', description: 'The key as it now is', schema: DeactivatedKey },
  ],
  links: { 'keys.activate': { id: '/id' } },
  raises: ['validation_failed', 'malformed_json', 'not_found'],
  handle: async ({ services, principal }, { params, body }) => {
    const since = dateOf('since', body.since ?? null);
    const request = { keep: body.keep as readonly KeptPart[], since, callerId: callerOf({ principal }) };
    const { row, ended, issuedLeft } = await services.store.deactivate(params.id, request);
    return { headers: noStore, body: { ...metadataOf(row), ended, issued_keys_left: issuedLeft } };
  },
});

const activateKey = defineRoute<KeyServices, { params: typeof KeyIdPath }>({
  id: 'keys.activate',
  method: 'POST',
  path: '/api/keys/{id}/activate',
  summary: 'Undo the deactivation of a key, or the end that a rotation set',
  description:
    'Keys that ended by the same deactivation work again too; webhooks stay off until they are switched on. Keys that replaced it go on: deactivate those that are not trusted.',
  tag: 'Keys',
  access: 'admin',
  request: { params: KeyIdPath },
  replies: [{ status: 200, mediaType: 'application/json', description: 'The key as it now is', schema: KeyMetadata }],
  links: { 'keys.deactivate': { id: '/id' } },
  raises: ['validation_failed', 'not_found', 'key_not_restorable'],
  handle: async ({ services }, { params }) => ({
    headers: noStore,
    body: metadataOf(await services.store.activate(params.id)),
  }),
});

const endKey = defineRoute<KeyServices, { params: typeof KeyIdPath; body: typeof KeyEnd }>({
  id: 'keys.end',
  method: 'POST',
  path: '/api/keys/{id}/end',
  summary: 'End one of your own keys: the one that calls, or one that it replaced or was replaced by',
  description:
    'Needs the secret of the owner, or an admin key. This key alone ends, such as the one before a rotation ahead of its time; an administrator can undo it.',
  tag: 'Keys',
  access: 'key',
  scope: null,
  isPrivate: true,
  request: { params: KeyIdPath, body: KeyEnd },
  replies: [{ status: 200, mediaType: 'application/json', description: 'The key as it now is', schema: KeyMetadata }],
  raises: ['validation_failed', 'malformed_json', 'not_found', 'owner_required'],
  handle: async ({ services, principal }, { params, body }) => {
    await requireOwnership(services, principal, { id: params.id, secret: body.owner_secret });
    const ended = await services.store.deactivate(params.id, { keep: ['successors', 'admin_keys', 'webhooks'] });
    return { headers: noStore, body: metadataOf(ended.row) };
  },
});

/**
 * Verifies ownership.
 * @throws owner_required unless the key belongs to the caller's holder and the secret is its owner's, or the caller is an
 * administrator.
 */
const requireOwnership = async (
  services: KeyServices,
  principal: Principal,
  { id, secret }: { readonly id: string; readonly secret: string | undefined },
): Promise<void> => {
  if (principal.kind === 'key' && isFullAdmin(principal)) return;
  const [own, row] = await Promise.all([callerRow(services, principal), services.store.byId(id)]);
  if (!own || row?.holderId !== own.holderId || !isOwner(own, secret)) throw keyErrors.owner_required();
};

const callerRow = ({ store }: KeyServices, principal: Principal): Promise<KeyRow | null> =>
  principal.kind === 'key' ? store.byId(principal.keyId) : Promise.resolve(null);

const isOwner = ({ ownerHash }: KeyRow, secret = ''): boolean => ownerHash !== null && isHashOf(secret, ownerHash);

const rotate = defineRoute<KeyServices, { params: typeof KeyIdPath; body: typeof KeyRotation }>({
  id: 'keys.rotate',
  method: 'POST',
  path: '/api/keys/{id}/rotate',
  summary: 'Replace a key by a new one, with an overlap',
  description:
    'With an admin key, or with the key itself and the secret of its owner. The new key takes over name, plan, limits, scopes, contact, expiry and owner, and is returned once. The old one works for `grace_seconds` more, then answers `key_expired`; `/end` ends it sooner, and an administrator can undo all of it. Both count into one quota, and each says at `/api/keys/me` by whom it was replaced. A key that has a working successor is not rotated again. Send an `Idempotency-Key`: an answer that was lost on the way can then be had again.',
  tag: 'Keys',
  access: 'key',
  scope: null,
  isPrivate: true,
  request: { params: KeyIdPath, body: KeyRotation },
  replies: [{ status: 200, mediaType: 'application/json', description: 'The new key', schema: RotatedKey }],
  links: { 'keys.deactivate': { id: '/id' } },
  raises: ['validation_failed', 'malformed_json', 'not_found', 'admin_required', 'owner_required', 'key_not_rotatable'],
  handle: async ({ services, principal }, { params, body }) => {
    await requireAuthority(services, principal, { id: params.id, secret: body.owner_secret });
    const { before, row, raw } = await services.store.rotate(params.id, body.grace_seconds, callerOf({ principal }));
    const ends = { predecessor_expires_at: iso(before.expiresAt) };
    return { headers: noStore, body: { ...metadataOf(row), key: raw, api_key: raw, warning: WARNING, ...ends } };
  },
});

/**
 * Verifies authority over a key.
 * @throws admin_required for another's key, owner_required for the caller's own key without the owner's secret.
 */
const requireAuthority = async (
  services: KeyServices,
  principal: Principal,
  { id, secret }: { readonly id: string; readonly secret: string | undefined },
): Promise<void> => {
  if (principal.kind === 'key' && isFullAdmin(principal)) return;
  if (callerOf({ principal }) !== id) throw coreErrors.admin_required();
  const own = await callerRow(services, principal);
  if (!own || !isOwner(own, secret)) throw keyErrors.owner_required();
};

/** Returns whether a key may act as an administrator, which its scopes may exclude. */
const isFullAdmin = ({ isAdmin, scopes }: { readonly isAdmin: boolean; readonly scopes: readonly string[] }): boolean =>
  isAdmin && (!scopes.length || scopes.includes('admin'));

export const keyRoutes = [createKey, ownKey, deactivateKey, activateKey, endKey, rotate];
