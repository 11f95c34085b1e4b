/** The terms that identify a supplement in a text. */

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

/** The most important field with a match: the title weighs most, the abstract least. */
export type Where = 'title' | 'terms' | 'abstract';

export interface Match {
  readonly slug: string;
  readonly where: Where;
  /** For supplements that a program matched: the probability that the supplement was given or taken, 0 to 1. */
  readonly probability?: number;
}

/** The entry of the vocabulary that a term belongs to. */
export interface Entry {
  readonly kind: 'supplement' | 'topic';
  readonly slug: string;
  /**
   * Whether the term consists of two to five capitals, such as NAC. It then counts only together with another term of the same
   * supplement or before a word of intake.
   */
  readonly acronym: boolean;
}
