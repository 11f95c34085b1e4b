/** Suggests names of all kinds in one list: names that begin with the query before those that contain it, kinds interleaved. */
import { buildNameIndex, foldName, type MatchType, type NameHit, type NameIndex } from '#core/search/name-index.ts';
import type { InteractionServices } from '#plugins/interactions/index.ts';
import type { ProductServices } from '#plugins/products/index.ts';
import { statusNamesOf, type Terms, type VocabularyServices } from '#plugins/vocabulary/index.ts';
import type { KeptGraph } from './services.ts';

/** Kinds in the order in which they are interleaved. */
export const SUGGEST_KINDS = [
  'supplement',
  'condition',
  'drug',
  'drug_class',
  'vertical',
  'brand',
  'topic',
  'substance',
] as const;
export type SuggestKind = (typeof SUGGEST_KINDS)[number];

export interface Suggestion {
  readonly kind: SuggestKind;
  readonly id: string;
  readonly name: string;
  readonly match_type: MatchType;
  readonly confidence: number;
  readonly url: string;
}

interface Sources {
  readonly vocabulary: VocabularyServices;
  readonly interactions: InteractionServices;
  readonly products: ProductServices;
  readonly graph: () => Promise<KeptGraph>;
}

interface Prepared extends Sources {
  readonly brands: () => Promise<Finder>;
}

type Finder = (q: string, limit: number) => readonly Suggestion[];

/** Memoises a function for its latest argument, compared by identity. */
const keepBy = <K, V>(make: (key: K) => V): ((key: K) => V) => {
  let kept: { key: K; value: V } | null = null;
  return (key) => {
    if (kept?.key !== key) kept = { key, value: make(key) };
    return kept.value;
  };
};

const finderOf =
  (kind: SuggestKind, index: NameIndex, of: (id: string) => { name: string; url: string }): Finder =>
  (q, limit) =>
    index.suggest(q, limit).map(({ id, matchType, confidence }: NameHit) => ({
      kind,
      id,
      ...of(id),
      match_type: matchType,
      confidence,
    }));

const topicFinder = keepBy(({ topics }: Terms): Finder => {
  const index = buildNameIndex([...topics.values()].map(({ slug, name }) => ({ id: slug, name })));
  return finderOf('topic', index, (slug) => {
    const name = topics.get(slug)?.name ?? slug;
    return { name, url: `/search/evidence?${new URLSearchParams({ q: name })}` };
  });
});

const verticalFinder = keepBy(({ graph }: KeptGraph): Finder => {
  const nodes = new Map(graph.nodes.filter(({ type }) => type === 'vertical').map((node) => [node.slug, node]));
  const index = buildNameIndex([...nodes.values()].map(({ slug, label }) => ({ id: slug, name: label })));
  return finderOf('vertical', index, (slug) => ({ name: nodes.get(slug)?.label ?? slug, url: `/evidence/${slug}` }));
});

const brandFinder = (brands: readonly { readonly slug: string; readonly name: string }[]): Finder => {
  const names = new Map(brands.map(({ slug, name }) => [slug, name]));
  const index = buildNameIndex(brands.map(({ slug, name }) => ({ id: slug, name })));
  return finderOf('brand', index, (slug) => ({ name: names.get(slug) ?? slug, url: `/brands/${slug}` }));
};

/** Lifetime of the brand list in milliseconds. Counting brands is slow with many products, and a new one is not urgent. */
const BRANDS_TTL = 60_000;

const brandsOf = (products: ProductServices): (() => Promise<Finder>) => {
  let kept: { finder: Finder; until: number } | null = null;
  return async () => {
    if (kept && Date.now() < kept.until) return kept.finder;
    const finder = brandFinder((await products.index()).brands());
    kept = { finder, until: Date.now() + BRANDS_TTL };
    return finder;
  };
};

/** Returns the suggestions of every kind, best first within each kind. */
const listsFor = async (sources: Prepared, q: string, limit: number): Promise<readonly Suggestion[]> => {
  const { vocabulary, interactions, brands } = sources;
  const [terms, book] = [await vocabulary.terms(), await interactions.book()];
  const named = (['supplement', 'condition', 'substance'] as const).map(async (kind) =>
    (await vocabulary.suggest(q, limit, [kind])).map((hit): Suggestion => {
      const { slug, name, match_type, confidence } = hit;
      const url =
        kind === 'substance'
          ? book.address(slug)
            ? `/interactions/${book.hubOf('subject', slug)}`
            : ''
          : `/${kind}s/${slug}`;
      return { kind, id: slug, name, match_type, confidence, url };
    }),
  );
  const classes = finderOfClasses(book.drugs.classes);
  return [
    ...(await Promise.all(named)).flat(),
    ...book.drugs.suggest(q, limit).map(({ name, drug }): Suggestion => {
      const isGeneric = foldName(name) === foldName(drug.name);
      const url = `/interactions/${book.hubOf('drug', drug.slug)}`;
      return {
        kind: 'drug',
        id: drug.slug,
        name,
        match_type: isGeneric ? 'exact' : 'brand',
        confidence: isGeneric ? 1 : 0.9,
        url,
      };
    }),
    ...classes(q, limit).map((hit) => ({ ...hit, url: `/interactions/${book.hubOf('class', hit.id)}` })),
    ...topicFinder(terms)(q, limit),
    ...verticalFinder(await sources.graph())(q, limit),
    ...(await brands())(q, limit),
  ];
};

const finderOfClasses = keepBy(
  (classes: ReadonlyMap<string, { readonly slug: string; readonly name: string }>): Finder => {
    const index = buildNameIndex([...classes.values()].map(({ slug, name }) => ({ id: slug, name })));
    return finderOf('drug_class', index, (slug) => ({ name: classes.get(slug)?.name ?? slug, url: '' }));
  },
);

/** Ranks a name: 0 equals the query; 1 begins with it; 2 has a word that begins with it; 3 all others. */
const tierOfName = (name: string, wanted: string): number => {
  const folded = foldName(name);
  if (folded === wanted) return 0;
  if (folded.startsWith(wanted)) return 1;
  return ` ${folded}`.includes(` ${wanted}`) ? 2 : 3;
};

/** Returns the other names of a vocabulary entry: curcumin is also found by "turmeric". */
export const otherNames = ({ kind, id }: Suggestion, terms: Terms): readonly string[] => {
  if (kind === 'supplement') {
    const row = terms.supplements.get(id);
    return row ? [row.latinName, ...row.synonyms, ...statusNamesOf(terms, id)] : [];
  }
  if (kind === 'condition') return terms.conditions.get(id)?.synonyms ?? [];
  return kind === 'substance' ? (terms.substances.get(id)?.synonyms ?? []) : [];
};

const tierOf = (hit: Suggestion, wanted: string, terms: Terms): number =>
  Math.min(...[hit.name, ...otherNames(hit, terms)].map((name) => tierOfName(name, wanted)));

/** Merges the suggestions of one rank, taking one of each kind in turn. */
const interleave = (hits: readonly Suggestion[], limit: number): Suggestion[] => {
  const lists = SUGGEST_KINDS.map((kind) => hits.filter((hit) => hit.kind === kind));
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  const turns = Array.from({ length: longest }, (_, at) => lists.flatMap((list) => list[at] ?? []));
  return turns.flat().slice(0, limit);
};

const misspelt = async (
  { vocabulary, interactions }: Sources,
  q: string,
  limit: number,
): Promise<readonly Suggestion[]> => {
  const book = await interactions.book();
  const hits = await vocabulary.near(q, limit, ['supplement', 'condition']);
  const drugs = book.drugs.near(q, limit).filter(({ drug }) => drug);
  return [
    ...hits.map(({ kind, slug, name, match_type, confidence }): Suggestion => {
      return { kind: kind as SuggestKind, id: slug, name, match_type, confidence, url: `/${kind}s/${slug}` };
    }),
    ...drugs.map(({ drug, name, match_type, confidence }): Suggestion => {
      const slug = drug?.slug ?? '';
      return { kind: 'drug', id: slug, name, match_type, confidence, url: `/interactions/${book.hubOf('drug', slug)}` };
    }),
  ].sort((a, b) => b.confidence - a.confidence);
};

/**
 * Creates the suggest function. It returns names that begin with the query, then names that contain it; when there are none,
 * the most similar names.
 */
export const startSuggesting = (given: Sources) => {
  const sources = { ...given, brands: brandsOf(given.products) };
  return async (q: string, limit: number, kinds: readonly string[]): Promise<readonly Suggestion[]> => {
    const wanted = foldName(q);
    if (!wanted) return [];
    const asked = (hit: Suggestion): boolean => !kinds.length || kinds.includes(hit.kind);
    const hits = (await listsFor(sources, q, limit)).filter(asked);
    if (!hits.length) return (await misspelt(sources, q, limit)).filter(asked).slice(0, limit);
    const terms = await sources.vocabulary.terms();
    const tiers = Map.groupBy(hits, (hit) => tierOf(hit, wanted, terms));
    return [0, 1, 2, 3].flatMap((tier) => interleave(tiers.get(tier) ?? [], limit)).slice(0, limit);
  };
};
