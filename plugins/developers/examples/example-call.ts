/** Builds an example call of an operation with sensible values; the examples in all languages use it. */
import type { Operation, Schema } from '../operations.ts';
import type { Samples } from './samples.ts';

export interface ExampleCall {
  readonly operation: Operation;
  /** Path and query values by their API name. */
  readonly given: Readonly<Record<string, unknown>>;
  readonly body: unknown;
  /** Names of the path values that the caller must supply, because the service generates a different one for each caller. */
  readonly placeholders: readonly string[];
}

interface Chosen {
  readonly given?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

/** Values for operations whose schemas and samples do not give a sensible call. */
const CHOSEN: Readonly<Record<string, Chosen>> = {
  'evidence.search': { given: { q: 'magnesium sleep', top_k: 3 } },
  'evidence.similar': { given: { top_k: 3 } },
  'interactions.check': { given: { supplement: 'st johns wort', drug: 'warfarin' } },
  'interactions.check-stack': { body: { supplements: ['ginkgo', 'fish oil'], drugs: ['warfarin', 'levothyroxine'] } },
  'interactions.list': { given: { supplement: 'ginkgo' } },
  'interactions.depletions': { given: { drug: 'metformin' } },
  'interactions.signals': { given: { supplement: 'kava' } },
  'drugs.suggest': { given: { q: 'war' } },
  'drugs.show': { given: { name: 'warfarin' } },
  'supplements.read': { given: { slug: 'magnesium' } },
  'conditions.read': { given: { slug: 'insomnia' } },
  'products.list': { given: { supplement: 'magnesium', page_size: 3 } },
  'products.brands': { given: { supplement: 'magnesium', page_size: 3 } },
  'sources.list': { given: { vertical: 'magnesium-sleep', page_size: 3 } },
  suggest: { given: { q: 'mag' } },
  'graph.data': { given: { around: 'supplement:magnesium' } },
  ask: { body: { question: 'Does magnesium help people sleep?' } },
  'ask.stream': { body: { question: 'Does magnesium help people sleep?' } },
  'keys.create': { body: { name: 'my app' } },
  'feedback.send': { body: { category: 'praise', message: 'The sources open in one click.' } },
  'feedback.answer': { body: { answer_id: 'ans_1', rating: 'up' } },
  'agents.mcp': { body: { jsonrpc: '2.0', id: 1, method: 'tools/list' } },
  'label-images.upload': { body: { license: 'CC BY 4.0', kind: 'front' } },
};

/** Returns an example id with the prefix of its pattern: `ans_example`. */
const idLike = ({ pattern = '', minLength = 0 }: Schema): string => {
  const [, prefix = ''] = /^\^([a-z]+_)/.exec(pattern) ?? [];
  return `${prefix}example`.padEnd(minLength, 'x');
};

/** Returns an example value that a schema allows. */
const fromSchema = (schema: Schema, name: string, samples: Samples): unknown => {
  const {
    enum: values,
    const: fixed,
    default: usual,
    example,
    type,
    format,
    minimum,
  } = schema as Schema & {
    readonly const?: unknown;
  };
  const told = example ?? fixed ?? values?.find((value) => value !== '' && value !== null) ?? usual;
  if (told !== undefined) return told;
  if (name in samples) return samples[name];
  if (format === 'uri' || /url$/.test(name)) return 'https://example.org/hook';
  if (format === 'date-time') return '2030-01-01T00:00:00Z';
  if (type === 'integer' || type === 'number') return minimum ?? 1;
  if (type === 'boolean') return false;
  if (type === 'array') return [];
  if (type === 'object') return bodyFrom(schema, samples);
  return idLike(schema);
};

/** Builds a body from the required fields. */
const bodyFrom = (schema: Schema, samples: Samples): Record<string, unknown> => {
  const properties = (schema.properties ?? {}) as Record<string, Schema>;
  const needed = (schema.required ?? []).filter((name) => properties[name]?.format !== 'binary');
  return Object.fromEntries(needed.map((name) => [name, fromSchema(properties[name] ?? {}, name, samples)]));
};

export const exampleCallOf = (operation: Operation, samples: Samples): ExampleCall => {
  const chosen = CHOSEN[operation.id] ?? {};
  const needed = operation.parameters.filter(({ place, required }) => place !== 'header' && required);
  const placeholders: string[] = [];
  const given: Record<string, unknown> = {};
  for (const { name, place, schema } of needed) {
    const isKnown = name in samples || schema.enum || schema.example !== undefined;
    if (place === 'path' && !isKnown && !(name in (chosen.given ?? {}))) placeholders.push(name);
    given[name] = fromSchema(schema, name, samples);
  }
  const names = new Set(operation.parameters.map(({ name }) => name));
  const chosenHere = Object.entries(chosen.given ?? {}).filter(([name]) => names.has(name));
  const body = operation.body
    ? (chosen.body ?? operation.body.schema.example ?? bodyFrom(operation.body.schema, samples))
    : undefined;
  return { operation, given: { ...given, ...Object.fromEntries(chosenHere) }, body, placeholders };
};
