/** Looks up the rules between two things, most serious first. Nothing here lowers a severity. */
import { type Coverage, coverageOfDrugs, coverageOfSupplement, lowerCoverage } from '../book/coverage.ts';
import { type Form, type Other, reasonAgainst } from '../book/forms.ts';
import type { InteractionBook, KnownException } from '../book/interaction-book.ts';
import { type Applied, byGravity, byGravityApplied, type RuleRecord, type Subject } from '../book/rule-record.ts';
import type { Drug, DrugClass } from '../drugs/drug-book.ts';
import type { Named, NamedSubject } from './names.ts';

/** A rule together with the reason why it applies. */
export interface Hit extends Applied {
  /** The ingredient of a combination, or the member of a class, that it is about; null if it is about the whole. */
  readonly only: Drug | null;
}

export interface Looked {
  /** Most serious first; empty if there is no rule between the two. */
  readonly hits: readonly Hit[];
  readonly coverage: Coverage;
  /** Exceptions of class rules for the requested drug. */
  readonly exceptions: readonly KnownException[];
  /** Rules of the supplement that do not apply to the given form, each with the reason. */
  readonly otherForms: readonly OtherForm[];
}

export interface OtherForm {
  readonly form: Form;
  readonly rule: RuleRecord;
  readonly note: string;
}

const byGravityHit = (a: Hit, b: Hit): number => Number(a.only !== null) - Number(b.only !== null);
const ordered = (hits: Hit[]): Hit[] => hits.sort((a, b) => byGravityApplied(a, b) || byGravityHit(a, b));

/** Looks up the drug as a whole, and each ingredient of a combination. */
const lookUpDrug = (book: InteractionBook, subject: Subject, drug: Drug): Looked => {
  const parts = [...new Set([drug.slug, ...drug.ingredients])];
  const hits = parts.flatMap((slug): Hit[] => {
    const only = slug === drug.slug ? null : (book.drugs.drug(slug) ?? null);
    return (book.pair(subject.slug, slug)?.applied ?? []).map((applied) => ({ ...applied, only }));
  });
  const ingredients = drug.ingredients.length ? drug.ingredients : [drug.slug];
  return {
    hits: ordered(distinct(hits)),
    coverage: lowerCoverage(coverageOfSupplement(book, subject.slug).level, coverageOfDrugs(book, ingredients)),
    exceptions: parts.flatMap((slug) => book.exceptionsOf(subject.slug, slug)),
    otherForms: [],
  };
};

const distinct = (hits: readonly Hit[]): Hit[] => [...new Map(hits.map((hit) => [hit.rule.slug, hit])).values()];

/** Returns a class and all its wider classes. */
export const withWider = (book: InteractionBook, slug: string): ReadonlySet<string> => {
  const found = new Set<string>();
  const visit = (name: string): void => {
    if (found.has(name)) return;
    found.add(name);
    for (const parent of book.drugs.classes.get(name)?.parents ?? []) visit(parent);
  };
  visit(slug);
  return found;
};

/**
 * Looks up a class. Rules of the class and of wider ones apply to all of it; rules of members apply only to those, and are marked
 * as such.
 */
const lookUpClass = (book: InteractionBook, subject: Subject, drugClass: DrugClass): Looked => {
  const whole = withWider(book, drugClass.slug);
  const hits = book.rulesOf(subject.slug).flatMap((rule): Hit[] => {
    if (rule.subject.slug !== subject.slug || rule.target.kind !== 'class' || !whole.has(rule.target.slug)) return [];
    const viaClass = book.drugs.classes.get(rule.target.slug) ?? null;
    return [{ rule, viaClass, only: null, grounds: book.groundsOf(rule) }];
  });
  const known = new Set(hits.map(({ rule }) => rule.slug));
  const ofMembers = book.drugs
    .membersOf(drugClass.slug)
    .flatMap((drug): Hit[] =>
      (book.pair(subject.slug, drug.slug)?.applied ?? [])
        .filter(({ rule }) => !known.has(rule.slug))
        .map((applied) => ({ ...applied, only: drug })),
    );
  const members = drugClass.members;
  const reached = members.filter((slug) => book.pairsOfDrug(slug).length > 0);
  return {
    hits: ordered([...hits, ...firstOf(ofMembers)]),
    coverage: lowerCoverage(coverageOfSupplement(book, subject.slug).level, coverageOfDrugs(book, reached)),
    exceptions: [],
    otherForms: [],
  };
};

/** Returns each rule once, with the first member to which it applies. */
const firstOf = (hits: readonly Hit[]): Hit[] => {
  const seen = new Set<string>();
  return hits.filter(({ rule }) => !seen.has(rule.slug) && seen.add(rule.slug));
};

const lookUpSubjects = (book: InteractionBook, a: Subject, b: Subject): Looked => ({
  hits: [...book.between(a.slug, b.slug)]
    .sort(byGravity)
    .map((rule) => ({ rule, viaClass: null, only: null, grounds: book.groundsOf(rule) })),
  coverage: lowerCoverage(coverageOfSupplement(book, a.slug).level, coverageOfSupplement(book, b.slug).level),
  exceptions: [],
  otherForms: [],
});

/** Looks up one supplement, substance or food with anything. */
const lookUpSubject = (book: InteractionBook, subject: Subject, other: Named): Looked => {
  if (other.type === 'subject') return lookUpSubjects(book, subject, other.subject);
  return other.type === 'drug' ? lookUpDrug(book, subject, other.drug) : lookUpClass(book, subject, other.class);
};

/** Returns the other side of a rule: the ingredient, the member, or the whole. */
const otherSide = ({ only }: Hit, other: Named): Other => {
  if (only) return { kind: 'drug', slug: only.slug };
  if (other.type === 'subject') return { kind: 'subject', slug: other.subject.slug };
  return other.type === 'drug' ? { kind: 'drug', slug: other.drug.slug } : { kind: 'class', slug: other.class.slug };
};

/** Moves the rules that do not apply to the form to `otherForms`. */
const forForm = (book: InteractionBook, form: Form | null, other: Named, looked: Looked): Looked => {
  if (!form) return looked;
  const judged = looked.hits.map((hit) => ({
    hit,
    note: reasonAgainst(form, otherSide(hit, other), book.drugs),
  }));
  return {
    ...looked,
    hits: judged.flatMap(({ hit, note }) => (note === null ? [hit] : [])),
    otherForms: [
      ...looked.otherForms,
      ...judged.flatMap(({ hit: { rule }, note }) => (note === null ? [] : [{ form, rule, note }])),
    ],
  };
};

/** Looks up everything that the named thing is or contains, with the other. */
const lookUpNamed = (book: InteractionBook, { subject, form }: NamedSubject, other: Named): Looked => {
  const own = forForm(book, form, other, lookUpSubject(book, subject, other));
  const others = (form?.also ?? []).map((also) => lookUpSubject(book, also, other));
  return {
    ...own,
    hits: ordered(distinct([...own.hits, ...others.flatMap(({ hits }) => hits)])),
    exceptions: [...own.exceptions, ...others.flatMap(({ exceptions }) => exceptions)],
  };
};

/** Looks up a pair; null for two medicines, which are not covered. */
export const lookUp = (book: InteractionBook, a: Named, b: Named): Looked | null => {
  if (a.type !== 'subject') return b.type === 'subject' ? lookUp(book, b, a) : null;
  const looked = lookUpNamed(book, a, b);
  if (b.type !== 'subject' || !b.form) return looked;
  // Both sides may be forms: milk with iron tablets.
  const also = b.form.also.flatMap((subject) => lookUpNamed(book, a, { ...b, subject, form: null }).hits);
  const judged = forForm(book, b.form, a, looked);
  return { ...judged, hits: ordered(distinct([...judged.hits, ...also])) };
};
