/** Resolves names to supplements, substances and conditions; every endpoint uses this resolver. */
import { joinWords } from '#core/search/name-fold.ts';
import {
  buildNameIndex,
  foldName,
  type MatchType,
  type NamedThing,
  type NameHit,
  type NameIndex,
} from '#core/search/name-index.ts';
import type { StandardIds } from './schema-parts.ts';
import {
  isExplained,
  legalStatusOf,
  pagelessSubstances,
  type SubstanceRow,
  type SupplementRow,
  statusNamesOf,
  type Terms,
} from './terms.ts';

/** In order of precedence, for a name that means two things. */
export const KINDS = ['supplement', 'substance', 'condition'] as const;
export type Kind = (typeof KINDS)[number];

/** The meaning of an input and its confidence from 0 to 1, see core/search/name-index.ts. */
export interface Resolved {
  readonly kind: Kind;
  readonly slug: string;
  readonly name: string;
  readonly input: string;
  readonly match_type: MatchType;
  readonly confidence: number;
}

export interface Resolver {
  /**
   * Resolves an id of another vocabulary, a slug, old slug, name, synonym, Latin name, brand or misspelling; null if ambiguous.
   */
  resolve(input: string, kinds?: readonly Kind[]): Resolved | null;
  near(input: string, limit: number, kinds?: readonly Kind[]): readonly Resolved[];
  suggest(input: string, limit: number, kinds?: readonly Kind[]): readonly Resolved[];
  /** Returns the banned, restricted or other substance that the input names exactly, whether it has a supplement page or not. */
  warned(input: string): SubstanceRow | null;
}

interface Subject {
  readonly kind: Kind;
  readonly slug: string;
  readonly name: string;
  readonly ids: StandardIds;
  readonly aliases: NonNullable<NamedThing['aliases']>;
}

const normal = (text: string): string => joinWords(foldName(text));

const aliasesOf = (texts: readonly string[], type: 'synonym' | 'brand' | 'latin') =>
  texts.filter((text) => text !== '').map((text) => ({ text, type }));

/** Returns the forms whose name includes the supplement's: magnesium citrate, not capsules. */
const namingForms = ({ name, entry }: SupplementRow): string[] =>
  entry.forms.map((form) => form.name).filter((form) => form.toLowerCase().includes(name.toLowerCase()));

const oldNames = ({ redirects }: Terms, slug: string): string[] =>
  [...redirects].filter(([, to]) => to === slug).map(([from]) => from.replaceAll('-', ' '));

const supplementSubject = (terms: Terms, row: SupplementRow): Subject => {
  const { slug, name, latinName, synonyms, entry } = row;
  const known = [...synonyms, slug, ...oldNames(terms, slug), ...namingForms(row), latinName, ...(entry.brands ?? [])];
  const taken = new Set([name, ...known].map(normal));
  const ofStatus = statusNamesOf(terms, slug).filter((text) => !taken.has(normal(text)));
  return {
    kind: 'supplement',
    slug,
    name,
    ids: { ...legalStatusOf(terms, slug)?.ids, ...entry.ids },
    aliases: [
      ...aliasesOf([...synonyms, slug, ...oldNames(terms, slug), ...namingForms(row), ...ofStatus], 'synonym'),
      ...aliasesOf([latinName], 'latin'),
      ...aliasesOf(entry.brands ?? [], 'brand'),
    ],
  };
};

const substanceSubject = ({ slug, name, ids, synonyms }: SubstanceRow): Subject => ({
  kind: 'substance',
  slug,
  name,
  ids,
  aliases: aliasesOf([...synonyms, slug], 'synonym'),
});

/** Returns everything that carries a warning, under all its names, for the screening of labels. */
const warnedSubjects = (terms: Terms): Subject[] =>
  [...terms.substances.values()].map((substance): Subject => {
    const supplement = terms.supplements.get(substance.slug);
    return supplement ? { ...supplementSubject(terms, supplement), kind: 'substance' } : substanceSubject(substance);
  });

const subjectsOf = (terms: Terms): Subject[] => {
  const old = (slug: string): string[] => oldNames(terms, slug);
  return [
    ...[...terms.supplements.values()].map((row) => supplementSubject(terms, row)),
    ...pagelessSubstances(terms).map(substanceSubject),
    ...[...terms.conditions.values()].map(({ slug, name, entry, synonyms }) => ({
      kind: 'condition' as const,
      slug,
      name,
      ids: entry.ids ?? {},
      aliases: aliasesOf([...synonyms, slug, ...old(slug)], 'synonym'),
    })),
  ];
};

const keyOf = ({ kind, slug }: Subject): string => `${kind}/${slug}`;

/** Returns the aliases that two things of one kind share (ZMA is magnesium and zinc): resolving one would hide the other. */
const sharedAliases = (subjects: readonly Subject[]): ReadonlySet<string> => {
  const owners = new Map<string, Set<string>>();
  for (const subject of subjects) {
    for (const { text } of subject.aliases) {
      const key = `${subject.kind}/${normal(text)}`;
      owners.set(key, (owners.get(key) ?? new Set()).add(subject.slug));
    }
  }
  return new Set([...owners].flatMap(([key, slugs]) => (slugs.size > 1 ? [key] : [])));
};

/** Pattern of a standard id: `6574`, `RxCUI 6574`, `UNII: I38ZP9992A`. */
const ID = /^(?:(?:rxcui|unii|umls|cui|mesh)[:\s]\s*)?([A-Z0-9]{2,12})$/i;

/** Builds a resolver over the requested kinds only, so that a subject of another kind never takes a name. */
const buildResolverOf = (subjects: readonly Subject[]) => {
  const byKey = new Map(subjects.map((subject) => [keyOf(subject), subject]));
  const index: NameIndex = buildNameIndex(subjects.map((subject) => ({ ...subject, id: keyOf(subject) })));
  const shared = sharedAliases(subjects);
  const byId = new Map<string, Subject>();
  for (const subject of subjects) {
    for (const id of Object.values(subject.ids)) if (!byId.has(id)) byId.set(id, subject);
  }
  const resolvedOf = (input: string, hit: Omit<NameHit, 'matched'>): Resolved => {
    const { kind, slug, name } = byKey.get(hit.id)!;
    return { kind, slug, name, input, match_type: hit.matchType, confidence: hit.confidence };
  };
  const exactly = (input: string): Subject | undefined => {
    const text = input.trim();
    const slug = text.toLowerCase();
    const id = ID.exec(text)?.[1]?.toUpperCase();
    return KINDS.map((kind) => byKey.get(`${kind}/${slug}`)).find(Boolean) ?? (id ? byId.get(id) : undefined);
  };
  return {
    resolve: (input: string): Resolved | null => {
      const subject = exactly(input);
      if (subject) return resolvedOf(input, { id: keyOf(subject), matchType: 'exact', confidence: 1 });
      const hit = index.resolve(input);
      if (!hit || hit.matchType === 'exact') return hit && resolvedOf(input, hit);
      return shared.has(`${byKey.get(hit.id)?.kind}/${normal(hit.matched)}`) ? null : resolvedOf(input, hit);
    },
    near: (input: string, limit: number) => index.near(input, limit).map((hit) => resolvedOf(input, hit)),
    suggest: (input: string, limit: number) => index.suggest(input, limit).map((hit) => resolvedOf(input, hit)),
  };
};

export const buildResolver = (terms: Terms): Resolver => {
  const subjects = subjectsOf(terms);
  const built = new Map<string, ReturnType<typeof buildResolverOf>>();
  const of = (kinds: readonly Kind[] = KINDS) => {
    const key = KINDS.filter((kind) => kinds.includes(kind)).join();
    const known = built.get(key) ?? buildResolverOf(subjects.filter(({ kind }) => kinds.includes(kind)));
    built.set(key, known);
    return known;
  };
  let screen: ReturnType<typeof buildResolverOf> | null = null;
  const warned = (input: string): SubstanceRow | null => {
    screen ??= buildResolverOf(warnedSubjects(terms));
    const hit = screen.resolve(input);
    return hit && hit.match_type !== 'typo' ? (terms.substances.get(hit.slug) ?? null) : null;
  };
  /** Returns the banned or restricted substance without a page that has this name; a food or supplement is not a warning. */
  const warningOf = (input: string): Resolved | null => {
    const hit = of(['substance']).resolve(input);
    return hit && hit.match_type !== 'typo' && !isExplained(terms.substances.get(hit.slug)?.kind ?? '') ? hit : null;
  };
  return {
    resolve: (input, kinds = KINDS) => {
      const hit = of(kinds).resolve(input);
      if (!hit || hit.match_type === 'exact' || hit.kind === 'substance') return hit;
      // A synonym of a supplement must not hide a warning, and the exact name of one thing is not a misspelling of another.
      const warning = warningOf(input);
      if (warning) return kinds.includes('substance') ? warning : null;
      const right = hit.match_type === 'typo' ? of().resolve(input) : null;
      return right && right.match_type !== 'typo' ? null : hit;
    },
    near: (input, limit, kinds) => of(kinds).near(input, limit),
    suggest: (input, limit, kinds) => of(kinds).suggest(input, limit),
    warned,
  };
};
