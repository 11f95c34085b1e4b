/** Builds the nodes and edges that each plugin contributes to the graph, from the data of its services. */
import { inSentence, TIER_WEIGHTS, TIERS, type Tier, type VerticalCount } from '#plugins/evidence/index.ts';
import { type InteractionBook, type InteractionPair, SEVERITIES, type Severity } from '#plugins/interactions/index.ts';
import type { Terms } from '#plugins/vocabulary/index.ts';
import type { GraphEdge, GraphPart } from './graph.ts';

const idOf = (type: string, slug: string): string => `${type}:${slug}`;

export const vocabularyPart = ({ supplements, conditions }: Terms): GraphPart => ({
  nodes: [
    ...[...supplements.values()].map(({ slug, name }) => ({
      id: idOf('supplement', slug),
      type: 'supplement' as const,
      label: name,
      slug,
      url: `/supplements/${slug}`,
    })),
    ...[...conditions.values()].map(({ slug, name }) => ({
      id: idOf('condition', slug),
      type: 'condition' as const,
      label: name,
      slug,
      url: `/conditions/${slug}`,
    })),
  ],
  edges: [],
});

const weightOf = (tiers: VerticalCount['tiers']): number =>
  TIERS.reduce((sum, tier) => sum + tiers[tier] * TIER_WEIGHTS[tier], 0);
const bestOf = (tiers: VerticalCount['tiers']): Tier | undefined => TIERS.find((tier) => tiers[tier] > 0);

/** Builds the edges of a question: to its supplement, and to the conditions that its outcome belongs to. */
const verticalEdges = (count: VerticalCount, conditions: readonly string[]): GraphEdge[] => {
  const [id, tier] = [idOf('vertical', count.vertical), bestOf(count.tiers)];
  const shared = { weight: weightOf(count.tiers), ...(tier && { tier }), url: `/evidence/${count.vertical}` };
  return [
    { source: idOf('supplement', count.supplement), target: id, type: 'asked', ...shared },
    ...conditions.map((slug) => ({
      source: id,
      target: idOf('condition', slug),
      type: 'topic' as const,
      ...shared,
    })),
  ];
};

interface Between {
  readonly supplement: string;
  readonly condition: string;
  readonly tiers: Record<Tier, number>;
  readonly via: string[];
}

/**
 * Builds the edges between supplements and conditions, one per pair, over all questions that link the two. A source that
 * answers two of these questions counts twice.
 */
const evidenceEdges = (
  counts: readonly VerticalCount[],
  terms: Terms,
  conditionsOf: ReadonlyMap<string, readonly string[]>,
): GraphEdge[] => {
  const between = new Map<string, Between>();
  for (const { supplement, topic, tiers } of counts) {
    for (const condition of conditionsOf.get(topic) ?? []) {
      const key = `${supplement} ${condition}`;
      const known = between.get(key) ?? { supplement, condition, tiers: { A: 0, B: 0, C: 0, D: 0 }, via: [] };
      for (const tier of TIERS) known.tiers[tier] += tiers[tier];
      known.via.push(terms.topics.get(topic)?.name ?? topic);
      between.set(key, known);
    }
  }
  return [...between.values()].map(({ supplement, condition, tiers, via }): GraphEdge => {
    const tier = bestOf(tiers);
    return {
      source: idOf('supplement', supplement),
      target: idOf('condition', condition),
      type: 'evidence',
      weight: weightOf(tiers),
      ...(tier && { tier }),
      via,
      url: `/conditions/${condition}`,
    };
  });
};

/** Returns the slugs of the conditions that each topic belongs to, by topic. */
const conditionsByTopic = ({ conditions }: Terms): ReadonlyMap<string, readonly string[]> => {
  const pairs = [...conditions.values()].flatMap(({ slug, topics }) => topics.map((topic) => ({ slug, topic })));
  return new Map(
    [...Map.groupBy(pairs, ({ topic }) => topic)].map(([topic, list]) => [topic, list.map(({ slug }) => slug)]),
  );
};

export const evidencePart = (all: readonly VerticalCount[], terms: Terms): GraphPart => {
  const { supplements, topics } = terms;
  const counts = all.filter(
    (count) => bestOf(count.tiers) && supplements.has(count.supplement) && topics.has(count.topic),
  );
  const conditionsOf = conditionsByTopic(terms);
  return {
    nodes: counts.map(({ vertical, supplement, topic }) => ({
      id: idOf('vertical', vertical),
      type: 'vertical' as const,
      label: `${supplements.get(supplement)?.name} and ${inSentence(topics.get(topic)?.name ?? topic)}`,
      slug: vertical,
      url: `/evidence/${vertical}`,
    })),
    edges: [
      ...counts.flatMap((count) => verticalEdges(count, conditionsOf.get(count.topic) ?? [])),
      ...evidenceEdges(counts, terms, conditionsOf),
    ],
  };
};

/** Returns the weight of a severity: 5 for the most serious, 1 for unknown. It is never 0: unknown does not mean harmless. */
const gravity = (severity: Severity): number => SEVERITIES.length - SEVERITIES.indexOf(severity);

const capital = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

const supplementRules = (book: InteractionBook): GraphEdge[] => {
  // Of several rules between the same two supplements, the most serious is used. The rules are sorted, most serious first.
  const edges = new Map<string, GraphEdge>();
  for (const { subject, target, entry, tier, slug } of book.rules) {
    if (subject.kind !== 'supplement' || target.kind !== 'supplement') continue;
    const [source, other] = [idOf('supplement', subject.slug), idOf('supplement', target.slug)];
    const key = [source, other].sort().join(' ');
    if (edges.has(key)) continue;
    edges.set(key, {
      source,
      target: other,
      type: 'interaction',
      weight: gravity(entry.severity),
      severity: entry.severity,
      tier,
      url: `/interactions/${subject.slug}#${slug}`,
    });
  }
  return [...edges.values()];
};

export const interactionPart = (book: InteractionBook, pairs: readonly InteractionPair[]): GraphPart => {
  const drugs = new Map(pairs.map(({ drugSlug, drug }) => [drugSlug, drug]));
  return {
    nodes: [...drugs].map(([slug, name]) => ({
      id: idOf('drug', slug),
      type: 'drug' as const,
      label: capital(name),
      slug,
      url: `/interactions/${book.hubOf('drug', slug)}`,
    })),
    edges: [
      ...pairs.map((pair) => ({
        source: idOf('supplement', pair.supplementSlug),
        target: idOf('drug', pair.drugSlug),
        type: 'interaction' as const,
        weight: gravity(pair.severity),
        severity: pair.severity,
        tier: pair.tier,
        url: `/interactions/${pair.slug}`,
      })),
      ...supplementRules(book),
    ],
  };
};
