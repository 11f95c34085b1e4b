import { coreErrors } from '#core/errors.ts';
import { invalid } from '#core/http/validate.ts';
import { defineRoute } from '#core/plugin.ts';
import { subjectOfHolder } from './gatekeeper.ts';
import type { KeyRow } from './key-store.ts';
import { CreatedKey, KeyCreation, KeyIdPath, KeyMetadata, KeyRotation, OwnKey, RotatedKey } from './schemas.ts';
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

/** Windows begin at whole multiples of their length, so the clock's fraction of a second does not show. */
const endOfWindow = (windowSeconds: number, resetSeconds: number): string => {
  const seconds = Math.round((Date.now() / 1000 + resetSeconds) / windowSeconds) * windowSeconds;
  return new Date(seconds * 1000).toISOString();
};

const expiryOf = (text: string | null): Date | null => {
  if (!text) return null;
  const at = new Date(text);
  // The schema lets a leap second and an offset without minutes pass; Date does not.
  if (Number.isNaN(at.getTime())) throw invalid('body', 'expires_at', 'Value is not a valid date-time', text);
  if (at.getTime() <= Date.now()) throw invalid('body', 'expires_at', 'The expiry must lie in the future', text);
  return at;
};

const WARNING = 'Store this key now. It is shown only once.';

const createKey = defineRoute<KeyServices, { body: typeof KeyCreation }>({
  id: 'keys.create',
  method: 'POST',
  path: '/api/keys',
  summary: 'Create an API key',
  description:
    'Needs an admin key, or the header `X-Admin-Bootstrap` while no admin key exists. The raw key is returned once.',
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
    const { row, raw } = await services.store.create(
      {
        name: body.name,
        isAdmin: body.is_admin,
        rpmLimit: body.rpm_limit,
        dailyLimit: body.daily_limit,
        expiresAt,
        scopes: body.scopes,
        contactEmail: body.contact_email,
        notes: body.notes,
      },
      { bootstrap },
    );
    return { headers: noStore, body: { ...metadataOf(row), key: raw, api_key: raw, warning: WARNING } };
  },
});

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
    return { headers: noStore, body: { ...metadataOf(row), usage, last_used_at: iso(row.lastUsedAt) } };
  },
});

const deactivateKey = defineRoute<KeyServices, { params: typeof KeyIdPath }>({
  id: 'keys.deactivate',
  method: 'POST',
  path: '/api/keys/{id}/deactivate',
  summary: 'Deactivate a key for good',
  tag: 'Keys',
  access: 'admin',
  request: { params: KeyIdPath },
  replies: [{ status: 200, mediaType: 'application/json', description: 'The key as it now is', schema: KeyMetadata }],
  raises: ['validation_failed', 'not_found'],
  handle: async ({ services }, { params }) => ({
    headers: noStore,
    body: metadataOf(await services.store.deactivate(params.id)),
  }),
});

const rotate = defineRoute<KeyServices, { params: typeof KeyIdPath; body: typeof KeyRotation }>({
  id: 'keys.rotate',
  method: 'POST',
  path: '/api/keys/{id}/rotate',
  summary: 'Replace a key by a new one, with an overlap',
  description:
    'An admin key, or the key itself. The new key takes over name, plan, limits, scopes, contact and expiry, and is returned once. The old one works for `grace_seconds` more, then answers `key_expired`. Both count into one quota. A key that has a working successor is not rotated again. Send an `Idempotency-Key`: an answer that was lost on the way can then be had again.',
  tag: 'Keys',
  access: 'key',
  scope: null,
  request: { params: KeyIdPath, body: KeyRotation },
  replies: [{ status: 200, mediaType: 'application/json', description: 'The new key', schema: RotatedKey }],
  links: { 'keys.deactivate': { id: '/id' } },
  raises: ['validation_failed', 'malformed_json', 'not_found', 'admin_required', 'key_not_rotatable'],
  handle: async ({ services, principal }, { params, body }) => {
    const mayRotate = principal.kind === 'key' && (isFullAdmin(principal) || principal.keyId === params.id);
    if (!mayRotate) throw coreErrors.admin_required();
    const { before, row, raw } = await services.store.rotate(params.id, body.grace_seconds);
    const ends = { predecessor_expires_at: iso(before.expiresAt) };
    return { headers: noStore, body: { ...metadataOf(row), key: raw, api_key: raw, warning: WARNING, ...ends } };
  },
});

/** One that may act as an admin: scopes may say otherwise. */
const isFullAdmin = ({ isAdmin, scopes }: { readonly isAdmin: boolean; readonly scopes: readonly string[] }): boolean =>
  isAdmin && (!scopes.length || scopes.includes('admin'));

export const keyRoutes = [createKey, ownKey, deactivateKey, rotate];
