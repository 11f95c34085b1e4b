/** Reads content/benchmark.yaml: the measured figures, with the data set, machine, date and command of each measurement. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Static, Type } from 'typebox';
import { readYaml } from '#core/content-file.ts';

const text = Type.String({ minLength: 3 });
const strict = { additionalProperties: false };

const Peer = Type.Object(
  {
    name: text,
    value: Type.Number(),
    /** Source of the figure: a paper, a page, or our own run of their program. */
    source: text,
    address: Type.Optional(Type.String({ pattern: '^https://' })),
    measured: Type.String({
      enum: ['here', 'published'],
      description: '`here`: in one run with ours; `published`: by somebody else, on their machine.',
    }),
  },
  strict,
);

const Figure = Type.Object(
  {
    measure: text,
    better: Type.String({ enum: ['higher', 'lower'] }),
    unit: Type.Optional(Type.String()),
    /** Absent where we cannot measure it: then only the figures of the others are shown, and the text gives the reason. */
    ours: Type.Optional(Type.Number()),
    /** The configuration of ours that was measured, when there are several: "words and meaning". */
    variant: Type.Optional(text),
    peers: Type.Array(Peer),
  },
  strict,
);

const DataSet = Type.Object(
  {
    slug: Type.String({ pattern: '^[a-z0-9-]+$' }),
    name: text,
    /** What the data set is, and what it is not. Both are shown before any figure. */
    is: text,
    is_not: text,
    address: Type.Optional(Type.String({ pattern: '^https://' })),
    command: text,
    machine: text,
    date: Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' }),
    retrieval_version: Type.Optional(text),
    /** Interpretation in plain words: where our results are bad, and why. */
    reading: Type.Optional(text),
    figures: Type.Array(Figure, { minItems: 1 }),
  },
  strict,
);

const BenchmarkFile = Type.Object(
  {
    part: Type.Array(Type.Object({ title: text, about: text, sets: Type.Array(DataSet, { minItems: 1 }) }, strict), {
      minItems: 1,
    }),
    known_failures: Type.Array(text),
  },
  strict,
);
export type Benchmark = Static<typeof BenchmarkFile>;
export type MeasuredSet = Static<typeof DataSet>;

/**
 * Reads benchmark.yaml of a content folder. Returns no parts and no failures when the folder has no such file.
 * @throws ContentError with the file, line and field.
 */
export const readBenchmark = async (contentDir: string): Promise<Benchmark> => {
  const file = await readFile(join(contentDir, 'benchmark.yaml'), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (file === null) return { part: [], known_failures: [] };
  return readYaml({ path: 'benchmark.yaml', text: file, digest: '' }, BenchmarkFile);
};
