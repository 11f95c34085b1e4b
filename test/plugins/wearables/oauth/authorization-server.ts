/**
 * A real OAuth 2.0 authorization server (oidc-provider) that replaces those of the vendors: PKCE is required
 * where the vendor accepts a challenge, refresh tokens rotate, a reused refresh token ends the grant, and access
 * tokens expire.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type ClientMetadata, Provider } from 'oidc-provider';
import { vendors } from '#plugins/wearables/vendors/index.ts';
import type { Vendor } from '#plugins/wearables/vendors/vendor.ts';
import { answerAsWithings, WITHINGS_TOKEN_PATH } from './withings-front.ts';

export const BASE_URL = 'http://evidence.test';

export interface AuthorizationServer {
  readonly url: string;
  /** Returns the number of requests to the token endpoint so far. */
  readonly tokenRequests: () => number;
  /**
   * Follows the flow as a person with a browser who grants or denies access; returns the parameters of the
   * callback.
   */
  walk(url: string, answer?: 'yes' | 'no'): Promise<Readonly<Record<string, string>>>;
  /** Returns whether a bearer token is currently valid. */
  accepts(authorization: string): Promise<boolean>;
  /** Expires a token immediately. */
  expire(authorization: string): Promise<void>;
  /** Revokes all grants of a person, as if at the vendor. */
  takeBack(): void;
  /** Replaces the next responses of the token endpoint; null restores them. */
  instead(answer: ((reply: ServerResponse) => void) | null): void;
  close(): Promise<void>;
}

const clientOf = ({ slug, clientAuth }: Vendor): ClientMetadata => ({
  client_id: `${slug}-client`,
  client_secret: `${slug}-secret`,
  redirect_uris: [`${BASE_URL}/wearables/callback/${slug}`],
  grant_types: ['authorization_code', 'refresh_token'],
  token_endpoint_auth_method: clientAuth === 'basic' ? 'client_secret_basic' : 'client_secret_post',
});

/** Clients that must send a challenge. */
const challenged = new Set(vendors.filter(({ sendsChallenge }) => sendsChallenge).map(({ slug }) => `${slug}-client`));

/** The scope that stands for Garmin's portal settings: Garmin requests no scope in the address, but grants one. */
const GARMIN_SCOPE = 'set_in_the_portal';

/** Rewrites scopes as the vendor reads them: separated by commas for Withings, absent for Garmin. */
const asRead = (url: string): string => {
  const address = new URL(url, 'http://vendor.test');
  if (address.pathname !== '/auth') return url;
  const scope = address.searchParams.get('scope') ?? GARMIN_SCOPE;
  address.searchParams.set('scope', scope.replaceAll(',', ' '));
  return `${address.pathname}${address.search}`;
};

/** Suppresses the provider's warnings that its memory store and keys are only for tests. */
const withoutWarnings = <T>(work: () => T): T => {
  const { warn } = console;
  console.warn = () => undefined;
  try {
    return work();
  } finally {
    console.warn = warn;
  }
};

const providerAt = (url: string): Provider =>
  new Provider(url, {
    clients: vendors.map(clientOf),
    scopes: [
      ...new Set(['openid', GARMIN_SCOPE, ...vendors.flatMap(({ scopes }) => scopes.map(({ scope }) => scope))]),
    ],
    pkce: { required: (_ctx, client) => challenged.has(client.clientId) },
    rotateRefreshToken: true,
    issueRefreshToken: async () => true,
    expiresWithSession: async () => false,
    ttl: {
      AccessToken: 3_600,
      RefreshToken: 86_400,
      AuthorizationCode: 60,
      Session: 3_600,
      Grant: 86_400,
      Interaction: 600,
    },
    features: { devInteractions: { enabled: false }, revocation: { enabled: true } },
    interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
    findAccount: async (_ctx, sub) => ({ accountId: sub, claims: async () => ({ sub }) }),
    cookies: { keys: ['only for tests'] },
  });

/** Acts as the person's pages: signs in, then grants or denies every requested scope. */
const interact = async (provider: Provider, request: IncomingMessage, reply: ServerResponse): Promise<void> => {
  const details = await provider.interactionDetails(request, reply);
  const { prompt, params, session } = details;
  if (request.headers['x-answer'] === 'no') {
    const denied = { error: 'access_denied', error_description: 'the person said <b>no</b>' };
    return provider.interactionFinished(request, reply, denied, { mergeWithLastSubmission: false });
  }
  if (prompt.name === 'login') return provider.interactionFinished(request, reply, { login: { accountId: 'anna' } });
  const grant = new provider.Grant({ accountId: session?.accountId, clientId: String(params.client_id) });
  if (params.scope) grant.addOIDCScope(String(params.scope));
  const consent = { grantId: await grant.save() };
  return provider.interactionFinished(request, reply, { consent }, { mergeWithLastSubmission: true });
};

/** Follows redirects with cookies up to the callback address, which no server handles here. */
const walkFrom = async (first: string, answer: string): Promise<Readonly<Record<string, string>>> => {
  const jar = new Map<string, string>();
  let url = first;
  for (let step = 0; step < 12; step += 1) {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, { redirect: 'manual', headers: { cookie, 'x-answer': answer } });
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';');
      jar.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1));
    }
    const location = response.headers.get('location');
    if (!location)
      throw new Error(`No way on from ${new URL(url).pathname}: ${response.status} ${await response.text()}`);
    const next = new URL(location, url);
    if (next.href.startsWith(BASE_URL)) return Object.fromEntries(next.searchParams);
    url = next.href;
  }
  throw new Error('The walk goes in circles');
};

export const startAuthorizationServer = async (): Promise<AuthorizationServer> => {
  let provider: Provider;
  let tokenRequests = 0;
  let instead: ((reply: ServerResponse) => void) | null = null;
  let url = '';
  const server = createServer((request, reply) => {
    request.url = asRead(request.url ?? '/');
    const failed = (error: unknown) => void reply.writeHead(500).end(String(error));
    if (request.url.startsWith('/interaction/')) interact(provider, request, reply).catch(failed);
    else if (request.url === WITHINGS_TOKEN_PATH) {
      answerAsWithings(request, reply, { tokenUrl: `${url}/token`, secret: 'withings-secret' }).catch(failed);
    } else if (request.url === '/token' && instead) {
      tokenRequests += 1;
      instead(reply);
    } else {
      if (request.url === '/token') tokenRequests += 1;
      void provider.callback()(request, reply);
    }
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  provider = withoutWarnings(() => providerAt(url));
  const grants = new Set<string>();
  provider.on('grant.success', ({ oidc }) => {
    if (oidc.entities.Grant) grants.add(oidc.entities.Grant.jti);
  });
  const tokenOf = (authorization: string) => provider.AccessToken.find(authorization.replace(/^Bearer /, ''));
  return {
    url,
    tokenRequests: () => tokenRequests,
    walk: (first, answer = 'yes') => walkFrom(first, answer),
    accepts: async (authorization) => Boolean(await tokenOf(authorization)),
    expire: async (authorization) => {
      await (await tokenOf(authorization))?.destroy();
    },
    takeBack: () => {
      for (const id of grants)
        for (const kind of [provider.RefreshToken, provider.AccessToken]) void kind.revokeByGrantId(id);
    },
    instead: (answer) => {
      instead = answer;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
};
