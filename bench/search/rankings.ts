/** Computes the rankings of a query: the combined one, and the order of each retriever as reported in its hits. */
import type { Embedder } from '#core/models/port.ts';
import { type InProcessIndex, openInProcessIndex } from '#core/search/in-process.ts';
import type { LegRank, SearchDocument, SearchHit, SearchIndex } from '#core/search/port.ts';
import { type Dataset, FIELDS, QUERY_PERMISSION } from './datasets.ts';
import { type Measures, mean, measure } from './measures.ts';

/** Depth to which a ranking is evaluated, as in trec_eval. */
export const DEPTH = 1000;
/**
 * Number of requested hits; more than the depth, because a retriever's thousandth hit may come after the thousandth of the
 * combined ranking.
 */
const ASKED = 2 * DEPTH;

export const LEGS = ['bm25', 'semantic', 'ngram', 'feedback'] as const satisfies readonly LegRank['leg'][];
export const RANKINGS = [...LEGS, 'whole'] as const;
export type Ranking = (typeof RANKINGS)[number];

/**
 * Builds an in-memory index of the documents with its semantic retriever trained on them, and with a sentence model if one is
 * given.
 */
export async function indexOf(
  documents: readonly SearchDocument[],
  embedder: Embedder | null = null,
): Promise<InProcessIndex> {
  const index = await openInProcessIndex({ folder: null, fields: FIELDS, embedder });
  await index.apply({ upsert: documents, revision: 1 });
  await index.settled();
  return index;
}

/** Returns ids by ranking, best first, up to the depth. */
export async function rankingsOf(index: SearchIndex, text: string): Promise<Record<Ranking, string[]>> {
  const { hits } = await index.search({ text, permission: QUERY_PERMISSION, limit: ASKED });
  const legs = LEGS.map((leg) => [leg, ofLeg(hits, leg)] as const);
  const whole = hits.slice(0, DEPTH).map((hit) => hit.id);
  return { ...(Object.fromEntries(legs) as Record<(typeof LEGS)[number], string[]>), whole };
}

function ofLeg(hits: readonly SearchHit[], leg: string): string[] {
  const ranked = hits.flatMap((hit) => {
    const found = hit.legs.find((each) => each.leg === leg);
    return found ? [{ id: hit.id, rank: found.rank }] : [];
  });
  return ranked
    .sort((a, b) => a.rank - b.rank)
    .slice(0, DEPTH)
    .map(({ id }) => id);
}

/** Rounds over all queries; the minimum counts, which excludes the effects of other work on the machine. */
const ROUNDS = 3;

/** Returns the milliseconds of each text, the minimum of three rounds. */
export async function timesOf(texts: readonly string[], search: (text: string) => unknown): Promise<number[]> {
  const least = texts.map(() => Number.POSITIVE_INFINITY);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [at, text] of texts.entries()) {
      const since = performance.now();
      await search(text);
      least[at] = Math.min(least[at]!, performance.now() - since);
    }
  }
  return least;
}

/** Maximum number of queries that are timed. */
const TIMED = 500;

/** Evaluates every ranking of every query, and times searches for twenty hits in milliseconds. */
export async function measureAll(
  index: SearchIndex,
  { queries, judgements }: Pick<Dataset, 'queries' | 'judgements'>,
): Promise<{ measured: ReadonlyMap<Ranking, readonly Measures[]>; times: number[] }> {
  const measured = new Map(RANKINGS.map((ranking) => [ranking, [] as Measures[]]));
  for (const { id, text } of queries) {
    const rankings = await rankingsOf(index, text);
    for (const ranking of RANKINGS) measured.get(ranking)!.push(measure(rankings[ranking], judgements.get(id)!));
  }
  const texts = queries.slice(0, TIMED).map(({ text }) => text);
  return {
    measured,
    times: await timesOf(texts, (text) => index.search({ text, permission: QUERY_PERMISSION, limit: 20 })),
  };
}

/** Returns the value below which a share of the numbers lies. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

/** Formats three measures as a row of a table. */
export function row(measures: readonly Measures[]): Record<string, string> {
  const { ndcg10, recall100, map } = mean(measures);
  return { 'nDCG@10': ndcg10.toFixed(4), 'Recall@100': recall100.toFixed(4), MAP: map.toFixed(4) };
}
