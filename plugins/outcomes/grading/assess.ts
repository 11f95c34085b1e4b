/** Assesses a supplement and outcome in each population: by findings where there are any, else by what was read in sources. Pure. */
import type { Finding } from '#plugins/findings/index.ts';
import { assessFindings } from './assess-findings.ts';
import type { Assessment } from './assessment.ts';
import { cap, certaintyOf } from './certainty.ts';
import { countedOf, figuresOf } from './figures.ts';
import { lowerOf } from './finding-certainty.ts';
import { magnitudeOf } from './magnitude.ts';
import { CEILINGS, CERTAINTIES, MEASUREMENT_TOPICS } from './method.ts';
import {
  type ConditionFinder,
  distanceFrom,
  keyOf,
  type Population,
  populationOfFinding,
  populationOfSource,
} from './population.ts';
import { isPooled, type OutcomeClaim, type OutcomeSource } from './source.ts';
import { type Verdict, verdictOf } from './verdict.ts';
import { weigh } from './weigh.ts';

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
}

/** One trial that only a program has read is too little to assess a question by. */
const isEnough = (judged: readonly { readonly source: OutcomeSource; readonly verdict: Verdict }[]): boolean => {
  const definite = judged.filter(({ verdict }) => verdict.direction !== 'unclear');
  return definite.some(({ source, verdict }) => verdict.basis !== 'program' || isPooled(source)) || definite.length > 1;
};

const assessSources = (
  population: Population,
  sources: readonly OutcomeSource[],
  { supplement, topic, claims }: AssessmentInput,
): Assessment | null => {
  const judged = sources.map((source) => ({ source, verdict: verdictOf(source, { supplement, topic }, claims) }));
  if (!isEnough(judged)) return null;
  const weighing = weigh(topic, judged, claims);
  if (weighing.direction === 'unclear' || (weighing.direction === 'mixed' && weighing.programOnly)) return null;
  const question = { supplement, topic, measurement: MEASUREMENT_TOPICS.includes(topic) };
  const figures = figuresOf(question, sources, weighing);
  const rated = certaintyOf(question, weighing, figures);
  const { start, downgrades } = rated;
  const caps = [...rated.caps, cap('no_finding')];
  const certainty = lowerOf(rated.certainty, CEILINGS.no_finding.ceiling);
  const isFirm = ![...downgrades, ...caps].some(({ code }) =>
    ['imprecision', 'imprecision_serious', 'one_study'].includes(code),
  );
  return {
    population,
    basis: 'sources',
    direction: weighing.direction,
    certainty,
    magnitude: magnitudeOf(question, weighing, isFirm),
    summary: '',
    lead: '',
    people: figures.people.count,
    studies: figures.studies,
    outcomes: [],
    harms: [],
    compared: [],
    reasons: [{ code: `start_${start.certainty}`, steps: 0, text: start.text }, ...downgrades],
    caps,
  };
};

/** The leading population first: findings before sources, answers before silence, then nearest to what the topic means, then surest. */
const byLead =
  (topic: string, own: ReadonlySet<string>) =>
  (a: Assessment, b: Assessment): number => {
    const isSilent = ({ direction, certainty }: Assessment): number =>
      Number(direction === 'unclear' && certainty === 'very_low');
    const isFromSources = ({ basis }: Assessment): number => Number(basis === 'sources');
    return (
      isFromSources(a) - isFromSources(b) ||
      isSilent(a) - isSilent(b) ||
      distanceFrom(topic, a.population, own) - distanceFrom(topic, b.population, own) ||
      CERTAINTIES.indexOf(a.certainty) - CERTAINTIES.indexOf(b.certainty) ||
      (b.people ?? 0) - (a.people ?? 0) ||
      (keyOf(a.population) < keyOf(b.population) ? -1 : 1)
    );
  };

/** Every population that is assessed, the leading one first; empty when the question is not assessed. */
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
  return [...assessed, ...rest].sort(byLead(topic, ownConditions));
};
