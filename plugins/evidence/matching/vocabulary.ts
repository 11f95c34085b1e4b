/** Words that tie a text to supplements and topics. */

export interface SupplementTerms {
  readonly slug: string;
  readonly name: string;
  readonly latinName: string;
  readonly synonyms: readonly string[];
  readonly forms: readonly string[];
}

export interface TopicTerms {
  readonly slug: string;
  readonly name: string;
  readonly kind: 'outcome' | 'condition';
  readonly terms: readonly string[];
}

export interface Vocabulary {
  readonly supplements: readonly SupplementTerms[];
  readonly topics: readonly TopicTerms[];
}

/** Where a match was found first: the title weighs most, the abstract least. */
export type Where = 'title' | 'terms' | 'abstract';

export interface Match {
  readonly slug: string;
  readonly where: Where;
  /** Of supplements that a program matched: how likely it is that it was given or taken, 0 to 1. */
  readonly probability?: number;
}

/** One entry of the vocabulary a term stands for. */
export interface Entry {
  readonly kind: 'supplement' | 'topic';
  readonly slug: string;
  /** A term in capitals of five letters at most, as NAC: counts only beside another term of the same supplement. */
  readonly acronym: boolean;
}
