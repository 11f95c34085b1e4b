/** Rules that a query names one or both sides of, gravest first: what one rule says of a whole class stands once. */
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

/** Pairs that one rule answers for, and the names of the query that led there. */
interface Group {
  readonly rule: Rule;
  readonly names: readonly QueryName[];
  readonly pairs: Pair[];
}

const severityOf = ({ entry }: Rule): Severity => entry.severity;

/** What the query names both sides of, then the gravest. */
const byGravity = (a: Group, b: Group): number =>
  b.names.length - a.names.length ||
  SEVERITIES.indexOf(severityOf(a.rule)) - SEVERITIES.indexOf(severityOf(b.rule)) ||
  (a.rule.slug < b.rule.slug ? -1 : 1);

/** Every medicine of a name: itself, or the members of its group. */
const drugsOf = ({ kind, slug }: QueryName, book: InteractionBook): readonly string[] =>
  kind === 'class' ? book.drugs.membersOf(slug).map((drug) => drug.slug) : [slug];

const foundBy = (names: readonly QueryName[]): string => {
  const words = names.map((name) => `“${name.words}”`).join(' and ');
  if (names.every(({ sure }) => sure)) return `Found by ${words}.`;
  return `Found by ${words}, which was read as ${names.map(({ name }) => name).join(' and ')}.`;
};

const inClass = (name: string): string => name.charAt(0).toLowerCase() + name.slice(1);

/** A rule of one pair leads to its page; a rule of a class to where it is set out, and to the page of each pair. */
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

/** With supplements or foods: each of the names, and where two are named their own rule first. */
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

/** With both sides named only pairs of the two; with one side everything that is known of it. */
export const interactionHits = (book: InteractionBook, { subjects, medicines }: Sides): HitView[] => {
  const groups = new Map<string, Group>();
  const seen = new Set<string>();
  const add = (pair: Pair | null, ...names: QueryName[]): void => {
    if (!pair || seen.has(pair.slug)) return;
    seen.add(pair.slug);
    // The gravest rule of a pair is its answer: there it stands, and nowhere below.
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
