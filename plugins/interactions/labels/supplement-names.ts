/** Finds the supplements and foods of the vocabulary in a sentence of a label. */
import { foldName } from '#core/search/name-fold.ts';
import { pagelessSubstances, type Terms } from '#plugins/vocabulary/index.ts';
import type { DrugBook } from '../drugs/drug-book.ts';
import { drugNamed } from '../rules/cross-check.ts';

const MINERALS = ['calcium', 'iron', 'magnesium', 'zinc'];

/** Terms with which labels refer to groups of supplements, and the members that are in our vocabulary. */
const GROUPS: Readonly<Record<string, readonly string[]>> = {
  'polyvalent cation': MINERALS,
  'multivalent cation': MINERALS,
  'divalent cation': MINERALS,
  'trivalent cation': ['iron'],
  'metal cation': MINERALS,
  'mineral supplement': MINERALS,
  antacid: ['calcium', 'magnesium'],
  ferrous: ['iron'],
  'iron salt': ['iron'],
  'salt substitute': ['potassium'],
  coffee: ['caffeine'],
  'caffeinated beverage': ['caffeine'],
  'multiple vitamin': ['multivitamin'],
  'vitamin supplement': ['multivitamin'],
};

/** Words that mean medicines, excipients or parts of the body in labels; there a supplement goes by another of its names. */
const NOT_NAMES = new Set(
  'water sugar starch talc gelatin glucose lactose sucrose dextrose alcohol nitrate gaba'.split(' '),
);

/**
 * Phrases that contain a name of the vocabulary but do not mean an intake. Words are folded: no capitals, hyphens or apostrophes.
 */
const SOMETHING_ELSE = new RegExp(
  [
    '(?:calcium|potassium|sodium|magnesium) channels?',
    'calcium (?:antagonists?|entry|sensing)',
    '(?:folic acid|folate|vitamin k) (?:antagonists?|analogs?)',
    '(?:potassium|calcium|magnesium) (?:sparing|lowering|conserving|stearate|sorbate)',
    '(?:iron|ferric|zinc|magnesium) oxide',
    'creatine (?:phospho)?kinase',
    'collagen (?:vascular|diseases?)',
    '(?:radioactive|protein bound|povidone|radio) iodine|iodine (?:131|125|123)|mg iodine',
    'organic nitrates?',
    // A laboratory value, or the amount in the body.
    '(?:serum|plasma|blood|urine|urinary|intracellular|total body|corrected|low) (?:calcium|potassium|magnesium|phosphorus|iron|zinc|sodium|copper|folate)',
    '(?:calcium|potassium|magnesium|phosphorus|iron|zinc|sodium) (?:levels?|concentrations?|homeostasis|deficiency|overload|burden|stores)',
  ].join('|'),
  'g',
);

/** Minerals at the end of medicine names: losartan potassium, warfarin sodium. */
const SALTS = new Set(['calcium', 'potassium', 'magnesium', 'zinc', 'sodium']);
/** Thousands of names contain sodium; it counts only in the sense of intake. */
const EATEN = /\b(?:dietary|intake|diet|rich|restricted|salt|supplements?)\b/;

export type NameFinder = (sentence: string) => readonly string[];

/** Folds "CoQ10", "Co Q 10" and "co-enzyme Q10" to one spelling. */
const foldWords = (text: string): string =>
  foldName(text)
    .replace(/\bco enzyme\b/g, 'coenzyme')
    .replace(/(?<=[a-z])(?=\d)|(?<=\d)(?=[a-z])/g, ' ');

const wordCount = (folded: string): number => folded.split(' ').length;

/** Letters outside ASCII: only folding shows which word they form. */
const FOREIGN = /[^\p{ASCII}\p{P}\p{S}\s]/u;

/** Builds a cheap filter that runs before a sentence is folded, because most of a label names no supplement. */
const wordFilter = (firstWords: readonly string[]): ((sentence: string) => boolean) => {
  const known = new Set([...firstWords, 'vit', 'co', 'coenzyme', 'fibre', 'haem']);
  return (sentence) =>
    FOREIGN.test(sentence) || (sentence.toLowerCase().match(/[a-z]+|\d+/g) ?? []).some((word) => known.has(word));
};

/**
 * Returns the names that a label may use for each supplement and food. Medicines found as adulterants count as medicines here.
 */
const namesOf = (terms: Terms, drugs: DrugBook): readonly (readonly [name: string, slug: string])[] => [
  ...[...terms.supplements.values()].flatMap(({ slug, name, latinName, synonyms }) =>
    [name, latinName, ...synonyms].filter(Boolean).map((one) => [one, slug] as const),
  ),
  ...pagelessSubstances(terms)
    .filter(({ kind, name }) => kind === 'food' || (!/additive|adulterant/.test(kind) && !drugNamed(drugs, name)))
    .flatMap(({ slug, name, synonyms }) => [name, ...synonyms].map((one) => [one, slug] as const)),
];

/** Compiles the vocabulary once; the finder then returns the slugs in a sentence, each once. */
export const buildNameFinder = (terms: Terms, drugs: DrugBook): NameFinder => {
  const slugs = new Map<string, Set<string>>();
  /** Number of words of the longest name that begins with a given word. */
  const longest = new Map<string, number>();
  const add = (name: string, slug: string): void => {
    const folded = foldWords(name);
    // Short names are mostly abbreviations of something else: ALA, SAM, PEA.
    if (folded.length < 4 || NOT_NAMES.has(folded)) return;
    for (const form of [folded, `${folded}s`]) {
      const first = form.split(' ')[0] ?? '';
      slugs.set(form, (slugs.get(form) ?? new Set()).add(slug));
      longest.set(first, Math.max(longest.get(first) ?? 0, wordCount(form)));
    }
  };
  for (const [name, slug] of namesOf(terms, drugs)) add(name, slug);
  const known = new Set([...terms.supplements.keys(), ...terms.substances.keys()]);
  for (const [group, members] of Object.entries(GROUPS))
    for (const slug of members) if (known.has(slug)) add(group, slug);
  const mayName = wordFilter([...longest.keys()]);
  const medicines = new Set([...drugs.all()].flatMap(({ name }) => foldName(name).split(' ').at(-1) ?? []));
  const isSalt = (token: string, before: string): boolean =>
    SALTS.has(token) && !SALTS.has(before) && !slugs.has(before) && medicines.has(before);
  return (sentence) => {
    if (!mayName(sentence)) return [];
    const folded = foldWords(sentence).replace(SOMETHING_ELSE, ' ');
    const tokens = folded.split(' ').filter(Boolean);
    const found = new Set<string>();
    for (let at = 0; at < tokens.length; at += 1) {
      for (let count = longest.get(tokens[at] ?? '') ?? 0; count > 0; count -= 1) {
        const hit = slugs.get(tokens.slice(at, at + count).join(' '));
        if (!hit) continue;
        if (count > 1 || !isSalt(tokens[at] ?? '', tokens[at - 1] ?? '')) for (const slug of hit) found.add(slug);
        at += count - 1;
        break;
      }
    }
    if (found.has('sodium') && !EATEN.test(folded)) found.delete('sodium');
    return [...found].sort();
  };
};
