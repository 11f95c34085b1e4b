import { CALIBRATION } from './calibration.ts';
import { effectFeatures, verdictFeatures } from './features.ts';
import { parseModels, toProbabilities } from './linear-model.ts';
import { readFindings } from './outcome-findings.ts';
import { rankSentences } from './ranking.ts';
import type { AbstractReader, EffectProbabilities, Outcome, RecordToRead, VerdictDirection } from './reading.ts';
import { findObstacle } from './record-guards.ts';
import type { Prompt } from './roles.ts';
import { type Candidate, expandPrompt } from './select.ts';
import { type Sentence, splitAbstract } from './sentences.ts';

const LEAST_OVERLAP = 0.25;
const SENTENCES_READ = 3;
const DECIDED: readonly VerdictDirection[] = ['positive', 'negative', 'null'];
const NULL_TITLE =
  /\b(?:no (?:\w+ ){0,3}(?:effects?|benefits?|differences?|evidence|improvements?|impact|association)|(?:does|do|did) not (?:\w+ )?(?:improve|reduce|affect|prevent|increase|alter|enhance|change)|(?:is|are|was|were) not (?:effective|superior|better|associated)|ineffective|fails? to|lack of (?:effect|benefit))/i;

/** The result of the reader for one outcome of an abstract. */
export interface Reading {
  readonly effect: EffectProbabilities;
  readonly best: Candidate;
}

/** Builds the reader from the bytes of its model file and the weights that rank sentences. */
export const buildReader = (file: Uint8Array, ranking: readonly number[]): AbstractReader => {
  const [effectModel, verdictModel] = parseModels(file);
  if (!effectModel || !verdictModel) throw new Error('The reader model file lacks a model. Train it again.');

  const label = (prompt: Prompt, passage: string): EffectProbabilities => {
    const scores = effectModel(effectFeatures(prompt, passage));
    const [increased = 0, decreased = 0, none = 0] = toProbabilities(scores, CALIBRATION.effectTemperature);
    return { increased, decreased, none };
  };
  const readOutcome = (prompt: Prompt, sentences: readonly Sentence[], abstract: string): Reading | null => {
    const expanded = expandPrompt(prompt, abstract);
    const ranked = rankSentences(expanded, sentences, ranking)
      .toSorted((left, right) => right.chance - left.chance)
      .slice(0, SENTENCES_READ);
    const best = ranked[0]?.candidate;
    if (!best || Math.max(...ranked.map(({ candidate }) => candidate.overlap)) < LEAST_OVERLAP) return null;
    const total = ranked.reduce((sum, { chance }) => sum + chance, 0);
    const effect = { increased: 0, decreased: 0, none: 0 };
    for (const { candidate, chance } of ranked) {
      const one = label(expanded, candidate.sentence.text);
      for (const name of ['increased', 'decreased', 'none'] as const) effect[name] += (one[name] * chance) / total;
    }
    return { effect, best };
  };
  const directions = (record: RecordToRead, interventions: readonly string[], outcome: Outcome) => {
    const sentences = splitAbstract(record.abstract);
    if (findObstacle(record, sentences) !== null) return null;
    const asked = {
      intervention: interventions.slice(0, 2).join(', '),
      comparator: 'placebo or control',
      outcome: outcome.terms.slice(0, 6).join(', '),
    };
    const scores = verdictModel(verdictFeatures(asked, record));
    const [positive = 0, negative = 0, nothing = 0, mixed = 0] = toProbabilities(
      scores,
      CALIBRATION.verdictTemperature,
    );
    return { positive, negative, null: nothing, mixed };
  };
  return {
    label,
    labelInAbstract: (prompt, abstract) => {
      const sentences = splitAbstract(abstract);
      if (findObstacle({ title: '', abstract }, sentences) !== null) return null;
      const reading = readOutcome(prompt, sentences, abstract);
      if (!reading) return null;
      const { start, end } = reading.best.sentence;
      return { ...reading.effect, passage: { start, end } };
    },
    read: (record, question) => {
      const sentences = splitAbstract(record.abstract);
      if (findObstacle(record, sentences) !== null) return [];
      return readFindings(record, question, sentences, readOutcome);
    },
    directions,
    verdict: (record, interventions, outcome) => {
      const found = directions(record, interventions, outcome);
      if (!found) return null;
      const [direction, probability] = DECIDED.map((name) => [name, found[name]] as const).toSorted(
        (left, right) => right[1] - left[1],
      )[0]!;
      if (found.mixed >= CALIBRATION.verdictThresholds.mixed) return { direction: 'mixed', probability: found.mixed };
      // A benefit that the title denies gives no verdict, because one of the two refers to another outcome.
      if (direction === 'positive' && NULL_TITLE.test(record.title)) return null;
      if (probability < CALIBRATION.verdictThresholds[direction]) return null;
      return { direction, probability };
    },
  };
};
