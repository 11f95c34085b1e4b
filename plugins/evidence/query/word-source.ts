/**
 * The words of an index, and the vocabulary's names that it holds, ready for correcting what is typed; made anew behind
 * the searches when the index has changed.
 */
import type { SearchIndex } from '#core/search/port.ts';
import { buildNearWords, type NearWords } from './near-words.ts';

/** An index that changes all the time is not read over and over for its few new words. */
const REBUILD_AFTER_MS = 15_000;

const wordsWithNames = function* (index: SearchIndex, names: Iterable<string>) {
  yield* index.words();
  // Also in this spelling: what the index gives may be another form of the word.
  for (const name of names) {
    const documents = index.frequency(name);
    if (documents > 0) yield [name, documents] as const;
  }
};

/**
 * Answers the newest near words that there are; only the first caller waits. A failed build leaves those before it.
 * @returns null when there are none yet and none could be made.
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
