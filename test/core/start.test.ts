/** Tests that a start loads no library that only some calls need; core/lazy.ts loads these at the first call. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { plugins } from '#plugins/index.ts';
import { runProgram } from '../support/program.ts';
import { discard, environmentOf, newPlace } from '../support/service.ts';

const HOOK = join(import.meta.dirname, '../support/loaded-packages.mjs');

/** The packages that a command does not need if it neither serves, renders, searches nor draws. */
const NOT_NEEDED = [
  ...['@koa/router', 'koa', 'koa-body', '@fastify/busboy', 'koa-ratelimit', 'koa-session'],
  ...['@qdrant/js-client-rest', 'undici', 'ioredis', '@tus/server', '@modelcontextprotocol/server', 'zod'],
  ...['pug-code-gen', 'sanitize-html', 'postcss', 'sitemap', 'xml2js', 'cli-progress', 'archiver'],
  ...['pdfkit', 'fontkit', 'pdfjs-dist', 'tesseract.js', '@napi-rs/canvas', 'sharp', '@lhncbc/ucum-lhc'],
];

const loadedBy = async (args: readonly string[], environment: Record<string, string>): Promise<Set<string>> => {
  const { status, stderr } = await runProgram(args, { ...environment, NODE_OPTIONS: `--import ${HOOK}` });
  assert.equal(status, 0, stderr);
  return new Set([...stderr.matchAll(/^loaded: (.*)$/gm)].flatMap(([, names = '']) => names.split(' ')));
};

describe('startup', () => {
  it('loads no server, page, document or search library for a command that needs none', async () => {
    const place = await newPlace();
    try {
      const loaded = await loadedBy(['keys', 'list'], environmentOf(place));
      assert.ok(loaded.has('typebox') && loaded.has('kysely'), 'the hook sees what is loaded');
      assert.deepEqual(
        NOT_NEEDED.filter((name) => loaded.has(name)),
        [],
      );
    } finally {
      await discard(place);
    }
  });

  it('loads no schema compiler and no YAML library for the config command', async () => {
    const loaded = await loadedBy(['config'], {});
    assert.deepEqual(
      [...NOT_NEEDED, 'ajv', 'ajv-formats', 'yaml'].filter((name) => loaded.has(name)),
      [],
    );
  });

  it('has only valid request schemas, and therefore does not check them', () => {
    const ajv = new Ajv2020({ strict: false });
    const schemas = plugins.flatMap(({ routes = [] }) =>
      routes.flatMap(({ id, request }) =>
        Object.entries(request).map(([place, schema]) => ({ name: `${id} ${place}`, schema })),
      ),
    );
    assert.ok(schemas.length > 100);
    assert.deepEqual(
      schemas.filter(({ schema }) => !ajv.validateSchema(schema as object)).map(({ name }) => name),
      [],
    );
  });
});
