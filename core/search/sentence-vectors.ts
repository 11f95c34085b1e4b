/** Computes vectors with the operator's sentence model, in the same way for every backend. */
import { Permission } from '../models/permission.ts';
import type { Embedder } from '../models/port.ts';
import type { SearchDocument, SearchQuery } from './port.ts';
import type { FieldWeights } from './segment.ts';
import { LONGEST_QUERY } from './settings.ts';

/** Time that a search waits for the model, in milliseconds; after that it uses the vectors learned from the corpus alone. */
export const QUERY_PATIENCE_MS = 2_000;

/**
 * Returns the unit vector of each document's indexed fields; null for a document without text, which would be near to any
 * query. Rejects with ModelError when the model fails: the change is then not applied, and the caller retries it later.
 */
export async function embedDocuments(
  embedder: Embedder,
  documents: readonly Pick<SearchDocument, 'text'>[],
  { fields, signal }: { fields: FieldWeights; signal: AbortSignal },
): Promise<(Float32Array | null)[]> {
  const names = Object.keys(fields);
  const texts = documents.map(({ text }) => names.map((name) => text[name] ?? '').join('\n'));
  const vectors = new Array<Float32Array | null>(documents.length).fill(null);
  const places = texts.flatMap((text, at) => (text.trim() === '' ? [] : [at]));
  if (places.length === 0) return vectors;
  const made = await embedder.embed(
    places.map((at) => texts[at] as string),
    'passage',
    { permission: Permission.publicText, signal },
  );
  for (const [i, at] of places.entries()) vectors[at] = made[i] as Float32Array;
  return vectors;
}

/**
 * Returns the unit vector of a query; null when the model fails, takes too long, or may not receive the text. The call to
 * the model is never cancelled, so that the circuit breaker detects a model that hangs, and no computation is wasted.
 */
export async function embedQuery(
  embedder: Embedder,
  { text, permission = null }: Pick<SearchQuery, 'text' | 'permission'>,
  patienceMs = QUERY_PATIENCE_MS,
): Promise<Float32Array | null> {
  const query = text.slice(0, LONGEST_QUERY).toWellFormed().trim();
  if (query === '') return null;
  const over = Promise.withResolvers<null>();
  const timer = setTimeout(() => over.resolve(null), patienceMs);
  try {
    const rows = await Promise.race([embedder.embed([query], 'query', { permission }).catch(() => null), over.promise]);
    return rows?.[0] ?? null;
  } finally {
    clearTimeout(timer);
  }
}
