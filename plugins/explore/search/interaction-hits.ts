/** Pairs that a query names one or both sides of, gravest first. */
import {
  type InteractionBook,
  type Pair,
  SEVERITIES,
  SEVERITY_WORDS,
  type Severity,
} from '#plugins/interactions/index.ts';
import { type HitView, plainHit } from './hits.ts';
import type { QueryName } from './query-names.ts';

const severityOf = (pair: Pair): Severity => pair.applied[0].rule.entry.severity;

const byGravity = (a: Pair, b: Pair): number =>
  SEVERITIES.indexOf(severityOf(a)) - SEVERITIES.indexOf(severityOf(b)) || (a.slug < b.slug ? -1 : 1);

/** Every medicine of a name: itself, or the members of its group. */
const drugsOf = ({ kind, slug }: QueryName, book: InteractionBook): readonly string[] =>
  kind === 'class' ? book.drugs.membersOf(slug).map((drug) => drug.slug) : [slug];

const toHit = (pair: Pair, names: readonly QueryName[]): HitView => {
  const severity = severityOf(pair);
  const words = names.map((name) => `“${name.words}”`).join(' and ');
  return plainHit({
    name: `${pair.subject.name} and ${pair.drug.name}`,
    href: `/interactions/${pair.slug}`,
    text: pair.applied[0].rule.entry.effect.trim(),
    why: names.every(({ sure }) => sure)
      ? `Found by ${words}.`
      : `Found by ${words}, which was read as ${names.map(({ name }) => name).join(' and ')}.`,
    severity: { code: severity, word: SEVERITY_WORDS[severity] },
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

/** With both sides named only pairs of the two; with one side everything that is known of it. */
export const interactionHits = (book: InteractionBook, { subjects, medicines }: Sides): HitView[] => {
  const found = new Map<string, { readonly pair: Pair; readonly names: readonly QueryName[] }>();
  const add = (pair: Pair | null, ...names: QueryName[]): void => {
    if (pair && !found.has(pair.slug)) found.set(pair.slug, { pair, names });
  };
  if (subjects.length && medicines.length) {
    for (const subject of subjects)
      for (const medicine of medicines)
        for (const drug of drugsOf(medicine, book)) add(book.pair(subject.slug, drug), subject, medicine);
  } else {
    for (const subject of subjects) for (const pair of book.pairsOf(subject.slug)) add(pair, subject);
    for (const medicine of medicines)
      for (const drug of drugsOf(medicine, book)) for (const pair of book.pairsOfDrug(drug)) add(pair, medicine);
  }
  return [...found.values()].sort((a, b) => byGravity(a.pair, b.pair)).map(({ pair, names }) => toHit(pair, names));
};
