import { readDirection } from '../grading/effect-direction.ts';
import { readText } from '../grading/record-text.ts';
import { detectSpecies } from '../grading/species.ts';
import { detectDesign } from '../grading/study-design.ts';
import { emptyRecord } from '../source-record.ts';
import type { RecordToRead, VerdictDirection } from './reading.ts';

/** Returns the direction that the grader's patterns read from the title and abstract; unclear counts as mixed. */
export const readRuleDirection = ({ title, abstract }: RecordToRead): VerdictDirection => {
  const record = { ...emptyRecord('pubmed'), title, abstract };
  const text = readText(record);
  const direction = readDirection(record, text, detectDesign(record, text, detectSpecies(record, text)));
  return direction === 'unclear' ? 'mixed' : direction;
};
