/** What the words of a request mean: a supplement, a substance, a drug or a class, and how sure that is. */
import type { MatchType } from '#core/search/name-index.ts';
import type { VocabularyServices } from '#plugins/vocabulary/index.ts';
import type { Form } from '../book/forms.ts';
import type { InteractionBook } from '../book/interaction-book.ts';
import type { Subject } from '../book/rule-record.ts';
import type { Drug, DrugClass } from '../drugs/drug-book.ts';

interface Meaning {
  /** The words as they were given. */
  readonly input: string;
  readonly matchType: MatchType;
  /** 0 to 1. */
  readonly confidence: number;
}

export interface NamedSubject extends Meaning {
  readonly type: 'subject';
  readonly subject: Subject;
  /** The form, food or product that was named; null for the supplement as such. */
  readonly form: Form | null;
}
export interface NamedDrug extends Meaning {
  readonly type: 'drug';
  readonly drug: Drug;
  /** The brand, or the generic name, that was recognised. */
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

/** A misspelling may always be the right name of something that is not in our lists: the answer asks. */
export const isSure = ({ matchType }: Pick<Named, 'matchType'>): boolean => matchType !== 'typo';

/** Of neither list is a right name of the other one taken for a misspelling: zinc is no misspelt Ziac. */
export interface Names {
  subject(input: string): Promise<NamedSubject | null>;
  drug(input: string): Promise<NamedDrug | NamedClass | null>;
  /** The first of its meanings. */
  any(input: string, first: 'subject' | 'drug'): Promise<Named | null>;
  /** In the list where it was given, then in the other one; a guess only where it is a right name in neither. */
  meanings(input: string, first: 'subject' | 'drug'): Promise<readonly Named[]>;
  /** Supplements, substances and drugs whose names are near, best first. */
  near(input: string, kinds: 'subject' | 'drug' | 'any', limit?: number): Promise<Unresolved['suggestions']>;
}

const SUGGESTED = 5;

/** How a supplement is made up, which does not change what it is: "zinc lozenges", "St. John's wort extract". */
const PRODUCT_WORDS =
  /\b(?:capsules?|chewables?|dried|drops|extract|gumm(?:y|ies)|herb|liquid|lozenges?|oral|organic|pills?|powder(?:ed)?|softgels?|spray|standardi[sz]ed|supplements?|syrup|tablets?|tea|tincture)\b/gi;

const withoutProductWords = (input: string): string => {
  const bare = input.replace(PRODUCT_WORDS, ' ').replace(/\s+/g, ' ').trim();
  return /[a-z]{2}/i.test(bare) ? bare : input;
};

/** A folded slug reads as words: resolvers take both. */
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
    // Metformin that was found in products is metformin: the medicine list answers for it.
    if (!found || !subject || book.medicineOf(subject.slug)) return null;
    return { type: 'subject', subject, form: null, input, matchType: found.match_type, confidence: found.confidence };
  };
  const nearestSubject = async (input: string): Promise<NamedSubject | null> => {
    const found = formNamed(input, input) ?? (await subjectNamed(input, input));
    if (found && isSure(found)) return found;
    const bare = withoutProductWords(input);
    const named = bare === input ? null : (formNamed(input, bare) ?? (await subjectNamed(input, bare)));
    return named && isSure(named) ? named : found;
  };
  const nearestDrug = (input: string): NamedDrug | NamedClass | null => {
    const found = book.drugs.resolve(input);
    if (!found) return null;
    const meaning = { input, matchType: found.match_type, confidence: found.confidence };
    if (found.drug) return { type: 'drug', drug: found.drug, name: found.name, ...meaning };
    return found.class ? { type: 'class', class: found.class, ...meaning } : null;
  };
  /** What was found, unless it is a guess and the input is the right name of something else. */
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

/** As the API echoes what a name came to. */
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
