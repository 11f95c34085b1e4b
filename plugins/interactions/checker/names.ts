/** Resolves the names of a request to a supplement, a substance, a drug or a class, with a confidence. */
import type { MatchType } from '#core/search/name-index.ts';
import type { VocabularyServices } from '#plugins/vocabulary/index.ts';
import type { Form } from '../book/forms.ts';
import type { InteractionBook } from '../book/interaction-book.ts';
import type { Subject } from '../book/rule-record.ts';
import type { Drug, DrugClass } from '../drugs/drug-book.ts';

interface Meaning {
  /** The input as given. */
  readonly input: string;
  readonly matchType: MatchType;
  /** 0 to 1. */
  readonly confidence: number;
}

export interface NamedSubject extends Meaning {
  readonly type: 'subject';
  readonly subject: Subject;
  /** The form, food or product that was named; null for the supplement itself. */
  readonly form: Form | null;
}
export interface NamedDrug extends Meaning {
  readonly type: 'drug';
  readonly drug: Drug;
  /** The brand or the generic name that was recognised. */
  readonly name: string;
}
export interface NamedClass extends Meaning {
  readonly type: 'class';
  readonly class: DrugClass;
}
export type Named = NamedSubject | NamedDrug | NamedClass;

export interface Unresolved {
  readonly type: 'unresolved';
  readonly input: string;
  readonly suggestions: readonly { readonly name: string; readonly kind: string; readonly slug: string }[];
}

/**
 * Returns whether the name matched without a typo. A misspelling may be the correct name of something outside our lists, so the
 * client must ask.
 */
export const isSure = ({ matchType }: Pick<Named, 'matchType'>): boolean => matchType !== 'typo';

/** Resolvers of names. A correct name in one list is never taken for a misspelling in the other: zinc is not a misspelt Ziac. */
export interface Names {
  subject(input: string): Promise<NamedSubject | null>;
  drug(input: string): Promise<NamedDrug | NamedClass | null>;
  /** Returns the first of its meanings. */
  any(input: string, first: 'subject' | 'drug'): Promise<Named | null>;
  /**
   * Returns the meanings in the given list, then those in the other; a misspelling counts only if the name is correct in neither.
   */
  meanings(input: string, first: 'subject' | 'drug'): Promise<readonly Named[]>;
  /** Returns supplements, substances and drugs with similar names, best first. */
  near(input: string, kinds: 'subject' | 'drug' | 'any', limit?: number): Promise<Unresolved['suggestions']>;
}

const SUGGESTED = 5;

/** Words for the form of a product, which do not change its identity: "zinc lozenges", "St. John's wort extract". */
const PRODUCT_WORDS =
  /\b(?:capsules?|chewables?|dried|drops|extract|gumm(?:y|ies)|herb|liquid|lozenges?|oral|organic|pills?|powder(?:ed)?|softgels?|spray|standardi[sz]ed|supplements?|syrup|tablets?|tea|tincture)\b/gi;

/** A longer text is no name of one thing. */
const MOST_WORDS = 8;

const withoutProductWords = (input: string): string => {
  const bare = input.replace(PRODUCT_WORDS, ' ').replace(/\s+/g, ' ').trim();
  return /[a-z]{2}/i.test(bare) ? bare : input;
};

/** Builds the resolvers of a book. They accept slugs as well as names, because a folded slug reads as words. */
export const namesOf = (book: InteractionBook, vocabulary: VocabularyServices): Names => {
  const nearSubjects = async (input: string, limit: number) =>
    (await vocabulary.near(input, limit, ['supplement', 'substance']))
      .filter(({ slug }) => !book.medicineOf(slug))
      .map(({ name, slug, kind, confidence }) => ({ name, kind: kind as string, slug, confidence }));
  const nearDrugs = (input: string, limit: number) =>
    book.drugs.near(input, limit).map(({ name, drug, class: drugClass, confidence }) => ({
      name,
      kind: drugClass ? 'class' : 'drug',
      slug: (drugClass ?? drug)?.slug ?? '',
      confidence,
    }));
  const formNamed = (input: string, text: string): NamedSubject | null => {
    const form = book.forms.named(text);
    return form && { type: 'subject', subject: form.subject, form, input, matchType: 'synonym', confidence: 0.95 };
  };
  const subjectNamed = async (input: string, text: string): Promise<NamedSubject | null> => {
    const found = await vocabulary.resolve(text, ['supplement', 'substance']);
    const subject = found && book.subjects.get(found.slug);
    // Metformin found in products is metformin: the list of medicines resolves it.
    if (!found || !subject || book.medicineOf(subject.slug)) return null;
    return { type: 'subject', subject, form: null, input, matchType: found.match_type, confidence: found.confidence };
  };
  const surelyNamed = async (input: string, text: string): Promise<NamedSubject | null> => {
    const found = formNamed(input, text) ?? (await subjectNamed(input, text));
    return found && isSure(found) ? found : null;
  };
  /** Finds two names of the same thing written one after the other: "ashwagandha KSM-66", "vitamin B12 (methylcobalamin)". */
  const namedTwice = async (input: string): Promise<NamedSubject | null> => {
    const words = input.replace(/[(),]/g, ' ').trim().split(/\s+/);
    if (words.length > MOST_WORDS) return null;
    for (let at = 1; at < words.length; at += 1) {
      const first = await surelyNamed(input, words.slice(0, at).join(' '));
      const second = first && (await surelyNamed(input, words.slice(at).join(' ')));
      if (second && first.subject.slug === second.subject.slug) return second.form ? second : first;
    }
    return null;
  };
  const nearestSubject = async (input: string): Promise<NamedSubject | null> => {
    const found = formNamed(input, input) ?? (await subjectNamed(input, input));
    if (found && isSure(found)) return found;
    const bare = withoutProductWords(input);
    return (bare === input ? null : await surelyNamed(input, bare)) ?? (await namedTwice(bare)) ?? found;
  };
  const nearestDrug = (input: string): NamedDrug | NamedClass | null => {
    const found = book.drugs.resolve(input);
    if (!found) return null;
    const meaning = { input, matchType: found.match_type, confidence: found.confidence };
    if (found.drug) return { type: 'drug', drug: found.drug, name: found.name, ...meaning };
    return found.class ? { type: 'class', class: found.class, ...meaning } : null;
  };
  /** Returns the match, unless it is a guess and the input is the correct name of something else. */
  const unlessNamed = <T extends Named>(found: T | null, other: Named | null): T | null =>
    found && !isSure(found) && other && isSure(other) ? null : found;
  const subject = async (input: string) => unlessNamed(await nearestSubject(input), nearestDrug(input));
  const drug = async (input: string) => unlessNamed(nearestDrug(input), await nearestSubject(input));
  const meanings: Names['meanings'] = async (input, first) => {
    const found = [await subject(input), await drug(input)].filter((named) => named !== null);
    return first === 'drug' ? found.reverse() : found;
  };
  return {
    subject,
    drug,
    any: async (input, first) => (await meanings(input, first))[0] ?? null,
    meanings,
    near: async (input, kinds, limit = SUGGESTED) =>
      [
        ...(kinds === 'drug' ? [] : await nearSubjects(input, limit)),
        ...(kinds === 'subject' ? [] : nearDrugs(input, limit)),
      ]
        .sort((a, b) => b.confidence - a.confidence || (a.name < b.name ? -1 : 1))
        .slice(0, limit)
        .map(({ name, kind, slug }) => ({ name, kind, slug })),
  };
};

/** Builds the API's representation of a resolved name. */
export const namedJson = (named: Named) => {
  const meaning = { input: named.input, match_type: named.matchType, confidence: named.confidence };
  if (named.type === 'class')
    return { kind: 'class' as const, slug: named.class.slug, name: named.class.name, rxcui: '', ...meaning };
  if (named.type === 'drug') {
    const { slug, name, rxcui, ingredients } = named.drug;
    const several = ingredients.length > 1 ? { ingredients: [...ingredients] } : {};
    return { kind: 'drug' as const, slug, name, rxcui, ...meaning, ...several };
  }
  const { slug, name, kind, substanceKind, statement, authority, statusAsOf } = named.subject;
  const form = named.form && { form: { slug: named.form.slug, name: named.form.name } };
  const warning = substanceKind
    ? { substance_kind: substanceKind, statement, authority, status_as_of: statusAsOf || null }
    : {};
  return { kind, slug, name, ...meaning, ...form, ...warning };
};
