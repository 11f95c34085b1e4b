/** The paths of the lab flows: one report store behind three doors. */
import type { TestType } from './report.ts';

export interface Flow {
  /** `/blood-test`. */
  readonly base: string;
  /** What its door presets. */
  readonly testType: TestType;
  /** Part of ids of its routes and pages. */
  readonly id: string;
  /** As in "a blood test". */
  readonly name: string;
  /** Only the form, the upload and the results have this door. */
  readonly isPartial: boolean;
}

export const BLOOD: Flow = {
  base: '/blood-test',
  testType: 'blood',
  id: 'blood',
  name: 'blood test',
  isPartial: false,
};
export const URINE: Flow = {
  base: '/urine-test',
  testType: 'urine',
  id: 'urine',
  name: 'urine test',
  isPartial: false,
};
export const LAB: Flow = { base: '/lab-test', testType: 'other', id: 'lab', name: 'laboratory test', isPartial: true };

export const FLOWS: readonly Flow[] = [BLOOD, URINE, LAB];
/** Those with every path. */
export const WHOLE_FLOWS = FLOWS.filter(({ isPartial }) => !isPartial);

/** The door that shows reports of a type in full. */
export const flowOf = (testType: TestType): Flow => (testType === 'urine' ? URINE : BLOOD);
