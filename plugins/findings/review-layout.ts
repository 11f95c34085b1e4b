/**
 * Maps a row of a "Summary of findings" table (doi, table, comparison, population, intervention, comparator, outcome,
 * relative_effect, risk_control, risk_intervention, difference, participants, studies, grade) to our fields. Such a row does not
 * state whether a higher figure is better, so it is imported as `unmapped`: it is listed, but counts only after an editor maps
 * it.
 */
import type { TopicRow } from '#plugins/vocabulary/index.ts';
import type { Values } from './parse.ts';

export type ReviewTitles = ReadonlyMap<
  string,
  { readonly title: string; readonly year: string; readonly firstAuthor: string }
>;

export interface MapNames {
  /** Returns the slug for a name, or "" when it is unknown. */
  supplement(name: string): Promise<string>;
  readonly topics: readonly Pick<TopicRow, 'slug' | 'terms'>[];
}

const NUMBER = '[-−–]?\\d+(?:\\.\\d+)?';
const EFFECT = new RegExp(
  `^(RR|OR|HR|MD|SMD|Rate ratio)?\\s*(${NUMBER})\\s*\\(\\s*(?:95% CI:?\\s*)?(${NUMBER})\\s*(?:to|,|-|–)\\s*(${NUMBER})`,
  'i',
);

const toNumber = (text = ''): string => text.replace(/[−–]/, '-');

/** Parses a cell such as "RR 0.37 (0.07 to 1.9)"; returns empty values when the cell has another form. */
export const readEffectCell = (cell: string, fallback: string) => {
  const found = EFFECT.exec(cell.trim());
  if (!found) return { measure: '', estimate: '', low: '', high: '' };
  const measure = /rate/i.test(found[1] ?? '') ? 'rate' : (found[1] ?? fallback).toUpperCase();
  return { measure, estimate: toNumber(found[2]), low: toNumber(found[3]), high: toNumber(found[4]) };
};

const PER_THOUSAND = /^(\d+(?:\.\d+)?) per 1[, ]?000/;
const riskOf = (cell: string): string => PER_THOUSAND.exec(cell)?.[1] ?? '';

const LIFE_STAGES: readonly (readonly [RegExp, string])[] = [
  [/preterm|premature/i, 'preterm-infants'],
  [/newborn|neonat/i, 'newborns'],
  [/infant|bab(y|ies)/i, 'infants'],
  [/child|paediatric|pediatric/i, 'children'],
  [/adolescen/i, 'adolescents'],
  [/pregnan/i, 'pregnant-women'],
  [/breast-?feeding|lactating/i, 'breastfeeding-women'],
  [/postmenopausal/i, 'postmenopausal-women'],
  [/older|elderly/i, 'older-adults'],
];

const peopleIn = (population: string): string =>
  LIFE_STAGES.find(([pattern]) => pattern.test(population))?.[1] ?? 'adults';

const topicIn = (outcome: string, { topics }: MapNames): string => {
  const said = ` ${outcome.toLowerCase()} `;
  return topics.find(({ terms }) => terms.some((term) => said.includes(term.toLowerCase())))?.slug ?? '';
};

const cell = (values: Values, name: string): string => String(values[name] ?? '').trim();

const GRADES: Readonly<Record<string, string>> = { 'very low': 'very_low' };

/** Returns the mapped values, or `values` unchanged when they already name a supplement. */
export const mapReviewRow = async (values: Values, titles: ReviewTitles, names: MapNames): Promise<Values> => {
  if (cell(values, 'supplement') || !cell(values, 'intervention')) return values;
  const doi = cell(values, 'doi').toLowerCase();
  const about = titles.get(doi);
  const effect = readEffectCell(cell(values, 'relative_effect'), 'RR');
  const shown = effect.measure ? effect : readEffectCell(cell(values, 'difference'), 'MD');
  const grade = cell(values, 'grade').toLowerCase();
  return {
    doi,
    table: values.table,
    row: values.row,
    use: 'unmapped',
    title: about?.title ?? cell(values, 'comparison'),
    year: about?.year ?? '',
    first_author: about?.firstAuthor ?? '',
    journal: doi.startsWith('10.1002/14651858.') ? 'Cochrane Database of Systematic Reviews' : '',
    design: 'meta-analysis',
    supplement: await names.supplement(cell(values, 'intervention')),
    topic: topicIn(cell(values, 'outcome'), names),
    people: peopleIn(cell(values, 'population')),
    population: cell(values, 'population') || 'not stated',
    comparator: cell(values, 'comparator'),
    outcome: cell(values, 'outcome'),
    follow_up: cell(values, 'follow_up'),
    ...shown,
    risk_without: riskOf(cell(values, 'risk_control')),
    risk_with: riskOf(cell(values, 'risk_intervention')),
    participants: cell(values, 'participants'),
    studies: cell(values, 'studies'),
    certainty: GRADES[grade] ?? grade,
    direction: 'unclear',
    importance: 'important',
    summary: `${cell(values, 'intervention')} compared with ${cell(values, 'comparator') || 'no supplement'}: ${cell(values, 'outcome')}.`,
  };
};
