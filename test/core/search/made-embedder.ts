import type { Embedder } from '#core/models/port.ts';
import { SUBJECTS } from './synthetic.ts';

const DIMENSIONS = 24;

/** What the made model knows: which subject a word is of. The last is in no document. */
const SENSES = new Map([
  ...SUBJECTS.flatMap((words, subject) => words.map((word) => [word, subject] as const)),
  ['sumatriptan', 0] as const,
]);
/** Weight of a word's own direction beside that of its subject. */
const OWN = 0.5;
/** Four directions at right angles, by the bits that number and subject share (Walsh functions). */
const SIGNS = [1, -1, -1, 1];

export interface MadeEmbedder extends Embedder {
  /** What it was asked, in order: `passage: …`, `query: …`. */
  readonly asked: string[];
  /** Set to make it fail, or not answer. */
  fault: 'fails' | 'hangs' | null;
}

/** A sentence model that adds up directions of words and subjects: the same every time, and no model at all. */
export function madeEmbedder(name = 'made-sentences'): MadeEmbedder {
  const embedder: MadeEmbedder = {
    name,
    dimensions: DIMENSIONS,
    asked: [],
    fault: null,
    embed: async (texts, kind) => {
      embedder.asked.push(...texts.map((text) => `${kind}: ${text}`));
      if (embedder.fault === 'fails') throw new Error('the made model is away');
      if (embedder.fault === 'hangs') await new Promise(() => undefined);
      return texts.map(vectorOf);
    },
  };
  return embedder;
}

function vectorOf(text: string): Float32Array {
  const vector = new Float32Array(DIMENSIONS);
  for (const word of text.toLowerCase().match(/[a-z]+/g) ?? ['nothing']) {
    addOwn(vector, word);
    const subject = SENSES.get(word);
    if (subject === undefined) continue;
    for (let i = 0; i < DIMENSIONS; i++) vector[i]! += SIGNS[i & subject]!;
  }
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}

/** A word's own direction, the same every time. */
function addOwn(vector: Float32Array, word: string): void {
  let state = 2166136261;
  for (const letter of word) state = Math.imul(state ^ letter.charCodeAt(0), 16777619);
  for (let i = 0; i < DIMENSIONS; i++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    vector[i]! += OWN * (state / 2 ** 31 - 1);
  }
}
