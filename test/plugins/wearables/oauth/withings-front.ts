/**
 * Translates the Withings variant of OAuth to standard OAuth: one signed form with an action, and wrapped
 * replies.
 */
import { createHmac } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

export const WITHINGS_TOKEN_PATH = '/withings/v2/oauth2';

interface Upstream {
  readonly tokenUrl: string;
  readonly secret: string;
}

const fieldsOf = async (request: IncomingMessage): Promise<URLSearchParams> => {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return new URLSearchParams(Buffer.concat(parts).toString());
};

/** Replies with status 503 and a message for an invalid code or token, and with 342 for an invalid signature. */
export const answerAsWithings = async (
  request: IncomingMessage,
  reply: ServerResponse,
  { tokenUrl, secret }: Upstream,
): Promise<void> => {
  const form = await fieldsOf(request);
  const say = (body: unknown) => reply.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
  const values = ['action', 'client_id', 'nonce'].map((name) => form.get(name) ?? '');
  const signature = createHmac('sha256', secret).update(values.join(',')).digest('hex');
  if (form.get('action') !== 'requesttoken' || form.get('signature') !== signature || form.has('client_secret')) {
    say({ status: 342, body: {}, error: 'The signature is invalid' });
    return;
  }
  for (const name of ['action', 'nonce', 'signature']) form.delete(name);
  form.set('client_secret', secret);
  const response = await fetch(tokenUrl, { method: 'POST', body: form });
  const body = (await response.json()) as Record<string, unknown>;
  const kind = form.get('grant_type') === 'refresh_token' ? 'refresh_token' : 'code';
  if (!response.ok) say({ status: 503, body: {}, error: `Invalid Params: invalid ${kind}` });
  else say({ status: 0, body: { ...body, userid: '12345678', scope: String(body.scope).replaceAll(' ', ',') } });
};
