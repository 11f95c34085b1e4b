/** Builds questions for the doctor from the data of the document only. Pure. */
import { dayInWords } from '#plugins/evidence/index.ts';
import type { Assessed } from '../assess.ts';
import type { Interplay } from '../supplements/interplay.ts';
import type { LogEntry } from '../supplements/kept-entry.ts';
import { doseInWords } from '../supplements/page.ts';
import type { ValueRow } from './visit.ts';

export type Question = string;

interface Material {
  readonly rows: readonly { readonly assessed: Assessed; readonly row: ValueRow }[];
  readonly interplay: Interplay;
  readonly log: readonly LogEntry[];
  /** Day of the previous draw; null if there is none. */
  readonly since: string | null;
}

/** Maximum number of questions of one kind; more would not be asked in one visit. */
const MOST_OF_A_KIND = 8;

/** Returns the first questions, followed by one that states the number of the rest. */
const limited = (questions: readonly string[], what: string): string[] => {
  const more = questions.length - MOST_OF_A_KIND;
  return more > 0
    ? [
        ...questions.slice(0, MOST_OF_A_KIND),
        `And ${more} more ${what} of the lists in this document: what do they mean for me?`,
      ]
    : [...questions];
};

const outsideQuestion = ({ name, result, printed, ours }: ValueRow, { flag, flaggedBy }: Assessed): string => {
  if (flag === 'critical' && flaggedBy === 'mark')
    return `${name} is ${result}, which the laboratory marked as critical. What has to be done now?`;
  if (flag === 'critical')
    return `${name} is ${result}, which is in the range that calls for a doctor at once. What has to be done now?`;
  const way = flag === 'high' ? 'above' : 'below';
  if (flaggedBy === 'mark')
    return `${name} is ${result}, which the laboratory marked as ${flag}. What could be the reason, and should it be measured again?`;
  const range = flaggedBy === 'printed' ? `the printed range (${printed})` : `our range (${ours})`;
  return `${name} is ${result}, ${way} ${range}. What could be the reason, and should it be measured again?`;
};

const changeQuestions = ({ name, startedAt, stoppedAt, ...entry }: LogEntry, since: string | null): string[] => {
  const dose = doseInWords({ name, startedAt, stoppedAt, ...entry });
  const isNew = since === null || startedAt > since;
  if (stoppedAt !== null && (since === null || stoppedAt > since))
    return [`I stopped ${name} on ${dayInWords(stoppedAt)}. Can that have a part in these values?`];
  return isNew && stoppedAt === null
    ? [
        `I have taken ${name}${dose ? ` (${dose})` : ''} since ${dayInWords(startedAt)}. Does it fit my values and what else I take?`,
      ]
    : [];
};

export const questionsOf = ({ rows, interplay, log, since }: Material): readonly Question[] => {
  const outside = rows.filter(({ assessed: { flag } }) => ['low', 'high', 'critical'].includes(flag));
  const critical = outside.filter(({ assessed: { flag } }) => flag === 'critical');
  const others = outside.filter(({ assessed: { flag } }) => flag !== 'critical');
  const open = rows.filter(({ assessed: { flag } }) => flag === 'unknown');
  return [
    ...critical.map(({ row, assessed }) => outsideQuestion(row, assessed)),
    ...limited(
      others.map(({ row, assessed }) => outsideQuestion(row, assessed)),
      'values outside their ranges',
    ),
    ...limited(
      interplay.pairs.map(
        ({ a, b, found }) =>
          `Our sources have a record of ${a.name} together with ${b.name} (${found.to_do.toLowerCase()}). What applies to me? I change nothing before I have asked.`,
      ),
      'interactions',
    ),
    ...limited(
      open.map(({ row }) => `${row.name} is ${row.result} and could not be compared with a range. What does it mean?`),
      'values without a range',
    ),
    ...limited(
      log.flatMap((entry) => changeQuestions(entry, since)),
      'supplements and medicines',
    ),
  ];
};
