/** Provides a vendor's adapter with requests to its vendor, with the token of one person. */
import type { VendorApi, VendorRequest } from '../vendors/vendor.ts';
import { jsonOf, type VendorFetch } from './fetching.ts';
import type { Programme } from './programme.ts';
import type { Tokens } from './tokens.ts';

const addressOf = ({ endpoints }: Programme, { base = 'data', path, query = {} }: VendorRequest): string => {
  const url = new URL(`${endpoints[base]}${path}`);
  for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, String(value));
  return url.href;
};

const asking =
  (programme: Programme, fetch: VendorFetch, accessToken: string | null): VendorApi['ask'] =>
  async (request) => {
    const { method = 'GET', form, json, isAnonymous } = request;
    const headers = new Headers({ accept: 'application/json' });
    if (accessToken !== null && !isAnonymous) headers.set('authorization', `Bearer ${accessToken}`);
    if (json !== undefined) headers.set('content-type', 'application/json');
    const body = form ? new URLSearchParams(form) : json === undefined ? undefined : JSON.stringify(json);
    return jsonOf(await fetch(addressOf(programme, request), { method, headers, body }), request);
  };

/** Returns a function for requests without a token. */
export const anonymousAsk = (programme: Programme, fetch: VendorFetch): VendorApi['ask'] =>
  asking(programme, fetch, null);

interface Account {
  readonly tokens: Tokens;
  /** Granted scopes. */
  readonly scopes: readonly string[];
}

export const vendorApi = (programme: Programme, fetch: VendorFetch, { tokens, scopes }: Account): VendorApi => ({
  client: programme.client,
  accessToken: tokens.access,
  refreshToken: tokens.refresh,
  user: tokens.user,
  has: (scope) => scopes.includes(scope),
  ask: asking(programme, fetch, tokens.access),
});
