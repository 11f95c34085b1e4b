/** Describes the origin of a source's values in words, for pages. */
import type { Static } from 'typebox';
import type { Basis, BasisField } from '../grading/basis.ts';
import type { EffectSizeRead } from '../reading/details.ts';
import { isSure } from '../reading/is-sure.ts';
import type { TopicFinding } from '../source-record.ts';
import type { SourceRow } from '../source-view.ts';

const FIELD_WORDS: readonly (readonly [BasisField, string])[] = [
  ['design', 'design'],
  ['sample_size', 'number of people'],
  ['population', 'population'],
];

const percent = (probability: number): string => `${Math.round(probability * 100)} %`;

const byProgram = (bases: readonly (readonly [string, Basis])[]): string =>
  bases
    .map(([word, { probability }]) =>
      probability === null ? word : `${word} (right in about ${percent(probability)})`,
    )
    .join(', ');

/** Returns, for example, "Read by a program: number of people (right in about 82 %). From PubMed or a register: design." */
export const basisInWords = ({ basis }: Pick<SourceRow, 'basis'>): string => {
  const known = FIELD_WORDS.flatMap(([field, word]) => {
    const found = basis[field];
    return found ? [[word, found] as const] : [];
  });
  const of = (by: Basis['by']) => known.filter(([, found]) => found.by === by);
  const words = (by: Basis['by']): string =>
    of(by)
      .map(([word]) => word)
      .join(', ');
  return [
    of('program').length && `Read by a program: ${byProgram(of('program'))}.`,
    of('registry').length && `From PubMed or a register: ${words('registry')}.`,
    of('editor').length && `Read by an editor: ${words('editor')}.`,
  ]
    .filter(Boolean)
    .join(' ');
};

const MEASURE_WORDS: Readonly<Record<string, string>> = {
  HR: 'hazard ratio',
  OR: 'odds ratio',
  RR: 'risk ratio',
  RD: 'risk difference',
  MD: 'difference',
  SMD: 'standardised mean difference',
  WMD: 'weighted mean difference',
  percent: 'change',
};

/** Formats a figure with a minus sign instead of a hyphen. */
const figure = (value: number): string => String(value).replace('-', '−');

const sizeInWords = ({
  measure,
  value,
  low,
  high,
  unit,
}: Omit<Static<typeof EffectSizeRead>, 'probability'>): string => {
  const named = `${MEASURE_WORDS[measure] ?? measure} ${figure(value)}${unit ? ` ${unit}` : ''}`;
  return low === null || high === null ? named : `${named}, 95 % interval ${figure(low)} to ${figure(high)}`;
};

/**
 * Returns the details that a program read on one question, such as "As a program reads the abstract: dose 400 mg daily (right in
 * about 85 %); …"; "" when it read none.
 */
export const detailsInWords = ({ details }: Pick<SourceRow, 'details'>, { topic }: PageQuestion): string => {
  if (!details) return '';
  const { dose, duration, comparator } = details;
  const size = details.outcomes.find((outcome) => outcome.topic === topic)?.size ?? null;
  const told = [
    dose && `dose ${dose.value} (right in about ${percent(dose.probability)})`,
    duration && `given for ${duration.value} (${percent(duration.probability)})`,
    comparator && `against ${comparator.value} (${percent(comparator.probability)})`,
    size && `${sizeInWords(size)} (${percent(size.probability)})`,
  ].filter((part) => part !== null);
  return told.length ? `As a program reads the abstract: ${told.join('; ')}.` : '';
};

export interface PageQuestion {
  readonly supplement: string;
  readonly topic: string;
}

/** Returns the finding on a question: an editor's, otherwise a program's; undefined when neither exists. */
export const findingOn = (
  { findings }: Pick<SourceRow, 'findings'>,
  { supplement, topic }: PageQuestion,
): TopicFinding | undefined => {
  const mine = findings.filter(
    (finding) => finding.supplement === supplement && finding.topic === topic && isSure(finding),
  );
  return mine.find(({ by }) => by === 'editor') ?? mine[0];
};

/** Returns the suffix that states the uncertainty of a direction that a program read. */
export const doubtOf = ({ by, probability }: Pick<TopicFinding, 'by' | 'probability'>): string =>
  by === 'program' && probability !== null ? `, read by a program (right in about ${percent(probability)})` : '';
