import type { PackedReading, SourceRecord } from '../source-record.ts';
import { readFields } from './fields.ts';
import { addSupplements, rankSupplements } from './supplements.ts';
import { rankTopics } from './topics.ts';
import { TermTrie } from './trie.ts';
import type { Entry, Match, Vocabulary } from './vocabulary.ts';

export interface VocabularyMatch {
  /** Matched supplements, strongest first. */
  readonly supplements: readonly Match[];
  /** Matched topics, strongest first; at most four unless an editor named them. */
  readonly topics: readonly Match[];
  /** `<supplement>-<topic>` for each topic with each of the first four supplements, or with all that an editor named. */
  readonly verticals: readonly string[];
}

export interface VocabularyMatcher {
  match(record: SourceRecord): VocabularyMatch;
}

// Pairs from a long list carry little information: only the first four supplements form verticals, but all are listed.
const VERTICAL_SUPPLEMENTS = 4;

const buildTrie = (vocabulary: Vocabulary): TermTrie<Entry> => {
  const trie = new TermTrie<Entry>();
  addSupplements(trie, vocabulary.supplements);
  for (const topic of vocabulary.topics) {
    const entry: Entry = { kind: 'topic', slug: topic.slug, acronym: false };
    for (const term of [...topic.terms, topic.name]) trie.add(term, entry);
  }
  return trie;
};

/** Returns the packed matches of an abstract that is not stored here, without slugs that the vocabulary no longer contains. */
const packedMatches = (packed: PackedReading, vocabulary: Vocabulary) => {
  const known = (entries: readonly { readonly slug: string }[]) => {
    const slugs = new Set(entries.map(({ slug }) => slug));
    return ({ slug }: Match): boolean => slugs.has(slug);
  };
  return {
    supplements: packed.supplements.filter(known(vocabulary.supplements)),
    topics: packed.topics.filter(known(vocabulary.topics)),
  };
};

const editorsChoice = (slugs: readonly string[], found: readonly Match[]): Match[] =>
  slugs.map((slug) => found.find((match) => match.slug === slug) ?? { slug, where: 'abstract' });

/** Compiles a vocabulary once; `match` then reads a record in one pass. Values stated by an editor take precedence. */
export const compileVocabulary = (vocabulary: Vocabulary): VocabularyMatcher => {
  const trie = buildTrie(vocabulary);
  return {
    match(record) {
      const fields = readFields(record, trie);
      const packed = record.packed && packedMatches(record.packed, vocabulary);
      const hasAbstract = record.abstract !== '';
      const found = {
        // An editor's decision remains valid after the abstract has been stored.
        supplements: packed && (!hasAbstract || record.screened) ? packed.supplements : rankSupplements(record, fields),
        topics: packed && !hasAbstract ? packed.topics : rankTopics(fields),
      };
      const stated = record.stated;
      const named = { ...stated, ...record.corrected };
      const supplements = named.supplements ? editorsChoice(named.supplements, found.supplements) : found.supplements;
      const topics = named.topics ? editorsChoice(named.topics, found.topics) : found.topics;
      const paired = named.supplements ? supplements : supplements.slice(0, VERTICAL_SUPPLEMENTS);
      const verticals = paired.flatMap(({ slug }) => topics.map((topic) => `${slug}-${topic.slug}`));
      return { supplements, topics, verticals: [...new Set(verticals)] };
    },
  };
};
