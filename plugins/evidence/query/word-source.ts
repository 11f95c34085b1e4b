/**
 * Caches the words of an index, with the vocabulary's names in it, for correcting typed words. Rebuilds them in the background
 * when the index has changed.
 */
import type { SearchIndex } from '#core/search/port.ts';
import { buildNearWords, type NearWords } from './near-words.ts';

/** Minimum time between rebuilds, so that an index that changes constantly is not read again for a few new words. */
const REBUILD_AFTER_MS = 15_000;

const wordsWithNames = function* (index: SearchIndex, names: Iterable<string>) {
  yield* index.words();
  // Adds the names in this spelling too, because the index may return another form of the word.
  for (const name of names) {
    const documents = index.frequency(name);
    if (documents > 0) yield [name, documents] as const;
  }
};

/**
 * Creates a function that returns the newest near words available; only callers before the first build wait. After a failed build
 * the previous words remain in use.
 * @returns null when there are none yet and the build failed.
 */
export const wordSource = (
  index: SearchIndex,
  readNames: () => Promise<ReadonlySet<string>>,
): (() => Promise<NearWords | null>) => {
  let kept: { readonly words: NearWords; readonly version: string } | null = null;
  let building: Promise<void> | null = null;
  let startedAt = Number.NEGATIVE_INFINITY;
  const build = async (): Promise<void> => {
    startedAt = performance.now();
    const { version } = index.state();
    kept = { words: await buildNearWords(wordsWithNames(index, await readNames())), version };
  };
  return async () => {
    const stale = kept?.version !== index.state().version;
    if (stale && !building && (!kept || performance.now() - startedAt > REBUILD_AFTER_MS)) {
      building = build()
        .catch(() => undefined)
        .finally(() => {
          building = null;
        });
    }
    if (!kept) await building;
    return kept?.words ?? null;
  };
};
