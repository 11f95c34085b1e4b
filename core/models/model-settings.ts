/** Reads the models from the settings and reports all problems at once. */
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Config } from '../config.ts';
import { OperatorError } from '../errors.ts';
import type { Endpoint } from './endpoint.ts';

/** The choice for one model; `null` selects the built-in one. */
export type ModelChoice =
  | null
  | { readonly kind: 'folder'; readonly path: string }
  | { readonly kind: 'hub'; readonly name: string }
  | { readonly kind: 'endpoint'; readonly endpoint: Endpoint };

export interface ModelSettings {
  readonly language: Endpoint | null;
  readonly vision: Endpoint | null;
  readonly embedder: ModelChoice;
  readonly crossEncoder: ModelChoice;
  readonly timeoutSeconds: number;
  /** Null: no limit. */
  readonly dailyTokens: number | null;
}

/** Returns whether the text of a search is sent to a model outside this program when the person consents. */
export const searchLeavesMachine = (config: Pick<Config, 'text'>): boolean =>
  ['EMBEDDING_MODEL', 'RERANKER_MODEL'].some((setting) => /^https?:\/\//.test(config.text(setting)));

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

interface Wanted {
  readonly setting: string;
  readonly name: string;
  readonly keySetting: string;
}

type Problem = (text: string) => void;

/**
 * Checks an endpoint address. `npm run config` shows addresses and they are stored in files, so a key belongs in its own setting.
 */
const checkAddress = (setting: string, address: string, problem: Problem): void => {
  if (!URL.canParse(address)) {
    problem(`${setting} is no address`);
    return;
  }
  const { username, password, search } = new URL(address);
  if (username || password) problem(`${setting} holds a user name or password; a key goes into its own setting`);
  if (search) problem(`${setting} holds a query ("?…"); only an address that paths can follow is taken`);
};

/** Parses `builtin`, a folder, `owner/model` on the hub, or `https://host/v1#model`. */
const readChoice = (config: Config, { setting, name, keySetting }: Wanted, problem: Problem): ModelChoice => {
  const value = config.text(setting);
  const apiKey = config.text(keySetting);
  const isAddress = /^https?:\/\//.test(value);
  if (apiKey && !isAddress) problem(`${keySetting} is set; it needs an endpoint address in ${setting}`);
  if (value === 'builtin') return null;
  if (isAddress) {
    const [address = '', model = ''] = value.split('#');
    checkAddress(setting, address, problem);
    return { kind: 'endpoint', endpoint: { name, baseUrl: address.replace(/\/+$/, ''), apiKey, model } };
  }
  if (isFolder(value)) return { kind: 'folder', path: resolve(value) };
  if (/^[\w-][\w.-]*\/[\w.-]+$/.test(value)) return { kind: 'hub', name: value };
  problem(
    `${setting} is "${value}": builtin, a folder that exists, a hub name such as owner/model, or an address such as https://host/v1#model is needed`,
  );
  return null;
};

const checkLanguage = (config: Config, problem: Problem): void => {
  const set = (name: string): boolean => config.text(name) !== '';
  if (set('LLM_BASE_URL')) {
    checkAddress('LLM_BASE_URL', config.text('LLM_BASE_URL'), problem);
    if (!set('LLM_MODEL') && !set('VISION_MODEL'))
      problem('LLM_BASE_URL is set; it needs LLM_MODEL, VISION_MODEL or both');
    return;
  }
  for (const name of ['LLM_API_KEY', 'LLM_MODEL', 'VISION_MODEL'])
    if (set(name)) problem(`${name} is set; it needs LLM_BASE_URL too`);
};

/**
 * Reads the settings.
 * @throws OperatorError that lists every invalid setting.
 */
export const readModelSettings = (config: Config): ModelSettings => {
  const problems: string[] = [];
  const problem = (text: string): void => void problems.push(text);
  checkLanguage(config, problem);
  const chat = (name: string, setting: string): Endpoint | null =>
    config.text(setting)
      ? {
          name,
          baseUrl: config.text('LLM_BASE_URL'),
          apiKey: config.text('LLM_API_KEY'),
          model: config.text(setting),
        }
      : null;
  const settings: ModelSettings = {
    language: chat('language model', 'LLM_MODEL'),
    vision: chat('vision model', 'VISION_MODEL'),
    embedder: readChoice(
      config,
      { setting: 'EMBEDDING_MODEL', name: 'embedding model', keySetting: 'EMBEDDING_API_KEY' },
      problem,
    ),
    crossEncoder: readChoice(
      config,
      { setting: 'RERANKER_MODEL', name: 'reranker', keySetting: 'RERANKER_API_KEY' },
      problem,
    ),
    timeoutSeconds: config.integer('MODEL_TIMEOUT_SECONDS'),
    dailyTokens: config.optionalInteger('LLM_DAILY_TOKENS'),
  };
  if (problems.length) throw new OperatorError(`Wrong settings:\n  - ${problems.join('\n  - ')}`);
  return settings;
};
