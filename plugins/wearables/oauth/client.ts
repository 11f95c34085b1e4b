/** OAuth 2.0 client, based on oauth4webapi: the authorisation URL, the exchange of a code and the refresh of a token. */
import * as oauth from 'oauth4webapi';
import { objectOf } from '../vendors/reading.ts';
import { VendorError } from '../vendors/vendor-error.ts';
import { jsonOf, type VendorFetch } from './fetching.ts';
import type { Programme } from './programme.ts';
import { anonymousAsk } from './vendor-api.ts';

/** Tokens and scopes that a vendor granted for one person. */
export interface Grant {
  readonly access: string;
  readonly refresh: string | null;
  readonly expiresInSeconds: number | null;
  /** Null when the vendor does not state them: the requested or previous scopes then apply. */
  readonly scopes: readonly string[] | null;
  readonly user: string | null;
}

/** Limits of scopes and tokens, which exceed those of any vendor. */
const LONGEST_SCOPE = 200;
const MOST_SCOPES = 50;
const LONGEST_TOKEN = 16_384;

/** Parses `scope`, which is separated by spaces in RFC 6749 and by commas at Withings. */
const scopesOf = (text: string | undefined): readonly string[] | null => {
  const scopes = (text ?? '').split(/[\s,]+/).filter((scope) => scope && scope.length <= LONGEST_SCOPE);
  return scopes.length ? scopes.slice(0, MOST_SCOPES) : null;
};

/** Validates a token. It is sent in a header, and the error for an invalid header value would quote it. */
const tokenOf = (text: string): string => {
  if (!/^[\x21-\x7e]+$/.test(text) || text.length > LONGEST_TOKEN) throw new VendorError('unreadable');
  return text;
};

const serverOf = ({ endpoints }: Programme): oauth.AuthorizationServer => ({
  issuer: endpoints.issuer,
  authorization_endpoint: endpoints.authorize,
  token_endpoint: endpoints.token,
});

export const newVerifier = (): string => oauth.generateRandomCodeVerifier();

export const authorizeUrl = async (
  { vendor, client, endpoints, redirectUri }: Programme,
  { state, verifier }: { readonly state: string; readonly verifier: string },
): Promise<string> => {
  const url = new URL(endpoints.authorize);
  const scope = vendor.scopes.map((one) => one.scope).join(vendor.scopeSeparator ?? ' ');
  const challenge = vendor.sendsChallenge
    ? { code_challenge: await oauth.calculatePKCECodeChallenge(verifier), code_challenge_method: 'S256' }
    : {};
  const parameters = { response_type: 'code', client_id: client.id, redirect_uri: redirectUri, state, ...challenge };
  for (const [name, value] of Object.entries({ ...parameters, ...vendor.authorizeParameters })) {
    url.searchParams.set(name, value);
  }
  if (scope) url.searchParams.set('scope', scope);
  return url.href;
};

const proofOf = (programme: Programme, fetch: VendorFetch): oauth.ClientAuth => {
  const { vendor, client } = programme;
  const { dialect } = vendor;
  if (dialect) return (_server, _client, form) => dialect.prove(form, client, anonymousAsk(programme, fetch));
  return vendor.clientAuth === 'basic' ? oauth.ClientSecretBasic(client.secret) : oauth.ClientSecretPost(client.secret);
};

/** Returns a fetch that translates a vendor's dialect to responses as in RFC 6749. */
const translating = ({ vendor: { dialect } }: Programme, fetch: VendorFetch): VendorFetch =>
  dialect
    ? async (url, init) => {
        const { status, body } = dialect.translate(await jsonOf(await fetch(url, init)));
        return new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } });
      }
    : fetch;

const optionsOf = (programme: Programme, fetch: VendorFetch) => {
  const translated = translating(programme, fetch);
  return {
    // True only if the operator replaced the vendor's endpoint by an http URL.
    [oauth.allowInsecureRequests]: programme.endpoints.token.startsWith('http:'),
    [oauth.customFetch]: (url: string, init: oauth.CustomFetchOptions<'POST', URLSearchParams>) =>
      translated(url, init as RequestInit),
  };
};

/** Converts an error of the library. Its errors contain responses, which contain tokens, so nothing of them is passed on. */
const troubleOf = (error: unknown): unknown => {
  if (error instanceof VendorError) return error;
  if (error instanceof oauth.ResponseBodyError) {
    return new VendorError(error.error === 'invalid_grant' ? 'invalid_grant' : 'refused', { status: error.status });
  }
  if (error instanceof oauth.WWWAuthenticateChallengeError) return new VendorError('refused', { status: error.status });
  const code = error instanceof oauth.OperationProcessingError ? error.code : '';
  if (code) return new VendorError('unreadable');
  return error instanceof oauth.UnsupportedOperationError ? new VendorError('unreadable') : error;
};

const grantOf = ({ vendor }: Programme, response: oauth.TokenEndpointResponse): Grant => ({
  access: tokenOf(response.access_token),
  refresh: response.refresh_token ? tokenOf(response.refresh_token) : null,
  expiresInSeconds: response.expires_in ?? null,
  scopes: scopesOf(response.scope),
  user: vendor.userOf?.(objectOf(response)) ?? null,
});

/**
 * Exchanges an authorisation code for a grant.
 * @throws VendorError
 */
export const exchangeCode = async (
  programme: Programme,
  { code, verifier }: { readonly code: string; readonly verifier: string },
  fetch: VendorFetch,
): Promise<Grant> => {
  const server = serverOf(programme);
  const client: oauth.Client = { client_id: programme.client.id };
  try {
    const parameters = oauth.validateAuthResponse(server, client, new URLSearchParams({ code }), oauth.expectNoState);
    const response = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      proofOf(programme, fetch),
      parameters,
      programme.redirectUri,
      programme.vendor.sendsChallenge ? verifier : oauth.nopkce,
      optionsOf(programme, fetch),
    );
    return grantOf(programme, await oauth.processAuthorizationCodeResponse(server, client, response));
  } catch (error) {
    throw troubleOf(error);
  }
};

/**
 * Refreshes a grant.
 * @throws VendorError of kind `invalid_grant` when this very token is no longer valid.
 */
export const refreshGrant = async (programme: Programme, refresh: string, fetch: VendorFetch): Promise<Grant> => {
  const server = serverOf(programme);
  const client: oauth.Client = { client_id: programme.client.id };
  try {
    const response = await oauth.refreshTokenGrantRequest(
      server,
      client,
      proofOf(programme, fetch),
      refresh,
      optionsOf(programme, fetch),
    );
    return grantOf(programme, await oauth.processRefreshTokenResponse(server, client, response));
  } catch (error) {
    throw troubleOf(error);
  }
};
