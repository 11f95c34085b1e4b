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
  /** Default as shown in the README; "" when the setting is unset by default. */
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

/** Core's settings, in the order of the README. */
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
    'Behind a SIGTERM, how long new requests are still answered, so that a balancer that sees /readyz fail sends none.',
    { from: 0, to: 120 },
  ),
  setting('MAX_REQUESTS_AT_ONCE', 'integer', '500', 'Live requests worked on at once; more are answered 503.', {
    from: 1,
  }),
  setting(
    'MAX_EVENT_LOOP_DELAY',
    'integer',
    '500',
    'Milliseconds that work may begin late, on average over two seconds; above it live requests are answered 503.',
    { from: 20 },
  ),
  setting(
    'LIVE_RPM',
    'integer',
    '180',
    'Live pages and other requests that count against no quota, for one address and minute; published pages are not counted.',
    { from: 1 },
  ),
  setting(
    'BODY_MEMORY_MB',
    'integer',
    '64',
    'Megabytes of request bodies held in memory at once, a quarter of them for one address; more are answered 503. Files are not counted: they go to disk.',
    { from: 44, to: 4096 },
  ),
  setting(
    'UPLOADS_AT_ONCE_MB',
    'integer',
    '512',
    'Megabytes of uploaded files that are received and sealed at once, a quarter of them for one address; more are answered 503. At least four of the largest upload of a route.',
    { from: 1, to: 65_536 },
  ),
  setting('BASE_URL', 'url', '', 'Public address, for links and sitemaps; http://HOST:PORT when unset.'),
  setting('DATA_DIR', 'folder', './data', 'Embedded database, index, published pages and generated secrets.'),
  setting(
    'DATA_DIR_SHARED',
    'flag',
    'off',
    'The volume of DATA_DIR says who may read and write it, as with the fsGroup of Kubernetes or a file system without modes: nothing is refused or closed.',
  ),
  setting('DATABASE_URL', 'secret', '', 'PostgreSQL 15 or newer instead of the embedded database.'),
  setting(
    'QDRANT_URL',
    'url',
    '',
    'Qdrant server for the search index, shared by all nodes; in this process when unset.',
  ),
  setting('QDRANT_API_KEY', 'secret', '', 'Key of the Qdrant server.'),
  setting('REDIS_URL', 'secret', '', 'Redis server whose counters all nodes share; the database counts when unset.'),
  setting('REDIS_PATIENCE_MS', 'integer', '250', 'How long Redis may take to answer before the database counts.', {
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
  setting('S3_BUCKET', 'text', '', 'Bucket of the store, addressed by path.'),
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
    'Language model that chooses and orders the sentences of answers, for those who agree to it; unset, rules do.',
  ),
  setting('VISION_MODEL', 'text', '', 'Vision model that reads pictures.'),
  setting(
    'LLM_DAILY_TOKENS',
    'integer',
    '',
    'Tokens that one process may use there in a day (UTC); no limit when unset.',
    { from: 1 },
  ),
  setting(
    'EMBEDDING_MODEL',
    'text',
    'builtin',
    'Vectors of texts: builtin, a folder or hub name of an ONNX model, or an endpoint such as https://host/v1#model.',
  ),
  setting('EMBEDDING_API_KEY', 'secret', '', 'Key of the embedding endpoint.'),
  setting(
    'RERANKER_MODEL',
    'text',
    'builtin',
    'Reranking of search results: as EMBEDDING_MODEL; an endpoint is asked under /rerank.',
  ),
  setting('RERANKER_API_KEY', 'secret', '', 'Key of the reranking endpoint.'),
  setting('MODEL_TIMEOUT_SECONDS', 'integer', '60', 'How long one request to a model may take.', { from: 1, to: 600 }),
  setting(
    'APP_SECRET',
    'secret',
    '',
    'Key for pseudonyms, signatures and sealed health data; made once and kept in DATA_DIR when unset.',
  ),
  setting(
    'APP_SECRET_PREVIOUS',
    'secret',
    '',
    'Previous secrets, separated by commas: data that they sealed can still be opened, and a job seals them again with the current secret.',
  ),
  setting('TRUSTED_PROXIES', 'addresses', '', 'Addresses whose X-Forwarded-For counts, separated by commas.'),
  setting('GENERATE_PAGES', 'text', 'auto', 'Pages are generated behind the running server: auto, or by hand only.', {
    choices: ['auto', 'off'],
  }),
  setting('LOG_LEVEL', 'text', 'info', 'How much is logged.', { choices: ['info', 'warn', 'silent'] }),
  setting('OPERATOR_NAME', 'text', '', 'Who runs this instance; pages say so when it is not set.'),
  setting('CONTACT_EMAIL', 'text', '', 'Where readers write to.'),
  setting('SECURITY_CONTACT', 'text', '', 'Where reports of security holes go: an e-mail or https address.'),
  setting('REVIEWER_NAME', 'text', '', 'The clinician who reviewed the content; unset, pages say that none did.'),
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
