/** Selects the supplements that a record is about: those that were given or taken, not those that are only named. */
import type { SourceRecord } from '../source-record.ts';
import { EATEN_NEXT } from './exclusions.ts';
import type { Fields, Finding } from './fields.ts';
import { givenFeatures, readCues } from './given-features.ts';
import { givenModel, probabilityOfGiven } from './given-model.ts';
import { namedByRules } from './name-rules.ts';
import { TermTrie } from './trie.ts';
import type { Entry, Match, SupplementTerms, Where } from './vocabulary.ts';

/** Maximum number of supplements for a record. A record that names more is a list, and is about none of them in particular. */
const MOST_SUPPLEMENTS = 12;

/** Returns the terms that name a supplement. Its forms ("Oxide", "Capsules") are too general on their own and are left out. */
const supplementTerms = ({ name, latinName, synonyms }: SupplementTerms): string[] =>
  [name, latinName, ...synonyms].filter((term) => term.trim().length > 1).flatMap((term) => [term, ...singular(term)]);

const singular = (term: string): string[] => (/[a-z]{4}[^sui]s$/.test(term) ? [term.slice(0, -1)] : []);

/** Adds the names of supplements to a trie. */
export const addSupplements = (trie: TermTrie<Entry>, supplements: readonly SupplementTerms[]): void => {
  for (const supplement of supplements) {
    const full: Entry = { kind: 'supplement', slug: supplement.slug, acronym: false };
    const acronym: Entry = { ...full, acronym: true };
    for (const term of supplementTerms(supplement)) trie.add(term, /^[A-Z]{2,5}$/.test(term) ? acronym : full);
  }
};

/** Builds a trie of the names of supplements only. */
export const supplementTrie = (supplements: readonly SupplementTerms[]): TermTrie<Entry> => {
  const trie = new TermTrie<Entry>();
  addSupplements(trie, supplements);
  return trie;
};

/**
 * Returns whether a mention is an acronym without a word of intake after it. NAC also means a chemotherapy before surgery, so an
 * acronym counts only together with the full name or as something eaten.
 */
const isBareAcronym = ({ entry, tokens, to }: Finding): boolean =>
  entry.acronym && !EATEN_NEXT.has(tokens[to]?.word ?? '');

const RANK: Readonly<Record<Where, number>> = { title: 0, terms: 1, abstract: 2 };

const firstPlace = (mentions: readonly Finding[]): Where =>
  mentions.reduce<Where>((first, { where }) => (RANK[where] < RANK[first] ? where : first), 'abstract');

const strength = (mentions: readonly Finding[]): number => {
  const count = (where: Where): number => mentions.filter((mention) => mention.where === where).length;
  const conclusion = mentions.filter(({ inConclusion }) => inConclusion).length;
  return (count('title') ? 10 : 0) + Math.min(count('terms'), 2) * 2 + Math.min(count('abstract'), 6) + conclusion;
};

/** Returns the supplements that a text without an abstract names, such as a title or a question, strongest first. */
export const namedSupplements = (fields: Fields): Match[] => {
  const mentions = Map.groupBy(fields.findings, ({ entry }) => entry.slug);
  return [...namedByRules(fields)]
    .map(([slug, where]) => ({ slug, where, strength: strength(mentions.get(slug) ?? []) }))
    .sort((left, right) => right.strength - left.strength || (left.slug < right.slug ? -1 : 1))
    .map(({ slug, where }) => ({ slug, where }));
};

/**
 * Returns the supplements that were given or taken in a study, strongest first. A model decides when the record has an abstract;
 * the rules for names decide when it has none.
 */
export const rankSupplements = (record: SourceRecord, fields: Fields): Match[] => {
  if (!fields.hasAbstract) return namedSupplements(fields).slice(0, MOST_SUPPLEMENTS);
  const found = fields.findings.filter(({ entry }) => entry.kind === 'supplement');
  if (!found.length) return [];
  const mentions = Map.groupBy(found, ({ entry }) => entry.slug);
  for (const [slug, mine] of mentions) if (mine.every(isBareAcronym)) mentions.delete(slug);
  const about = { cues: readCues(record, fields), named: mentions.size, total: found.length };
  const { threshold } = givenModel();
  return [...mentions]
    .map(([slug, mine]) => ({
      slug,
      where: firstPlace(mine),
      strength: strength(mine),
      probability: probabilityOfGiven(givenFeatures(slug, mine, fields, about)),
    }))
    .filter(({ probability }) => probability >= threshold)
    .sort((left, right) => right.strength - left.strength || (left.slug < right.slug ? -1 : 1))
    .slice(0, MOST_SUPPLEMENTS)
    .map(({ slug, where, probability }) => ({ slug, where, probability: Math.round(probability * 100) / 100 }));
};
