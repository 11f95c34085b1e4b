/** Computes the position of a value on its range, as coordinates in an SVG of 100 by 12. */

export interface RangeBar {
  readonly from: number;
  readonly to: number;
  readonly at: number;
  /** Side on which the value is beyond the end of the bar. */
  readonly isOff: '' | 'low' | 'high';
}

const WIDTH = 100;
/** Width of the bar on either side of the range. */
const MARGIN = 25;

const clamp = (value: number): number => Math.round(Math.min(WIDTH, Math.max(0, value)) * 10) / 10;

/** Returns the coordinates; null without a bound or without a number. */
export const rangeBar = (
  { low, high }: { readonly low: number | null; readonly high: number | null },
  value: number | null,
): RangeBar | null => {
  if (value === null || (low === null && high === null)) return null;
  const bottom = low ?? Math.min(0, high ?? 0);
  const top = high ?? (bottom === 0 ? 1 : bottom + Math.abs(bottom));
  if (!(top > bottom)) return null;
  const at = MARGIN + ((value - bottom) / (top - bottom)) * (WIDTH - 2 * MARGIN);
  return {
    from: low === null ? 0 : MARGIN,
    to: high === null ? WIDTH : WIDTH - MARGIN,
    at: clamp(at),
    isOff: at < 0 ? 'low' : at > WIDTH ? 'high' : '',
  };
};
