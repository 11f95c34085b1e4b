/** Provides the graph and name suggestions. The graph is cached and rebuilt when content, sources or rules change. */
import { createHash } from 'node:crypto';
import type { Host } from '#core/plugin.ts';
import { readVerticalCounts } from '#plugins/evidence/index.ts';
import { interactionsPlugin } from '#plugins/interactions/index.ts';
import { productsPlugin } from '#plugins/products/index.ts';
import { vocabularyPlugin } from '#plugins/vocabulary/index.ts';
import { type Graph, joinParts } from './graph.ts';
import { evidencePart, interactionPart, vocabularyPart } from './graph-parts.ts';
import { type Suggestion, startSuggesting } from './suggest.ts';

export interface KeptGraph {
  readonly graph: Graph;
  /** Digest of the graph; equal digests mean equal graphs. */
  readonly digest: string;
  /** Time at which this process built the graph. */
  readonly generatedAt: Date;
}

export interface ExploreServices {
  graph(): Promise<KeptGraph>;
  /** Returns suggestions of all kinds, best first. Empty `kinds` mean all kinds. */
  suggest(q: string, limit: number, kinds: readonly string[]): Promise<readonly Suggestion[]>;
}

/** Lifetime of the cached graph in milliseconds. */
const TTL = 5_000;

export const startExploring = (host: Host): ExploreServices => {
  const { db, use } = host;
  const vocabulary = use(vocabularyPlugin);
  const interactions = use(interactionsPlugin);
  let kept: KeptGraph | null = null;
  let lookedAt = 0;
  let running: Promise<KeptGraph> | null = null;

  const build = async (): Promise<KeptGraph> => {
    const terms = await vocabulary.terms();
    const [book, pairs] = [await interactions.book(), await interactions.pairs()];
    const counts = await db.read(readVerticalCounts);
    const graph = joinParts([vocabularyPart(terms), evidencePart(counts, terms), interactionPart(book, pairs)]);
    const digest = createHash('sha256').update(JSON.stringify(graph)).digest('base64url').slice(0, 22);
    return kept?.digest === digest ? kept : { graph, digest, generatedAt: new Date() };
  };

  const look = async (): Promise<KeptGraph> => {
    lookedAt = Date.now();
    kept = await build();
    return kept;
  };

  const graph = async (): Promise<KeptGraph> => {
    if (kept && Date.now() - lookedAt < TTL) return kept;
    running ??= look().finally(() => {
      running = null;
    });
    return running;
  };

  const suggest = startSuggesting({ vocabulary, interactions, products: use(productsPlugin), graph });
  return { graph, suggest };
};
