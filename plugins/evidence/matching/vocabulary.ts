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
