/** Serves the clients as files at /developers/clients/…; each is generated from the OpenAPI description on the first request. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Context, defineRoute, type Route } from '#core/plugin.ts';
import { operationsOf } from '../operations.ts';
import { clientMethods } from './methods.ts';
import { pythonClient } from './python.ts';
import { typescriptClient } from './typescript.ts';

const LANGUAGES = {
  'typescript.ts': { name: 'TypeScript', runtime: 'typescript-runtime.ts', make: typescriptClient, type: 'text/plain' },
  'python.py': { name: 'Python', runtime: 'python_runtime.py', make: pythonClient, type: 'text/x-python' },
} as const;

export type ClientFile = keyof typeof LANGUAGES;

export const clientText = async ({ api, config }: Context, file: ClientFile): Promise<string> => {
  const { runtime, make } = LANGUAGES[file];
  const document = api.describe();
  return make(clientMethods(operationsOf(document)), {
    baseUrl: config.text('BASE_URL'),
    version: document.info.version,
    runtime: await readFile(join(import.meta.dirname, runtime), 'utf8'),
  });
};

const clientRoute = (file: ClientFile): Route => {
  const { name, type } = LANGUAGES[file];
  const made = new WeakMap<object, Promise<string>>();
  return defineRoute<unknown, Record<string, never>>({
    id: `developers.client.${file.replace(/\..*/, '')}`,
    method: 'GET',
    path: `/developers/clients/${file}`,
    summary: `The client for ${name}, one file without dependencies`,
    tag: 'Developers',
    access: 'public',
    isForPrograms: true,
    request: {},
    replies: [{ status: 200, mediaType: type, description: 'The file' }],
    raises: [],
    handle: async (context) => {
      const document = context.api.describe();
      const text = made.get(document) ?? clientText(context, file);
      made.set(document, text);
      return { headers: { 'Cache-Control': 'public, max-age=3600' }, type: `${type}; charset=utf-8`, body: await text };
    },
  }) as Route;
};

export const clientRoutes: readonly Route[] = (Object.keys(LANGUAGES) as ClientFile[]).map(clientRoute);
