import type { Embedder } from '#core/models/port.ts';
import { SUBJECTS } from './synthetic.ts';

const DIMENSIONS = 24;

/** Maps each word that the fake model knows to its subject; the last word is in no document. */
const SENSES = new Map([
  ...SUBJECTS.flatMap((words, subject) => words.map((word) => [word, subject] as const)),
  ['sumatriptan', 0] as const,
]);
/** The weight of a word’s own direction relative to that of its subject. */
const OWN = 0.5;
/** Four orthogonal directions: the sign depends on the bits that the index and the subject share (Walsh functions). */
const SIGNS = [1, -1, -1, 1];

export interface MadeEmbedder extends Embedder {
  /** The requested texts in order: `passage: …`, `query: …`. */
  readonly asked: string[];
  /** Makes the model fail or hang when set. */
  fault: 'fails' | 'hangs' | null;
}

/** Creates a fake sentence model, which adds up fixed directions of words and subjects. */
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

/** Adds a pseudo-random direction that is always the same for a word. */
function addOwn(vector: Float32Array, word: string): void {
  let state = 2166136261;
  for (const letter of word) state = Math.imul(state ^ letter.charCodeAt(0), 16777619);
  for (let i = 0; i < DIMENSIONS; i++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    vector[i]! += OWN * (state / 2 ** 31 - 1);
  }
}
