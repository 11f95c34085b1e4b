/**
 * Reads the details of an abstract other than the direction. Each value has its sentence and the probability that it is right.
 */
import { type Static, Type } from 'typebox';
import type { Reading } from '../grading/reading.ts';
import type { SourceRecord } from '../source-record.ts';
import { MEASURED_DETAILS } from './calibration.ts';
import type { AbstractReader, Outcome, OutcomeFinding } from './reading.ts';
import { findObstacle } from './record-guards.ts';
import { type Sentence, splitAbstract } from './sentences.ts';
import { readArms, readHarms } from './study-arms.ts';

const sentence = Type.Integer({
  minimum: 1,
  description: 'The sentence of the abstract that states it, counted from 1.',
});
const probability = Type.Number({ minimum: 0, maximum: 1, description: 'How likely the value is right.' });
const stated = <Value extends ReturnType<typeof Type.String> | ReturnType<typeof Type.Integer>>(value: Value) =>
  Type.Union([Type.Object({ value, sentence, probability }), Type.Null()]);
const nullableNumber = Type.Union([Type.Number(), Type.Null()]);

export const EffectSizeRead = Type.Object({
  measure: Type.String({ description: '`HR`, `OR`, `RR`, `RD`, `MD`, `SMD`, `WMD` or `percent`.' }),
  value: Type.Number(),
  low: nullableNumber,
  high: nullableNumber,
  unit: Type.String(),
  probability,
});

export const OutcomeRead = Type.Object({
  topic: Type.String(),
  outcome: Type.String({ description: 'The term that the abstract uses.' }),
  effect: Type.String({ enum: ['increased', 'decreased', 'no_difference'], description: 'Against the comparator.' }),
  for_the_person: Type.String({ enum: ['better', 'worse', 'no_difference'] }),
  size: Type.Union([EffectSizeRead, Type.Null()]),
  sentence,
  probability,
});

/** The details read in an abstract; `null` and empty lists mean "not stated, or the program abstains". */
export const ReadDetails = Type.Object({
  sentences: Type.Integer({ description: 'Into how many sentences the program split the abstract.' }),
  sample_size: stated(Type.Integer()),
  population: stated(Type.String()),
  comparator: stated(Type.String({ enum: ['placebo'] })),
  dose: stated(Type.String()),
  duration: stated(Type.String()),
  outcomes: Type.Array(OutcomeRead),
  harms: Type.Array(
    Type.Object({
      value: Type.String({
        enum: ['more', 'no_difference', 'none_reported'],
        description:
          '`more`: more harm than with the comparator. An abstract that says nothing of harms has no entry, which does not mean safe.',
      }),
      sentence,
      probability,
    }),
  ),
});
export type ReadDetails = Static<typeof ReadDetails>;

export interface Asked {
  /** Names of the main supplement, the usual name first. */
  readonly interventions: readonly string[];
  /** The topics that the record matches. */
  readonly outcomes: readonly Outcome[];
}

const place = <Value>(
  found: { readonly value: Value; readonly sentence: number } | null,
  right: number,
): { value: Value; sentence: number; probability: number } | null =>
  found && { value: found.value, sentence: found.sentence + 1, probability: right };

/**
 * Returns the index of the first sentence that contains a number, written as in the text: "1,234" or "1234"; -1 when there is
 * none.
 */
const findNumber = (sentences: readonly Sentence[], number: number | null): number => {
  if (number === null) return -1;
  const pattern = new RegExp(`(?<![\\d.,])(?:${number}|${number.toLocaleString('en-US')})(?![\\d.]\\d|\\d)`);
  return sentences.findIndex(({ text }) => pattern.test(text));
};

/** Returns the index of the first sentence that contains every word of a phrase; -1 when there is none. */
const findWords = (sentences: readonly Sentence[], phrase: string): number => {
  const words = phrase.toLowerCase().match(/[\p{L}\d]+/gu) ?? [];
  if (!words.length) return -1;
  return sentences.findIndex(({ text }) => {
    const own = new Set(text.toLowerCase().match(/[\p{L}\d]+/gu) ?? []);
    return words.every((word) => own.has(word));
  });
};

const located = <Value>(value: Value, at: number, right: number) =>
  at < 0 ? null : { value, sentence: at + 1, probability: right };

const outcomeOf = (
  { key, outcome, effect, forThePerson, passage, probability: right, size }: OutcomeFinding,
  sentences: readonly Sentence[],
): Static<typeof OutcomeRead> => ({
  topic: key,
  outcome,
  effect,
  for_the_person: forThePerson,
  size: size && { ...size, probability: MEASURED_DETAILS.size },
  sentence: sentences.findIndex(({ start }) => start === passage.start) + 1,
  probability: Math.round(right * 100) / 100,
});

/**
 * Reads an abstract in detail. Linear in its length; null for records whose abstract does not report results in English
 * (protocols, notices, letters).
 */
export const readDetails = (
  record: Pick<SourceRecord, 'title' | 'abstract'>,
  { size, population }: Pick<Reading, 'size' | 'population'>,
  asked: Asked,
  reader: AbstractReader,
): ReadDetails | null => {
  const sentences = splitAbstract(record.abstract);
  if (findObstacle(record, sentences) !== null) return null;
  const names = asked.interventions.map((name) => name.toLowerCase());
  const { comparator, dose, duration } = readArms(sentences, names);
  return {
    sentences: sentences.length,
    sample_size: size.n === null ? null : located(size.n, findNumber(sentences, size.n), MEASURED_DETAILS.sampleSize),
    population: located(population, findWords(sentences, population), MEASURED_DETAILS.population),
    comparator: place(comparator, MEASURED_DETAILS.comparator),
    dose: place(dose, MEASURED_DETAILS.dose),
    duration: place(duration, MEASURED_DETAILS.duration),
    outcomes: reader.read(record, asked).map((finding) => outcomeOf(finding, sentences)),
    harms: readHarms(sentences).map(({ value, sentence: at }) => ({
      value,
      sentence: at + 1,
      probability: MEASURED_DETAILS.harms[value],
    })),
  };
};

/**
 * Returns the text of each sentence that a reading refers to, by sentence number, up to `mostWords` words in total; sentences
 * that do not fit are left out.
 */
export const passagesOf = (details: ReadDetails, abstract: string, mostWords: number): Record<string, string> => {
  const sentences = splitAbstract(abstract);
  // The abstract is not stored, or is a different version from the one that was read.
  if (sentences.length !== details.sentences) return {};
  const { outcomes, harms, ...single } = details;
  const named = [
    ...outcomes,
    ...harms,
    ...[single.dose, single.duration, single.sample_size, single.population, single.comparator].filter(
      (one) => one !== null,
    ),
  ];
  const shown: Record<string, string> = {};
  let left = mostWords;
  for (const { sentence: number } of named) {
    const found = sentences[number - 1];
    if (!found || shown[number] !== undefined) continue;
    const text = abstract.slice(found.start, found.end);
    const words = text.split(/\s+/).length;
    if (words > left) continue;
    left -= words;
    shown[number] = text;
  }
  return shown;
};
