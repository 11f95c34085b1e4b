import type { TopicFinding } from '../source-record.ts';
import { CALIBRATION } from './calibration.ts';

const SURE_FROM: Readonly<Record<string, number>> = CALIBRATION.sureFrom;

/**
 * Returns whether a finding may count as the direction of a source: an editor's always does, a program's does when it is probable
 * enough.
 */
export const isSure = ({
  by,
  direction,
  probability,
}: Pick<TopicFinding, 'by' | 'direction' | 'probability'>): boolean =>
  by === 'editor' || (probability ?? 0) >= (SURE_FROM[direction] ?? 1);
