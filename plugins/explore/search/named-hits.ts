/** Finds supplements and conditions by name, and supplements that were studied for an outcome in the query. */
import { foldName } from '#core/search/name-index.ts';
import { inSentence, type Tier, tierView, type VerticalCount } from '#plugins/evidence/index.ts';
import type { ConditionRow, SupplementRow, Terms, TopicRow, VocabularyServices } from '#plugins/vocabulary/index.ts';
import { type HitView, plainHit } from './hits.ts';
import type { QueryName } from './query-names.ts';

/** Limit that is larger than the number of entries of any kind. */
const ALL = 1_000;

const holds = (name: string, wanted: string): boolean => foldName(name).includes(wanted);

/** Returns a sentence with the name that contains the query. */
const whyHeld = (name: string, others: readonly string[], query: string): string => {
  const wanted = foldName(query);
  if (holds(name, wanted)) return `Its name holds “${query}”.`;
  const other = others.find((text) => holds(text, wanted));
  return other ? `“${other}”, another name of it, holds “${query}”.` : `One of its names is near “${query}”.`;
};

const whyNamed = ({ words, name, sure }: QueryName): string => {
  if (!sure) return `“${words}” was read as ${name}.`;
  return foldName(words) === foldName(name) ? 'Named in your search.' : `“${words}” is another name of it.`;
};

interface Row {
  readonly slug: string;
  readonly name: string;
  readonly others: readonly string[];
  readonly text: string;
}

const firstSentence = (text: string): string => /^.{20,220}?[.!?](?=\s|$)/s.exec(text.trim())?.[0] ?? '';

const supplementRow = ({ slug, name, latinName, synonyms, entry }: SupplementRow): Row => ({
  slug,
  name,
  others: [latinName, ...synonyms].filter(Boolean),
  text: firstSentence(entry.answer),
});
const conditionRow = ({ slug, name, synonyms, entry }: ConditionRow): Row => ({
  slug,
  name,
  others: synonyms,
  text: firstSentence(entry.answer),
});

export interface NameSearch {
  readonly query: string;
  readonly names: readonly QueryName[];
  readonly vocabulary: VocabularyServices;
  readonly terms: Terms;
}

/** Returns the entries that the query names, followed by those with a name that contains the whole query. */
const namedHits = async (kind: 'supplement' | 'condition', search: NameSearch): Promise<HitView[]> => {
  const { query, names, vocabulary, terms } = search;
  const rowOf = (slug: string): Row | null => {
    const [supplement, condition] = [terms.supplements.get(slug), terms.conditions.get(slug)];
    if (kind === 'supplement') return supplement ? supplementRow(supplement) : null;
    return condition ? conditionRow(condition) : null;
  };
  const found = new Map<string, HitView>();
  const add = (slug: string, why: (row: Row) => string): void => {
    const row = rowOf(slug);
    if (!row || found.has(slug)) return;
    found.set(slug, plainHit({ name: row.name, href: `/${kind}s/${slug}`, text: row.text, why: why(row) }));
  };
  for (const name of names) if (name.kind === kind) add(name.slug, () => whyNamed(name));
  for (const hit of await vocabulary.suggest(query, ALL, [kind]))
    add(hit.slug, ({ name, others }) => whyHeld(name, others, query));
  return [...found.values()];
};

export const conditionHits = (search: NameSearch): Promise<HitView[]> => namedHits('condition', search);

const TIERS: readonly Tier[] = ['A', 'B', 'C', 'D'];
const sourcesIn = ({ tiers }: VerticalCount): number => TIERS.reduce((sum, tier) => sum + tiers[tier], 0);
const bestOf = ({ tiers }: VerticalCount): Tier | null => TIERS.find((tier) => tiers[tier] > 0) ?? null;

const byEvidence = (a: VerticalCount, b: VerticalCount): number =>
  TIERS.reduce((order, tier) => order || b.tiers[tier] - a.tiers[tier], 0) || (a.vertical < b.vertical ? -1 : 1);

/**
 * Returns the supplements found by name, followed by those with sources on an outcome in the query. The latter are sorted by
 * the number of strong sources, whatever these sources found.
 */
export const supplementHits = async (
  search: NameSearch,
  { topics, counts }: { readonly topics: readonly TopicRow[]; readonly counts: readonly VerticalCount[] },
): Promise<HitView[]> => {
  const hits = await namedHits('supplement', search);
  const there = new Set(hits.map(({ href }) => href));
  const wanted = new Map(topics.map((topic) => [topic.slug, topic]));
  for (const count of counts.filter(({ topic }) => wanted.has(topic)).toSorted(byEvidence)) {
    const [row, n, best] = [search.terms.supplements.get(count.supplement), sourcesIn(count), bestOf(count)];
    const href = `/supplements/${count.supplement}`;
    if (!row || !best || there.has(href)) continue;
    there.add(href);
    const topic = inSentence(wanted.get(count.topic)?.name ?? count.topic);
    const why = `${n} ${n === 1 ? 'source' : 'sources'} on it and ${topic}, whatever they found; the best is of tier ${best}.`;
    hits.push(plainHit({ name: row.name, href, text: '', why, tier: tierView(best) }));
  }
  return hits;
};
