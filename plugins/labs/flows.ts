/** Paths of the lab flows, which share one report store. */
import type { TestType } from './report.ts';

export interface Flow {
  /** Base path, such as `/blood-test`. */
  readonly base: string;
  /** Default type of reports uploaded through this flow. */
  readonly testType: TestType;
  /** Part of the ids of its routes and pages. */
  readonly id: string;
  /** Name, as in "a blood test". */
  readonly name: string;
  /** Whether the flow has only the form, the upload and the results. */
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
/** Flows with all paths. */
export const WHOLE_FLOWS = FLOWS.filter(({ isPartial }) => !isPartial);

/** Returns the flow that shows reports of a type in full. */
export const flowOf = (testType: TestType): Flow => (testType === 'urine' ? URINE : BLOOD);
