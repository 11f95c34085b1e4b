/** Builds the parts of a model for the stand-in endpoint, with short pauses and captured log lines. */
import { strict as assert } from 'node:assert';
import { createLog } from '#core/log.ts';
import type { Endpoint } from '#core/models/endpoint.ts';
import { createGuard, type GuardSettings, guardDefaults } from '#core/models/guard.ts';
import { ModelError, type ModelErrorCode } from '#core/models/model-error.ts';
import { createBudget } from '#core/models/token-budget.ts';
import type { OpenaiEndpoint } from '../../support/openai-endpoint.ts';

export const API_KEY = 'key-that-nobody-may-see';

export interface PartsOptions extends Partial<GuardSettings> {
  readonly perDay?: number;
  readonly model?: string;
}

export const partsFor = (server: OpenaiEndpoint, { perDay, model = 'made-model', ...settings }: PartsOptions = {}) => {
  const lines: string[] = [];
  const log = createLog('info', (line) => lines.push(line) > 0);
  const name = settings.name ?? 'language model';
  const quick = { timeoutSeconds: 5, pauseSeconds: 0.01, name };
  const endpoint: Endpoint = { name, baseUrl: server.url, apiKey: API_KEY, model };
  return {
    endpoint,
    guard: createGuard({ ...guardDefaults, ...quick, ...settings }, log),
    budget: createBudget(perDay ?? null),
    lines,
  };
};

/** Returns the ModelError that a call rejects with, and asserts its code. */
export const failsWith = async (code: ModelErrorCode, work: Promise<unknown>): Promise<ModelError> => {
  const error = await work.then(
    () => assert.fail(`ended well, not with ${code}`),
    (caught: unknown) => caught,
  );
  assert.ok(error instanceof ModelError, String(error));
  assert.equal(error.code, code, error.message);
  return error;
};

export const readAll = async (pieces: AsyncIterable<string>): Promise<string[]> => {
  const all: string[] = [];
  for await (const piece of pieces) all.push(piece);
  return all;
};
