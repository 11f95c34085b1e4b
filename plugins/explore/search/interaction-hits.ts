/** Finds the rules of which a query names one or both sides, most serious first; a rule about a whole class is one hit. */
import { inSentence, type LinkView } from '#plugins/evidence/index.ts';
import {
  type InteractionBook,
  type Pair,
  pairToDo,
  SEVERITIES,
  SEVERITY_WORDS,
  type Severity,
} from '#plugins/interactions/index.ts';
import { type HitView, plainHit } from './hits.ts';
import type { QueryName } from './query-names.ts';

type Rule = InteractionBook['rules'][number];

/** Pairs to which one rule applies, and the names in the query that found them. */
interface Group {
  readonly rule: Rule;
  readonly names: readonly QueryName[];
  readonly pairs: Pair[];
}

const severityOf = ({ entry }: Rule): Severity => entry.severity;

/** Compares groups: those of which the query names both sides first, then by severity. */
const byGravity = (a: Group, b: Group): number =>
  b.names.length - a.names.length ||
  SEVERITIES.indexOf(severityOf(a.rule)) - SEVERITIES.indexOf(severityOf(b.rule)) ||
  (a.rule.slug < b.rule.slug ? -1 : 1);

/** Returns the slugs of the medicines of a name: the medicine itself, or the members of its group. */
const drugsOf = ({ kind, slug }: QueryName, book: InteractionBook): readonly string[] =>
  kind === 'class' ? book.drugs.membersOf(slug).map((drug) => drug.slug) : [slug];

const foundBy = (names: readonly QueryName[]): string => {
  const words = names.map((name) => `“${name.words}”`).join(' and ');
  if (names.every(({ sure }) => sure)) return `Found by ${words}.`;
  return `Found by ${words}, which was read as ${names.map(({ name }) => name).join(' and ')}.`;
};

const inClass = (name: string): string => name.charAt(0).toLowerCase() + name.slice(1);

/** Returns name and links of a group: a rule of one pair links to the pair's page; a rule of a class also lists its pairs. */
const namedAs = ({ rule, pairs }: Group): { name: string; href: string; members: LinkView[] } => {
  const { subject, target } = rule;
  const [only, ...others] = pairs;
  if (only && !others.length)
    return { name: `${subject.name} and ${only.drug.name}`, href: `/interactions/${only.slug}`, members: [] };
  const name = `${subject.name} and ${target.kind === 'class' ? inClass(target.name) : inSentence(target.name)}`;
  const members = pairs
    .map(({ drug, slug }) => ({ name: drug.name, href: `/interactions/${slug}` }))
    .sort((a, b) => (a.name.toLowerCase() < b.name.toLowerCase() ? -1 : 1));
  return { name, href: `/interactions/${subject.slug}#${rule.slug}`, members };
};

const toHit = (group: Group): HitView => {
  const severity = severityOf(group.rule);
  return plainHit({
    ...namedAs(group),
    text: group.rule.entry.effect.trim(),
    why: foundBy(group.names),
    severity: { code: severity, word: SEVERITY_WORDS[severity] },
    toDo: pairToDo(severity, group.rule.entry.action),
  });
};

export interface Sides {
  readonly subjects: readonly QueryName[];
  readonly medicines: readonly QueryName[];
}

export const sidesOf = (names: readonly QueryName[]): Sides => ({
  subjects: names.filter(({ kind }) => kind === 'supplement' || kind === 'substance'),
  medicines: names.filter(({ kind }) => kind === 'drug' || kind === 'class'),
});

/**
 * Adds the rules between supplements or foods for each of the names. A rule of which the query names both sides is later
 * sorted first.
 */
const addAmongThemselves = (
  book: InteractionBook,
  subjects: readonly QueryName[],
  groups: Map<string, Group>,
): void => {
  const named = new Map(subjects.map((name) => [name.slug, name]));
  for (const subject of subjects) {
    for (const rule of book.rulesOf(subject.slug)) {
      if (rule.target.kind === 'class' || rule.target.kind === 'drug' || groups.has(rule.slug)) continue;
      const names = [rule.subject.slug, rule.target.slug].flatMap((slug) => named.get(slug) ?? []);
      groups.set(rule.slug, { rule, names, pairs: [] });
    }
  }
};

/** Returns the interactions of the query: those between the two sides if it names both, otherwise all of the named side. */
export const interactionHits = (book: InteractionBook, { subjects, medicines }: Sides): HitView[] => {
  const groups = new Map<string, Group>();
  const seen = new Set<string>();
  const add = (pair: Pair | null, ...names: QueryName[]): void => {
    if (!pair || seen.has(pair.slug)) return;
    seen.add(pair.slug);
    // The most serious rule of a pair determines its result, so the pair is listed only under that rule.
    const { rule } = pair.applied[0];
    const group = groups.get(rule.slug) ?? { rule, names, pairs: [] };
    groups.set(rule.slug, group);
    group.pairs.push(pair);
  };
  if (subjects.length && medicines.length) {
    for (const subject of subjects)
      for (const medicine of medicines)
        for (const drug of drugsOf(medicine, book)) add(book.pair(subject.slug, drug), subject, medicine);
  } else {
    for (const subject of subjects) for (const pair of book.pairsOf(subject.slug)) add(pair, subject);
    for (const medicine of medicines)
      for (const drug of drugsOf(medicine, book)) for (const pair of book.pairsOfDrug(drug)) add(pair, medicine);
    addAmongThemselves(book, subjects, groups);
  }
  return [...groups.values()].sort(byGravity).map(toHit);
};
