/**
 * Checks the services that the settings name, except the database, with one short request each that contains no personal data.
 */
import { connect as connectPlain } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { Config } from '../config.ts';
import { OperatorError } from '../errors.ts';
import { createLog } from '../log.ts';
import { readModelSettings } from '../models/model-settings.ts';
import { openObjectStore } from '../storage/object-store.ts';
import { type Finding, fail, ok, warn } from './finding.ts';

const PATIENCE_MS = 5_000;
/** A prefix that the program does not use: an empty listing proves that the bucket exists and grants access. */
const NOWHERE = 'doctor/';

const reasonOf = (error: unknown): string => {
  const { code, name, cause } = error as { code?: string; name?: string; cause?: unknown };
  return code ?? (cause ? reasonOf(cause) : (name ?? 'unknown'));
};

export const checkQdrant = async (config: Config): Promise<readonly Finding[]> => {
  const url = config.text('QDRANT_URL');
  if (!url) return [];
  try {
    const { QdrantConnection } = await import('../search/qdrant/connection.ts');
    await new QdrantConnection({ url, apiKey: config.text('QDRANT_API_KEY') }).check();
    return [ok('qdrant', 'The server answers, lets us in and is new enough.')];
  } catch (error) {
    const message = error instanceof OperatorError ? error.message : `It cannot be asked (${reasonOf(error)}).`;
    return [fail('qdrant', message, 'Searches answer 503 without it: check QDRANT_URL and QDRANT_API_KEY.')];
  }
};

/** Sends `PING`, after `AUTH` when the address has a password; resolves with the first reply that is not `+OK`. */
const redisSays = (address: URL): Promise<string> =>
  new Promise((resolve, reject) => {
    const { hostname, port, username, password, protocol } = address;
    const where = { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || 6379) };
    const socket = protocol === 'rediss:' ? connectTls({ ...where, servername: where.host }) : connectPlain(where);
    let text = '';
    socket.setTimeout(PATIENCE_MS, () => socket.destroy(Object.assign(new Error('time-out'), { code: 'ETIMEDOUT' })));
    socket.once('error', reject);
    socket.on('data', (chunk) => {
      text += chunk.toString();
      const line = text.split('\r\n').find((each, at, all) => at < all.length - 1 && each !== '+OK');
      if (line === undefined) return;
      resolve(line);
      socket.destroy();
    });
    const words = [username, password].filter(Boolean).map(decodeURIComponent);
    const command = (parts: readonly string[]): string =>
      `*${parts.length}\r\n${parts.map((part) => `$${Buffer.byteLength(part)}\r\n${part}\r\n`).join('')}`;
    socket.write((password ? command(['AUTH', ...words]) : '') + command(['PING']));
  });

/** Checks Redis, when the program declares the setting. */
export const checkRedis = async (config: Config): Promise<readonly Finding[]> => {
  const isKnown = config.describe().some(({ name }) => name === 'REDIS_URL');
  const url = isKnown ? config.text('REDIS_URL') : '';
  if (!url) return [];
  const fix = 'Check REDIS_URL and the server.';
  try {
    const answer = await redisSays(new URL(url));
    return [
      answer === '+PONG'
        ? ok('redis', 'The server answers.')
        : fail('redis', `The server refuses us (${answer.slice(1).split(' ')[0]}).`, fix),
    ];
  } catch (error) {
    return [fail('redis', `The server does not answer (${reasonOf(error)}).`, fix)];
  }
};

const checkEndpoint = async (id: string, baseUrl: string, apiKey: string): Promise<Finding> => {
  try {
    const reply = await fetch(`${baseUrl}/models`, {
      headers: apiKey ? { Authorization: `Bearer ${apiKey}` } : {},
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    await reply.body?.cancel();
    if (reply.status === 401 || reply.status === 403)
      return fail(id, `The endpoint refuses the key (${reply.status}).`, 'Check the key that belongs to the address.');
    return reply.status < 500
      ? ok(id, 'The endpoint answers.')
      : fail(id, `The endpoint answers ${reply.status}.`, 'Look at its own log.');
  } catch (error) {
    return warn(
      id,
      `The endpoint does not answer (${reasonOf(error)}).`,
      'Without it the service does with what it brings along, and says degraded.',
    );
  }
};

export const checkModels = async (config: Config): Promise<readonly Finding[]> => {
  const { language, vision, embedder, crossEncoder } = readModelSettings(config);
  const endpoints = [
    ['language-model', language],
    ['vision-model', vision],
    ['embedding-model', embedder?.kind === 'endpoint' ? embedder.endpoint : null],
    ['reranker', crossEncoder?.kind === 'endpoint' ? crossEncoder.endpoint : null],
  ] as const;
  return Promise.all(
    endpoints.flatMap(([id, endpoint]) => (endpoint ? [checkEndpoint(id, endpoint.baseUrl, endpoint.apiKey)] : [])),
  );
};

export const checkObjectStore = async (config: Config): Promise<readonly Finding[]> => {
  if (!config.text('S3_ENDPOINT')) return [];
  const fix = 'Check S3_ENDPOINT, S3_BUCKET, the keys, and the clock of this machine.';
  try {
    for await (const _ of openObjectStore(config, createLog('silent')).entries(NOWHERE)) break;
    return [ok('object-store', 'The bucket is there and lets us in.')];
  } catch (error) {
    return [fail('object-store', `The bucket cannot be read: ${(error as Error).message}`, fix)];
  }
};

const isLocal = (hostname: string): boolean =>
  /^(localhost|127\.|\[::1\]|0\.0\.0\.0|10\.|192\.168\.)/.test(hostname) || !hostname.includes('.');

export const checkAddress = (config: Config): readonly Finding[] => {
  const url = new URL(config.text('BASE_URL'));
  const findings: Finding[] = [];
  if (url.protocol === 'https:')
    findings.push(ok('base-url', `${url.origin}: cookies are Secure and bound to the host.`));
  else if (isLocal(url.hostname))
    findings.push(ok('base-url', `${url.origin} is an address of this machine or network.`));
  else
    findings.push(
      fail(
        'base-url',
        `${url.origin} is not https: device cookies and keys could be read on the way.`,
        'End TLS in front, and set BASE_URL to the https address.',
      ),
    );
  if (url.pathname !== '/')
    findings.push(
      fail(
        'base-path',
        'BASE_URL has a path: cookies and links are for a whole host.',
        'Set it to an address without a path.',
      ),
    );
  if (url.protocol === 'https:' && !config.list('TRUSTED_PROXIES').length)
    findings.push(
      warn(
        'proxies',
        'BASE_URL is https and no proxy is trusted: all readers count as one address.',
        'Set TRUSTED_PROXIES to the address of what ends TLS.',
      ),
    );
  return findings;
};

export const checkWords = (config: Config): Finding => {
  const missing = ['OPERATOR_NAME', 'CONTACT_EMAIL', 'SECURITY_CONTACT'].filter((name) => !config.text(name));
  return missing.length
    ? warn(
        'operator',
        `${missing.join(', ')} ${missing.length > 1 ? 'are' : 'is'} not set: pages say so.`,
        'Set them before the service is public.',
      )
    : ok('operator', 'Pages say who runs this, and where to write.');
};
