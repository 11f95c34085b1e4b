/** Measures dose, duration, comparator, harms and effect sizes against abstracts that a language model read (details-*.tsv). */
import { readEffectSize } from '../../plugins/evidence/reading/effect-size.ts';
import { type Sentence, splitAbstract } from '../../plugins/evidence/reading/sentences.ts';
import { readArms, readHarms } from '../../plugins/evidence/reading/study-arms.ts';
import { type RecordText, readTable } from './data.ts';

interface Arms {
  readonly pmid: string;
  readonly half: string;
  readonly comparator: string;
  readonly dose: string;
  readonly duration: string;
  readonly harms: string;
}
interface OutcomeRow {
  readonly pmid: string;
  readonly half: string;
  readonly outcome: string;
  readonly measure: string;
  readonly value: string;
  readonly low: string;
  readonly high: string;
  readonly sentence: string;
}

const NUMBERS = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ');
const UNITS: readonly (readonly [RegExp, string])[] = [
  [/\b(?:wks?|weeks?)\b/g, 'week'],
  [/\b(?:mos?|months?)\b/g, 'month'],
  [/\b(?:d|days?)\b/g, 'day'],
  [/\b(?:y|yrs?|years?)\b/g, 'year'],
];

/** Normalizes a duration: "Eight-week", "8 wk" and "8 weeks" are equal. */
const nameTime = (text: string): string => {
  let plain = text
    .toLowerCase()
    .replace(/[-–]/g, ' ')
    .replace(/(\d)([a-z])/g, '$1 $2');
  NUMBERS.forEach((word, number) => {
    plain = plain.replace(new RegExp(`\\b${word}\\b`, 'g'), String(number));
  });
  for (const [pattern, unit] of UNITS) plain = plain.replace(pattern, unit);
  return plain.trim();
};
const firstNumber = (text: string): string =>
  /\d+(?:\.\d+)?/.exec(text.replace(/,/g, '').replace(/·/g, '.'))?.[0] ?? '';

/** Returns `right`, `wrong`, `invented` (a value although none is stated), `missed` or `neither`. */
const compare = (given: string, said: string | undefined, isSame: (one: string, said: string) => boolean): string => {
  if (said === undefined) return given === '' ? 'neither' : 'missed';
  if (given === '') return 'invented';
  return given.split(';').some((one) => isSame(one.trim(), said)) ? 'right' : 'wrong';
};

const countOf = (results: readonly string[], name: string): number => results.filter((one) => one === name).length;

const print = (field: string, results: readonly string[]): void => {
  const [right, wrong, invented] = ['right', 'wrong', 'invented'].map((name) => countOf(results, name)) as [
    number,
    number,
    number,
  ];
  const said = right + wrong + invented;
  const stated = results.length - countOf(results, 'neither') - invented;
  const share = (part: number, whole: number): string => (whole ? `${((100 * part) / whole).toFixed(0)} %` : '-');
  console.log(
    `  ${field.padEnd(26)} right ${right} of ${said} said (${share(right, said)}), ${share(right, stated)} of ${stated} stated; wrong ${wrong}, invented ${invented}`,
  );
};

/** Reduces harms to one word, as in the labels: "more" if any harm is more frequent, otherwise the first one. */
const harmOf = (sentences: readonly Sentence[]): string | undefined => {
  const found = readHarms(sentences).map(({ value }) => value);
  return found.includes('more') ? 'more' : found[0];
};

const compareSize = (row: OutcomeRow, sentences: readonly Sentence[]): string => {
  const size = readEffectSize(sentences[Number(row.sentence) - 1]?.text ?? '', row.outcome);
  if (row.measure === '' || row.value === '') return size ? 'invented' : 'neither';
  if (!size) return 'missed';
  const isValue = Math.abs(Math.abs(size.value) - Math.abs(Number(row.value))) < 1e-6;
  const isInterval =
    size.low === null || row.low === '' || (size.low === Number(row.low) && size.high === Number(row.high));
  return isValue && isInterval ? 'right' : 'wrong';
};

/** Prints how often each detail is correct, for the half with which the rules were written and for the other half. */
export const measureDetails = (abstracts: ReadonlyMap<string, RecordText>): void => {
  const arms = readTable<Arms>(new URL('details-arms.tsv', import.meta.url));
  const outcomes = readTable<OutcomeRow>(new URL('details-outcomes.tsv', import.meta.url));
  const sentencesOf = new Map([...abstracts].map(([pmid, { abstract }]) => [pmid, abstract] as const));
  for (const half of ['dev', 'test']) {
    const rows = arms.filter((row) => row.half === half && sentencesOf.has(row.pmid));
    console.log(
      `\nDetails, ${half === 'dev' ? 'abstracts the rules were written with' : 'unseen abstracts'}: ${rows.length}`,
    );
    const read = rows.map((row) => {
      const sentences = splitAbstract(sentencesOf.get(row.pmid)!);
      return { row, sentences, said: readArms(sentences) };
    });
    const equal = (one: string, said: string): boolean => one === said;
    print(
      'comparator',
      read.map(({ row, said }) => compare(row.comparator, said.comparator?.value, equal)),
    );
    print(
      'dose',
      read.map(({ row, said }) =>
        compare(
          row.dose,
          said.dose?.value,
          (one, dose) => firstNumber(one) === firstNumber(dose) || one.includes(dose),
        ),
      ),
    );
    print(
      'duration',
      read.map(({ row, said }) =>
        compare(row.duration, said.duration?.value, (one, time) => nameTime(one).includes(nameTime(time))),
      ),
    );
    for (const kind of ['none_reported', 'no_difference', 'more'])
      print(
        `harms: ${kind}`,
        read.map(({ row, sentences }) => {
          const said = harmOf(sentences);
          return compare(row.harms === kind || said === kind ? row.harms : '', said === kind ? said : undefined, equal);
        }),
      );
    const sizes = outcomes.filter((row) => row.half === half && sentencesOf.has(row.pmid));
    print(
      'effect size and interval',
      sizes.map((row) => compareSize(row, splitAbstract(sentencesOf.get(row.pmid)!))),
    );
  }
};
