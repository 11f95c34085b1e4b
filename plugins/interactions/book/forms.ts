/**
 * Forms of a supplement that act differently: nicotinamide is not nicotinic acid, deglycyrrhizinated liquorice contains no
 * glycyrrhizin, kale is vitamin K, and cod liver oil is vitamin A too. Every rule of the supplement applies to a form that is not
 * listed here.
 */
import { joinWords } from '#core/search/name-fold.ts';
import { foldName } from '#core/search/name-index.ts';
import type { DrugBook } from '../drugs/drug-book.ts';
import type { EntryRow } from '../rules/entries.ts';
import type { FormEntry } from '../rules/schemas.ts';
import type { CautionRecord, Subject } from './rule-record.ts';

export interface Form {
  readonly slug: string;
  readonly name: string;
  readonly subject: Subject;
  /** Other supplements that it contains: their rules apply to it as well. */
  readonly also: readonly Subject[];
  readonly entry: FormEntry;
}

export interface Forms {
  /** Finds a form by any of its names, also in brackets after the supplement: "niacin (as niacinamide)". */
  named(input: string): Form | null;
  ofSubject(slug: string): readonly Form[];
}

const keyOf = (text: string): string => joinWords(foldName(text));
const IN_BRACKETS = /\(\s*(?:(?:as|from)\s+)?([^()]+)\)\s*$/i;

export const formsOf = (
  rows: readonly Extract<EntryRow, { kind: 'form' }>[],
  subjects: ReadonlyMap<string, Subject>,
): Forms => {
  const forms = rows.flatMap(({ data }): Form[] => {
    const subject = subjects.get(data.supplement);
    if (!subject) return [];
    const also = (data.also ?? []).flatMap((slug) => subjects.get(slug) ?? []);
    return [{ slug: data.slug, name: data.name, subject, also, entry: data }];
  });
  const byName = new Map(forms.flatMap((form) => form.entry.names.map((name) => [keyOf(name), form] as const)));
  const bySubject = Map.groupBy(forms, ({ subject }) => subject.slug);
  return {
    named: (input) => byName.get(keyOf(input)) ?? byName.get(keyOf(IN_BRACKETS.exec(input)?.[1] ?? '')) ?? null,
    ofSubject: (slug) => bySubject.get(slug) ?? [],
  };
};

type Scope = NonNullable<FormEntry['not']>;

/** The other side of a pair: a medicine or a class with its wider classes, a supplement or a food. */
export interface Other {
  readonly kind: 'drug' | 'class' | 'subject';
  readonly slug: string;
}

const isWithin = (scope: Scope, { kind, slug }: Other, drugs: DrugBook): boolean => {
  if (kind === 'subject') return (scope.supplements ?? []).includes(slug);
  if (kind === 'drug' && (scope.drugs ?? []).some((name) => drugs.resolve(name)?.drug?.slug === slug)) return true;
  const around = kind === 'drug' ? drugs.classesOf(slug) : wider(drugs, slug);
  return (scope.classes ?? []).some((one) => around.includes(one));
};

const wider = (drugs: DrugBook, slug: string): readonly string[] => [
  slug,
  ...(drugs.classes.get(slug)?.parents ?? []).flatMap((parent) => wider(drugs, parent)),
];

/** Returns why the rules of the supplement do not apply to the form with the other side; null if they do. */
export const reasonAgainst = (form: Form | null, other: Other, drugs: DrugBook): string | null => {
  const { not, only } = form?.entry ?? {};
  if (not && isWithin(not, other, drugs)) return not.note;
  return only && !isWithin(only, other, drugs) ? only.note : null;
};

/** Returns whether a caution of the supplement applies to this form. */
export const holdsInState = (form: Form | null, { entry }: Pick<CautionRecord, 'entry'>): boolean => {
  const { not, only } = form?.entry ?? {};
  const isNamed = ({ conditions = [], states = [] }: Scope): boolean =>
    entry.condition === 'other' ? states.includes(entry.name ?? '') : conditions.includes(entry.condition);
  return !(not && isNamed(not)) && !(only && !isNamed(only));
};
