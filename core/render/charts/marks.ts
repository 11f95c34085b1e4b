/** Starts and stops on a time axis, as numbers above a chart: in as many lines as keep them apart. Pure. */
import { type Static, Type } from 'typebox';

export const MarkView = Type.Object({
  /** Per cent of the width. */
  x: Type.Number({ minimum: 0, maximum: 100 }),
  what: Type.String({ enum: ['started', 'stopped'] }),
  number: Type.Integer(),
  /** Of the number's baseline. */
  y: Type.Number(),
});
export type MarkView = Static<typeof MarkView>;

/** Something that began or ended on a day. */
export interface Mark {
  /** `YYYY-MM-DD`. */
  readonly day: string;
  readonly what: 'started' | 'stopped';
  readonly number: number;
}

/** Of one line of numbers. */
export const MARK_ROW = 16;
/** Numbers nearer than this, in per cent, would touch on a phone. */
const MARK_ROOM = 10;

/** @param place per cent of the width at which a day stands; marks of days outside the axis are left out beforehand. */
export const placedMarks = (
  marks: readonly Mark[],
  place: (day: string) => number,
): { readonly placed: MarkView[]; readonly rows: number } => {
  const ends: number[] = [];
  const placed = marks
    .toSorted((a, b) => a.day.localeCompare(b.day))
    .map(({ day, what, number }) => {
      const x = place(day);
      const free = ends.findIndex((end) => x - end >= MARK_ROOM);
      const row = free < 0 ? ends.length : free;
      ends[row] = x;
      return { x, what, number, y: MARK_ROW * (row + 1) };
    });
  return { placed, rows: ends.length };
};
