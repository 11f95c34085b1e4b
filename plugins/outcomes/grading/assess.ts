/**
 * Assesses a supplement and outcome in each population, by findings when there are any, otherwise by the directions read in
 * sources. Pure functions.
 */
import type { Finding } from '#plugins/findings/index.ts';
import { assessFindings } from './assess-findings.ts';
import type { Assessment } from './assessment.ts';
import { countedOf } from './figures.ts';
import { CERTAINTIES, FINDING_REASONS, MEASUREMENT_TOPICS } from './method.ts';
import {
  type ConditionFinder,
  distanceFrom,
  keyOf,
  type Population,
  populationOfFinding,
  populationOfSource,
} from './population.ts';
import type { OutcomeClaim, OutcomeSource } from './source.ts';
import { weighSources } from './weigh-sources.ts';

export interface AssessmentInput {
  readonly supplement: string;
  readonly topic: string;
  readonly findings: readonly Finding[];
  readonly sources: readonly OutcomeSource[];
  readonly claims: readonly OutcomeClaim[];
  readonly findCondition: ConditionFinder;
  /** Illnesses whose pages are about the topic. */
  readonly ownConditions: ReadonlySet<string>;
  readonly sourceIds: ReadonlyMap<string, string>;
  /** Day on which editors searched and found no sound study; "" when they did not search or found one. */
  readonly searchedOn?: string;
}

const assessSources = (
  population: Population,
  sources: readonly OutcomeSource[],
  { supplement, topic, claims }: AssessmentInput,
): Assessment | null => {
  const weighed = weighSources({ supplement, topic }, sources, claims);
  const { direction, magnitude, figures, reasons } = weighed;
  const isNoise = direction === 'unclear' || (direction === 'mixed' && weighed.programOnly);
  if (!weighed.isEnough || isNoise) return null;
  return {
    population,
    basis: 'sources',
    direction,
    certainty: weighed.certainty,
    magnitude,
    summary: '',
    lead: '',
    people: figures.people.count,
    studies: figures.studies,
    outcomes: [],
    harms: [],
    compared: [],
    combined: [],
    reasons,
    caps: weighed.caps,
  };
};

/**
 * Removes the direction of a benefit or of no effect at very low certainty, which means that the effect is unknown. A harm
 * remains, since a warning may rest on little evidence.
 */
const withoutGuess = (assessment: Assessment): Assessment => {
  const { certainty, direction, magnitude, reasons } = assessment;
  if (certainty !== 'very_low' || (direction !== 'positive' && direction !== 'null')) return assessment;
  // A review that rates itself is reported in GRADE's words: "may help, but the evidence is very uncertain".
  const [benefit, none] =
    assessment.basis === 'review'
      ? (['leans_benefit', 'leans_null'] as const)
      : (['very_low_benefit', 'very_low_null'] as const);
  const code = direction === 'positive' ? benefit : none;
  return {
    ...assessment,
    direction: 'unclear',
    magnitude: { ...magnitude, level: 'not_stated' },
    reasons: [...reasons, { code, ...FINDING_REASONS[code] }],
  };
};

/**
 * Orders assessments, the leading one first: findings before sources; populations that the topic is about before all others, even
 * without an answer; assessments with an answer before those without; then by distance of the population, then by certainty.
 */
const byLead =
  (topic: string, own: ReadonlySet<string>) =>
  (a: Assessment, b: Assessment): number => {
    const isSilent = ({ direction, certainty, basis }: Assessment): number =>
      Number(direction === 'unclear' && (certainty === 'very_low' || basis !== 'review'));
    const isFromSources = ({ basis }: Assessment): number => Number(basis === 'sources');
    const distance = ({ population }: Assessment): number => distanceFrom(topic, population, own);
    return (
      isFromSources(a) - isFromSources(b) ||
      Number(distance(a) > 0) - Number(distance(b) > 0) ||
      isSilent(a) - isSilent(b) ||
      distance(a) - distance(b) ||
      CERTAINTIES.indexOf(a.certainty) - CERTAINTIES.indexOf(b.certainty) ||
      (b.people ?? 0) - (a.people ?? 0) ||
      (keyOf(a.population) < keyOf(b.population) ? -1 : 1)
    );
  };

/** Assesses every population, the leading one first; returns an empty list when the question cannot be assessed. */
export const assess = (input: AssessmentInput): readonly Assessment[] => {
  const { topic, findings, sources, findCondition, ownConditions, sourceIds } = input;
  const question = { topic, isMeasurement: MEASUREMENT_TOPICS.includes(topic), sourceIds };
  const byFindings = Map.groupBy(findings, (finding) => keyOf(populationOfFinding(finding)));
  const bySources = Map.groupBy(countedOf(sources), (source) => keyOf(populationOfSource(source, findCondition)));
  const assessed = [...byFindings.values()].flatMap((mine) => {
    const [first] = mine;
    return first ? (assessFindings(populationOfFinding(first), mine, question) ?? []) : [];
  });
  const done = new Set(assessed.map(({ population }) => keyOf(population)));
  const rest = [...bySources].flatMap(([key, mine]) => {
    const [first] = mine;
    if (!first || done.has(key)) return [];
    return assessSources(populationOfSource(first, findCondition), mine, input) ?? [];
  });
  // When there are findings, sources of very low certainty would add a population without an answer.
  const telling = assessed.length ? rest.filter(({ certainty }) => certainty !== 'very_low') : rest;
  return [...assessed, ...telling].map(withoutGuess).sort(byLead(topic, ownConditions));
};
