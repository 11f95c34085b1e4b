/** Invented findings: raw values, tables of raw values, and parsed findings. */
import type { Finding } from '#plugins/findings/index.ts';
import type { Values } from '#plugins/findings/parse.ts';

/** Returns the values of a valid row; sources are in the fictitious range 991xxxxx. */
export const madeValues = (fields: Values = {}): Values => ({
  source: 'pmid:99130001',
  row: '1',
  use: 'main',
  reason: '',
  supplement: 'zinc',
  topic: 'colds',
  people: 'adults',
  condition: '',
  population: 'invented adults',
  comparator: 'placebo',
  outcome: 'length of a cold',
  better_when: 'lower',
  measure: 'MD',
  estimate: '-1.5',
  low: '-2',
  high: '-1',
  unit: 'days',
  participants: '1200',
  studies: '6',
  certainty: 'moderate',
  direction: 'better',
  importance: 'critical',
  summary: 'Zinc shortened invented colds by a day and a half.',
  design: 'meta-analysis',
  title: 'Zinc for invented colds',
  year: '2020',
  journal: 'Journal of Invented Nutrition',
  first_author: 'Maker',
  ...fields,
});

/** Returns a tab-separated table with the columns of the first row. */
export const madeTable = (...rows: readonly Values[]): string => {
  const columns = Object.keys(rows[0] ?? madeValues());
  return [columns, ...rows.map((row) => columns.map((column) => String(row[column] ?? '')))]
    .map((cells) => `${cells.join('\t')}\n`)
    .join('');
};

let made = 0;

/** Returns a finding with a unique source; by default the source is a review that rates its certainty. */
export const madeFinding = (fields: Partial<Finding> = {}): Finding => {
  made += 1;
  const source = fields.source ?? `pmid:${99_140_000 + made}`;
  return {
    id: `${source}#${made}`,
    source,
    title: 'Zinc for invented colds',
    year: 2020,
    journal: 'Journal of Invented Nutrition',
    firstAuthor: 'Maker',
    design: 'meta-analysis',
    use: 'main',
    supplements: ['zinc'],
    topic: 'colds',
    vertical: 'zinc-colds',
    people: 'adults',
    condition: '',
    population: 'invented adults',
    comparator: 'placebo',
    dose: '',
    followUp: '',
    outcome: 'length of a cold',
    betterWhen: 'lower',
    measure: 'SMD',
    estimate: -0.3,
    low: -0.5,
    high: -0.1,
    unit: '',
    riskWithout: null,
    riskWith: null,
    participants: 1_200,
    participantsAtLeast: null,
    studies: 6,
    certainty: 'moderate',
    bias: '',
    i2: null,
    direction: 'better',
    importance: 'critical',
    summary: 'Zinc shortened invented colds.',
    doubtful: false,
    ...fields,
  };
};
