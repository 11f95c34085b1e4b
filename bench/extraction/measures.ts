import { findBiasSignals } from '../../plugins/evidence/grading/bias-signals.ts';
import { grade } from '../../plugins/evidence/grading/grade.ts';
import type { Grading } from '../../plugins/evidence/grading/grading.ts';
import { readText } from '../../plugins/evidence/grading/record-text.ts';
import { detectSpecies } from '../../plugins/evidence/grading/species.ts';
import { detectDesign } from '../../plugins/evidence/grading/study-design.ts';
import type { SourceRecord } from '../../plugins/evidence/source-record.ts';
import type { Label } from './labels.ts';

/** The program's result for an article, with the manual label. */
export interface Pair {
  readonly label: Label;
  readonly grading: Grading;
  readonly doubleBlind: boolean;
}

export const pairOf = (label: Label, record: SourceRecord): Pair => {
  const text = readText(record);
  const design = detectDesign(record, text, detectSpecies(record, text));
  return {
    label,
    grading: grade(record),
    doubleBlind: findBiasSignals(record, text, design.kind).has('double_blind'),
  };
};

/** Returns the level that the grader should assign: animal and in-vitro studies have their own levels. */
const expectedLevel = ({ species, design }: Label): string => (species === 'human' ? design : species);

/** Returns the number that our sample size denotes: participants randomised, otherwise enrolled, otherwise analysed. */
export const expectedSize = ({ randomised, enrolled, analysed }: Label): number | null =>
  randomised ?? enrolled ?? analysed;

const TELLS_LITTLE = new Set(
  'with without from after before having having their among given people persons patients adults'.split(' '),
);
const stems = (text: string): string[] =>
  (text.toLowerCase().match(/[a-z]{4,}/g) ?? [])
    .filter((word) => !TELLS_LITTLE.has(word))
    .map((word) => word.replace('ae', 'e').slice(0, 5));

/** A measure; `counts` returns whether it applies to an article. */
export interface Measure {
  readonly name: string;
  readonly counts: (pair: Pair) => boolean;
  readonly right: (pair: Pair) => boolean;
}

const all = (): boolean => true;
const sized = ({ label }: Pair): boolean => expectedSize(label) !== null;
const isTrial = ({ label }: Pair): boolean => label.design === 'rct' && label.species !== 'in_vitro';
const saidPositive = ({ grading }: Pair): boolean => grading.direction === 'positive';

export const MEASURES: readonly Measure[] = [
  {
    name: 'design',
    counts: all,
    // A letter is "other" in the labels and an opinion in the grader.
    right: ({ label, grading }) => expectedLevel(label) === grading.evidenceLevel.replace('expert_opinion', 'other'),
  },
  { name: 'species', counts: all, right: ({ label, grading }) => label.species === grading.species },
  {
    name: 'sample size, exact',
    counts: sized,
    right: ({ label, grading }) => grading.sampleSizeN === expectedSize(label),
  },
  {
    name: 'sample size, within 5 %',
    counts: sized,
    right: ({ label, grading }) => near(grading.sampleSizeN, expectedSize(label)),
  },
  {
    name: 'sample size: randomised, enrolled or analysed',
    counts: sized,
    right: ({ label, grading }) =>
      [label.randomised, label.enrolled, label.analysed].some((n) => n !== null && n === grading.sampleSizeN),
  },
  {
    name: 'population: something said',
    counts: ({ label }) => label.species === 'human',
    right: ({ grading }) => grading.population !== '',
  },
  {
    name: 'population: shares a telling word',
    counts: ({ label }) => label.species === 'human',
    right: ({ label, grading }) => {
      const wanted = new Set(stems(label.population));
      return stems(grading.population).some((stem) => wanted.has(stem));
    },
  },
  {
    name: 'double-blind or not (randomised trials)',
    counts: isTrial,
    right: ({ label, doubleBlind }) => (label.doubleBlind === 'yes') === doubleBlind,
  },
  {
    name: 'direction, by the numbers',
    counts: all,
    right: ({ label, grading }) => label.direction === grading.direction,
  },
  {
    name: 'direction, by the conclusion',
    counts: all,
    right: ({ label, grading }) => label.conclusion === grading.direction,
  },
  {
    name: 'called positive, and the numbers bear it out',
    counts: saidPositive,
    right: ({ label }) => label.direction === 'positive',
  },
  {
    name: 'called positive, numbers null or harm (the fewer the better)',
    counts: saidPositive,
    right: ({ label }) => label.direction === 'null' || label.direction === 'negative',
  },
  {
    name: 'positive by the numbers, and called so',
    counts: ({ label }) => label.direction === 'positive',
    right: saidPositive,
  },
  { name: 'funding', counts: all, right: ({ label, grading }) => label.funding === grading.funding },
  {
    // The grader counts money only; the labels also count a product given by its maker, and say so in the note.
    name: 'funding, where no product was given',
    counts: ({ label }) => !/\b(?:given|provided|supplied)\b/.test(label.note),
    right: ({ label, grading }) => label.funding === grading.funding,
  },
];

const near = (said: number | null, read: number | null): boolean =>
  said !== null && read !== null && Math.abs(said - read) <= 0.05 * read;
