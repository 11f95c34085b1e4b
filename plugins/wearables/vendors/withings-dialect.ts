/**
 * Implements the OAuth dialect of Withings, which wraps responses as `{status, body}` with HTTP 200 and requires a signature
 * instead of the client's secret.
 */
import { createHmac } from 'node:crypto';
import { type Json, numberOf, objectOf, textOf } from './reading.ts';
import type { TokenDialect, VendorApi, VendorClient } from './vendor.ts';
import { VendorError } from './vendor-error.ts';

/**
 * Withings' own status codes (the-momentum/open-wearables, withings/rpc_client.py; a real response with 401, ba-thesis README).
 */
const TOO_MANY = 601;
const NOT_LET_IN = [100, 101, 102, 200, 401];

const signature = (values: readonly string[], secret: string): string =>
  createHmac('sha256', secret).update(values.join(',')).digest('hex');

/**
 * Returns the body of a successful response.
 * @throws VendorError
 */
export const opened = (answer: unknown): Json => {
  const { status, body } = objectOf(answer);
  const number = numberOf(status);
  if (number === 0) return objectOf(body);
  if (number === null) throw new VendorError('unreadable');
  if (number === TOO_MANY) throw new VendorError('busy', { status: number });
  throw new VendorError(NOT_LET_IN.includes(number) ? 'unauthorized' : 'refused', { status: number });
};

/**
 * Returns the parameters of a signed call: `action`, `client_id`, a `nonce` that is valid once, and the HMAC-SHA-256 of the
 * three, sorted by name and joined with commas (developer.withings.com, "Learn how to sign requests").
 */
export const signed = async (
  action: string,
  client: VendorClient,
  ask: VendorApi['ask'],
): Promise<Readonly<Record<string, string>>> => {
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const answer = await ask({
    path: '/v2/signature',
    method: 'POST',
    isAnonymous: true,
    form: {
      action: 'getnonce',
      client_id: client.id,
      timestamp,
      signature: signature(['getnonce', client.id, timestamp], client.secret),
    },
  });
  const nonce = textOf(opened(answer).nonce);
  if (!nonce) throw new VendorError('unreadable');
  return { action, client_id: client.id, nonce, signature: signature([action, client.id, nonce], client.secret) };
};

/**
 * Returns whether a code or token is no longer valid. The status is then 503 with this sentence (home-assistant.io issue 34285:
 * `Invalid Params: invalid code`).
 */
const isDeadGrant = (error: string): boolean => /invalid (code|refresh_token|refresh token|grant)/i.test(error);

export const withingsDialect: TokenDialect = {
  prove: async (form, client, ask) => {
    for (const [name, value] of Object.entries(await signed('requesttoken', client, ask))) form.set(name, value);
  },
  // Shape of a successful response: apis.io, "Withings Oauth2 Token Example".
  translate: (json) => {
    const { status, body, error } = objectOf(json);
    const number = numberOf(status);
    if (number === null) throw new VendorError('unreadable');
    if (number === 0) return { status: 200, body: { token_type: 'Bearer', ...objectOf(body) } };
    if (number === TOO_MANY) throw new VendorError('busy', { status: number });
    return { status: 400, body: { error: isDeadGrant(textOf(error)) ? 'invalid_grant' : 'invalid_request' } };
  },
};
