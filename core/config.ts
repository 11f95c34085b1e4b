/**
 * Reads and validates the settings. This is the only module that reads process.env; it reports all problems at once and masks
 * secrets.
 */
import { existsSync, readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { OperatorError } from './errors.ts';

export interface SettingDefinition {
  readonly name: string;
  readonly meaning: string;
  /** Default as shown in content/docs/settings.md; "" when the setting is unset by default. */
  readonly fallback: string;
  readonly kind: 'text' | 'secret' | 'integer' | 'url' | 'flag' | 'list' | 'folder' | 'addresses';
  readonly from?: number;
  readonly to?: number;
  readonly choices?: readonly string[];
}

const setting = (
  name: string,
  kind: SettingDefinition['kind'],
  fallback: string,
  meaning: string,
  rest: Partial<SettingDefinition> = {},
): SettingDefinition => ({ name, kind, fallback, meaning, ...rest });

/** Core's settings, in the order of content/docs/settings.md. */
export const coreSettings: readonly SettingDefinition[] = [
  setting('PORT', 'integer', '3000', 'Port to listen on.', { from: 0, to: 65535 }),
  setting('HOST', 'text', '127.0.0.1', 'Address to listen on.'),
  setting('PRIVATE_PORT', 'integer', '', 'Liveness, readiness and metrics for operators; not served when unset.', {
    from: 0,
    to: 65535,
  }),
  setting(
    'DRAIN_SECONDS',
    'integer',
    '2',
    'Seconds after SIGTERM during which new requests are still answered, so that a load balancer can notice that /readyz fails.',
    { from: 0, to: 120 },
  ),
  setting(
    'MAX_REQUESTS_AT_ONCE',
    'integer',
    '500',
    'Maximum number of live requests in progress; further ones are answered with 503.',
    {
      from: 1,
    },
  ),
  setting(
    'MAX_EVENT_LOOP_DELAY',
    'integer',
    '500',
    'Maximum mean delay of the event loop over two seconds, in milliseconds; above it, live requests are answered with 503.',
    { from: 20 },
  ),
  setting(
    'LIVE_RPM',
    'integer',
    '180',
    'Requests per minute and address to live pages and other routes without a quota; published pages are not counted.',
    { from: 1 },
  ),
  setting(
    'BODY_MEMORY_MB',
    'integer',
    '64',
    'Maximum megabytes of request bodies in memory at one time, of which one address may use a quarter; further requests are answered with 503. Files are not counted, because they are written to disk.',
    { from: 44, to: 4096 },
  ),
  setting(
    'UPLOADS_AT_ONCE_MB',
    'integer',
    '512',
    'Maximum megabytes of uploaded files that are received and encrypted at one time, of which one address may use a quarter; further uploads are answered with 503. A route always has room for four of its largest uploads.',
    { from: 1, to: 65_536 },
  ),
  setting('BASE_URL', 'url', '', 'Public address, for links and sitemaps; http://HOST:PORT when unset.'),
  setting(
    'DATA_DIR',
    'folder',
    './data',
    'Folder of the embedded database, the search index, published pages and generated secrets.',
  ),
  setting(
    'DATA_DIR_SHARED',
    'flag',
    'off',
    'Whether the volume of DATA_DIR controls access to it, as with the fsGroup of Kubernetes or a file system without modes; the program then neither changes modes nor refuses the folder.',
  ),
  setting('DATABASE_URL', 'secret', '', 'Address of PostgreSQL 15 or newer; the embedded database when unset.'),
  setting(
    'QDRANT_URL',
    'url',
    '',
    'Qdrant server for the search index, shared by all nodes; in this process when unset.',
  ),
  setting('QDRANT_API_KEY', 'secret', '', 'Key of the Qdrant server.'),
  setting(
    'REDIS_URL',
    'secret',
    '',
    'Redis server for the counters that all nodes share; the database counts when unset.',
  ),
  setting('REDIS_PATIENCE_MS', 'integer', '250', 'Milliseconds to wait for Redis before the database counts instead.', {
    from: 50,
    to: 10_000,
  }),
  setting(
    'S3_ENDPOINT',
    'url',
    '',
    'S3-compatible store for label images and snapshots; files under DATA_DIR when unset.',
  ),
  setting('S3_REGION', 'text', 'us-east-1', 'Region of the store.'),
  setting('S3_BUCKET', 'text', '', 'Bucket of the store, in path-style addresses.'),
  setting('S3_ACCESS_KEY_ID', 'secret', '', 'Key of the store.'),
  setting('S3_SECRET_ACCESS_KEY', 'secret', '', 'Secret of that key.'),
  setting(
    'LLM_BASE_URL',
    'url',
    '',
    'OpenAI-compatible endpoint for language and vision, such as http://127.0.0.1:11434/v1; none when unset.',
  ),
  setting('LLM_API_KEY', 'secret', '', 'Key of that endpoint.'),
  setting(
    'LLM_MODEL',
    'text',
    '',
    'Language model that chooses and orders the sentences of answers, for people who agree to it; rules do this when unset.',
  ),
  setting('VISION_MODEL', 'text', '', 'Vision model that reads pictures.'),
  setting(
    'LLM_DAILY_TOKENS',
    'integer',
    '',
    'Maximum number of tokens that one process uses at that endpoint per day (UTC); no limit when unset.',
    { from: 1 },
  ),
  setting(
    'EMBEDDING_MODEL',
    'text',
    'builtin',
    'Model for the vectors of texts: builtin, the folder or hub name of an ONNX model, or an endpoint such as https://host/v1#model.',
  ),
  setting('EMBEDDING_API_KEY', 'secret', '', 'Key of the embedding endpoint.'),
  setting(
    'RERANKER_MODEL',
    'text',
    'builtin',
    'Model that reranks search results, in the same forms as EMBEDDING_MODEL; an endpoint is called at /rerank.',
  ),
  setting('RERANKER_API_KEY', 'secret', '', 'Key of the reranking endpoint.'),
  setting('MODEL_TIMEOUT_SECONDS', 'integer', '60', 'Maximum time of one request to a model, in seconds.', {
    from: 1,
    to: 600,
  }),
  setting(
    'APP_SECRET',
    'secret',
    '',
    'Secret for pseudonyms, signatures and encrypted health data; generated once and stored in DATA_DIR when unset.',
  ),
  setting(
    'APP_SECRET_PREVIOUS',
    'secret',
    '',
    'Previous secrets, separated by commas: data encrypted with them can still be decrypted, and jobs encrypt the data again with the current secret.',
  ),
  setting(
    'TRUSTED_PROXIES',
    'addresses',
    '',
    'Addresses of proxies whose X-Forwarded-For is trusted, separated by commas.',
  ),
  setting(
    'GENERATE_PAGES',
    'text',
    'auto',
    'Whether the running server generates pages in the background: auto, or off, when only npm run generate does.',
    {
      choices: ['auto', 'off'],
    },
  ),
  setting('LOG_LEVEL', 'text', 'info', 'Log lines that are written: info (all), warn or silent.', {
    choices: ['info', 'warn', 'silent'],
  }),
  setting(
    'OPERATOR_NAME',
    'text',
    '',
    'Name of the operator of this instance; when unset, pages say that it is not stated.',
  ),
  setting('CONTACT_EMAIL', 'text', '', 'E-mail address that readers can write to.'),
  setting('SECURITY_CONTACT', 'text', '', 'Where vulnerabilities are reported: an e-mail or https address.'),
  setting(
    'REVIEWER_NAME',
    'text',
    '',
    'Name of the clinician who reviewed the content; when unset, pages say that none did.',
  ),
];

export type SettingValue = string | number | boolean | readonly string[] | null;

export interface Config {
  text(name: string): string;
  integer(name: string): number;
  optionalInteger(name: string): number | null;
  flag(name: string): boolean;
  list(name: string): readonly string[];
  /** Returns every setting with its value as text; secrets are masked. */
  describe(): readonly { name: string; value: string; meaning: string; isDefault: boolean }[];
}

const parse = (definition: SettingDefinition, raw: string): SettingValue | { problem: string } => {
  const { name, kind } = definition;
  if (raw === '')
    return kind === 'list' || kind === 'addresses' ? [] : kind === 'flag' ? false : kind === 'integer' ? null : '';
  if (kind === 'integer') {
    const value = /^\d{1,10}$/.test(raw) ? Number(raw) : Number.NaN;
    const [from, to] = [definition.from ?? 0, definition.to ?? 2_147_483_647];
    return value >= from && value <= to
      ? value
      : { problem: `${name} is "${raw}": a whole number from ${from} to ${to} is needed` };
  }
  if (kind === 'flag') {
    if (/^(1|true|on|yes)$/i.test(raw)) return true;
    return /^(0|false|off|no)$/i.test(raw) ? false : { problem: `${name} is "${raw}": on or off is needed` };
  }
  if (kind === 'url') {
    const ok = URL.canParse(raw) && /^https?:$/.test(new URL(raw).protocol);
    return ok ? raw.replace(/\/+$/, '') : { problem: `${name} is "${raw}": an http or https address is needed` };
  }
  if (kind === 'list' || kind === 'addresses') {
    const items = raw
      .split(',')
      .map((item) => item.trim())
      .filter(Boolean);
    const wrong = kind === 'addresses' ? items.filter((item) => !isAddressOrRange(item)) : [];
    return wrong.length
      ? { problem: `${name} has ${wrong.join(', ')}: IP addresses or ranges such as 10.0.0.0/8 are needed` }
      : items;
  }
  if (definition.choices && !definition.choices.includes(raw)) {
    return { problem: `${name} is "${raw}": one of ${definition.choices.join(', ')} is needed` };
  }
  return kind === 'folder' ? resolve(raw) : raw;
};

const isAddressOrRange = (text: string): boolean => {
  const [address = '', bits, rest] = text.split('/');
  const family = isIP(address);
  if (!family || address.includes('%') || rest !== undefined) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128));
};

const readDotEnv = (path: string): Record<string, string> => {
  if (!existsSync(path)) return {};
  const lines = readFileSync(path, 'utf8').split(/\r?\n/);
  const pairs = lines
    .map((line) => /^\s*(?:export\s+)?([A-Z][A-Z0-9_]*)\s*=\s*(.*?)\s*$/.exec(line))
    .filter((match) => match !== null);
  return Object.fromEntries(pairs.map(([, name, value = '']) => [name, value.replace(/^(["'])(.*)\1$/, '$2')]));
};

/** Returns the environment with settings that the program overrides; they take precedence over `.env`, too. */
export const environmentWith = (
  settings: Readonly<Record<string, string>>,
): Readonly<Record<string, string | undefined>> => ({ ...process.env, ...settings });

/**
 * Reads the environment, and `.env` for variables that the environment lacks, against the definitions of core and all plugins.
 * @throws OperatorError that lists every invalid setting.
 */
export const loadConfig = (
  definitions: readonly SettingDefinition[],
  environment: Readonly<Record<string, string | undefined>> = process.env,
  dotEnvPath: string | null = resolve('.env'),
): Config => {
  const fromFile = dotEnvPath ? readDotEnv(dotEnvPath) : {};
  const values = new Map<string, SettingValue>();
  const raws = new Map<string, string>();
  const problems: string[] = [];
  for (const definition of definitions) {
    const given = (environment[definition.name] ?? fromFile[definition.name] ?? '').trim();
    const value = parse(definition, given === '' ? definition.fallback : given);
    if (value !== null && typeof value === 'object' && 'problem' in value) problems.push(value.problem);
    else values.set(definition.name, value);
    raws.set(definition.name, given);
  }
  const databaseUrl = values.get('DATABASE_URL');
  if (
    typeof databaseUrl === 'string' &&
    databaseUrl &&
    !(/^postgres(ql)?:\/\//.test(databaseUrl) && URL.canParse(databaseUrl))
  ) {
    problems.push('DATABASE_URL: an address that begins with postgres:// or postgresql:// is needed');
  }
  const redisUrl = values.get('REDIS_URL');
  if (typeof redisUrl === 'string' && redisUrl && !(/^rediss?:\/\//.test(redisUrl) && URL.canParse(redisUrl))) {
    problems.push('REDIS_URL: an address that begins with redis:// or rediss:// is needed');
  }
  if (problems.length) throw new OperatorError(`Wrong settings:\n  - ${problems.join('\n  - ')}`);
  if (values.get('BASE_URL') === '') {
    const host = String(values.get('HOST'));
    values.set(
      'BASE_URL',
      `http://${host.includes(':') ? `[${host}]` : host === '0.0.0.0' ? 'localhost' : host}:${values.get('PORT')}`,
    );
  }
  return configOf(definitions, values, raws);
};

const configOf = (
  definitions: readonly SettingDefinition[],
  values: ReadonlyMap<string, SettingValue>,
  raws: ReadonlyMap<string, string>,
): Config => {
  const get = (name: string): SettingValue => {
    const value = values.get(name);
    if (value === undefined) throw new Error(`Setting ${name} is not declared by core or a plugin`);
    return value;
  };
  return {
    text: (name) => String(get(name) ?? ''),
    integer: (name) => {
      const value = get(name);
      if (typeof value !== 'number') throw new Error(`Setting ${name} has no number`);
      return value;
    },
    optionalInteger: (name) => {
      const value = get(name);
      return typeof value === 'number' ? value : null;
    },
    flag: (name) => get(name) === true,
    list: (name) => {
      const value = get(name);
      return Array.isArray(value) ? (value as readonly string[]) : [];
    },
    describe: () =>
      definitions.map((definition) => {
        const value = get(definition.name);
        const shown = Array.isArray(value) ? value.join(',') : String(value ?? '');
        return {
          name: definition.name,
          value: definition.kind === 'secret' && shown ? '********' : shown,
          meaning: definition.meaning,
          isDefault: raws.get(definition.name) === '',
        };
      }),
  };
};
