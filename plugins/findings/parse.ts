/** Parses one finding from named values: a row of a table, an object of JSON Lines, or an entry of front matter. Pure. */
import {
  BIASES,
  FINDING_CERTAINTIES,
  FINDING_DESIGNS,
  FINDING_DIRECTIONS,
  FINDING_MEASURES,
  type Finding,
  IMPORTANCES,
  PEOPLE,
  type Use,
} from './vocabulary.ts';

export type Values = Readonly<Record<string, unknown>>;

/** Error that names the invalid field. */
export class FindingMistake extends Error {
  readonly field: string;
  constructor(field: string, message: string) {
    super(`${field}: ${message}`);
    this.field = field;
  }
}

/** Slugs that a finding may refer to. */
export interface KnownSlugs {
  readonly supplements: { has(slug: string): boolean };
  readonly topics: { has(slug: string): boolean };
  readonly conditions: { has(slug: string): boolean };
}

const LONGEST = 2_000;

const text = (values: Values, field: string): string => {
  const value = values[field];
  if (value === undefined || value === null) return '';
  if (typeof value !== 'string' && typeof value !== 'number') throw new FindingMistake(field, 'should be text');
  const found = String(value).trim();
  if (found.length > LONGEST) throw new FindingMistake(field, `is longer than ${LONGEST} characters`);
  return found;
};

const required = (values: Values, field: string): string => {
  const found = text(values, field);
  if (!found) throw new FindingMistake(field, 'is missing');
  return found;
};

/** Parses a number; accepts a true minus sign (U+2212) and thousands separators between digits. */
const number = (values: Values, field: string): number | null => {
  const found = text(values, field)
    .replace('−', '-')
    .replace(/(?<=\d),(?=\d{3}\b)/g, '');
  if (!found) return null;
  if (!/^[-+]?\d+(\.\d+)?$/.test(found)) throw new FindingMistake(field, `"${found}" is not a number`);
  return Number(found);
};

const count = (values: Values, field: string): number | null => {
  const found = number(values, field);
  if (found !== null && (found < 0 || !Number.isInteger(found)))
    throw new FindingMistake(field, `"${found}" is not a whole number`);
  return found;
};

const word = <T extends string>(values: Values, field: string, words: readonly T[]): T | '' => {
  const found = text(values, field);
  if (!found) return '';
  const known = words.find((one) => one === found);
  if (!known) throw new FindingMistake(field, `"${found}" is none of ${words.join(', ')}`);
  return known;
};

const requiredWord = <T extends string>(values: Values, field: string, words: readonly T[]): T => {
  const found = word(values, field, words);
  if (!found) throw new FindingMistake(field, `is missing; it is one of ${words.join(', ')}`);
  return found;
};

const SOURCE = /^(pmid:[1-9]\d{0,8}|doi:10\.\d{4,9}\/\S{1,200}|https:\/\/[a-z0-9.-]{4,100}\/[^\s#]{0,200})$/;
const IS_ADDRESS = /^https:/;

/** Reads the source from `source`, or from `doi` or `pmid`, as the tables of reviews name it. */
const readSource = (values: Values): string => {
  const [given, doi, pmid] = [text(values, 'source'), text(values, 'doi'), text(values, 'pmid')];
  const source =
    given.replace(/^doi:.*/, (text) => text.toLowerCase()) ||
    (pmid ? `pmid:${pmid}` : doi ? `doi:${doi.toLowerCase()}` : '');
  if (!SOURCE.test(source))
    throw new FindingMistake('source', `"${source}" is no pmid:…, no doi:… and no https:// address`);
  return source;
};

const readRow = (values: Values): string => {
  const [table, row] = [text(values, 'table'), text(values, 'row')];
  return [table, row].filter(Boolean).join('.') || '1';
};

/** Reads the effect and checks that the estimate lies within its interval. */
const readEffect = (values: Values): Pick<Finding, 'measure' | 'estimate' | 'low' | 'high' | 'unit'> => {
  const measure = word(values, 'measure', FINDING_MEASURES);
  const [estimate, low, high] = [number(values, 'estimate'), number(values, 'low'), number(values, 'high')];
  if (estimate !== null && !measure) throw new FindingMistake('measure', 'is missing beside an estimate');
  if ((low === null) !== (high === null)) throw new FindingMistake('low', 'an interval has two ends');
  if (low !== null && high !== null && (low > high || (estimate !== null && (estimate < low || estimate > high))))
    throw new FindingMistake('estimate', `${estimate} is not between ${low} and ${high}`);
  if (estimate !== null && ['RR', 'OR', 'HR', 'rate'].includes(measure) && estimate <= 0)
    throw new FindingMistake('estimate', 'a ratio is above 0');
  return { measure, estimate, low, high, unit: text(values, 'unit') };
};

/** A condition that has no page. */
const OTHER = /^other:[a-z0-9-]{1,100}$/;

/** Checks that only an authority's page has a URL as its source, and that it states no benefit: a benefit requires a study. */
const checkAuthority = ({ source, design, direction }: Finding): void => {
  if (IS_ADDRESS.test(source) !== (design === 'authority'))
    throw new FindingMistake('design', 'is "authority" where the source is an address, and only there');
  if (design === 'authority' && direction === 'better')
    throw new FindingMistake(
      'direction',
      'of an authority’s page is not "better": a benefit needs a study as its source',
    );
};

const checkSlugs = (finding: Finding, known: KnownSlugs): void => {
  for (const slug of finding.supplements)
    if (!known.supplements.has(slug)) throw new FindingMistake('supplement', `no supplement is called "${slug}"`);
  if (!known.topics.has(finding.topic)) throw new FindingMistake('topic', `no topic is called "${finding.topic}"`);
  if (finding.condition && !OTHER.test(finding.condition) && !known.conditions.has(finding.condition))
    throw new FindingMistake('condition', `no condition is called "${finding.condition}"`);
};

/**
 * Parses a finding.
 * @throws FindingMistake naming the field that is missing, malformed or unknown to `known`.
 */
export const parseFinding = (values: Values, known: KnownSlugs): Finding => {
  const source = readSource(values);
  const supplements = [
    ...new Set(
      required(values, 'supplement')
        .split('+')
        .map((slug) => slug.trim()),
    ),
  ];
  const topic = required(values, 'topic');
  const year = count(values, 'year');
  const finding: Finding = {
    id: `${source}#${readRow(values)}`,
    source,
    title: required(values, 'title'),
    year,
    journal: text(values, 'journal'),
    firstAuthor: text(values, 'first_author'),
    design: requiredWord(values, 'design', FINDING_DESIGNS),
    use: (word(values, 'use', ['main', 'subgroup', 'unmapped'] satisfies Use[]) || 'main') as Use,
    supplements,
    topic,
    vertical: supplements.length === 1 ? `${supplements[0]}-${topic}` : '',
    people: requiredWord(values, 'people', PEOPLE),
    condition: text(values, 'condition'),
    population: required(values, 'population'),
    comparator: text(values, 'comparator'),
    dose: text(values, 'dose'),
    followUp: text(values, 'follow_up'),
    outcome: required(values, 'outcome'),
    betterWhen: word(values, 'better_when', ['higher', 'lower']),
    ...readEffect(values),
    riskWithout: number(values, 'risk_without'),
    riskWith: number(values, 'risk_with'),
    participants: count(values, 'participants'),
    participantsAtLeast: count(values, 'participants_at_least'),
    studies: count(values, 'studies'),
    certainty: word(values, 'certainty', FINDING_CERTAINTIES),
    bias: word(values, 'bias', BIASES),
    i2: number(values, 'i2'),
    direction: requiredWord(values, 'direction', FINDING_DIRECTIONS),
    importance: requiredWord(values, 'importance', IMPORTANCES),
    summary: required(values, 'summary'),
    doubtful: text(values, 'doubtful') === '1',
  };
  checkAuthority(finding);
  checkSlugs(finding, known);
  return finding;
};
