/** Places numbered marks for starts and stops above a chart, in as many rows as are needed to separate them. Pure. */
import { type Static, Type } from 'typebox';

export const MarkView = Type.Object({
  /** Per cent of the width. */
  x: Type.Number({ minimum: 0, maximum: 100 }),
  what: Type.String({ enum: ['started', 'stopped'] }),
  number: Type.Integer(),
  /** y of the number's baseline. */
  y: Type.Number(),
});
export type MarkView = Static<typeof MarkView>;

/** A start or stop on a day. */
export interface Mark {
  /** `YYYY-MM-DD`. */
  readonly day: string;
  readonly what: 'started' | 'stopped';
  readonly number: number;
}

/** Height of a row of numbers, in pixels. */
export const MARK_ROW = 16;
/** Numbers nearer than this, in per cent, would touch on a phone. */
const MARK_ROOM = 10;

/** Places the marks, which must lie on the axis. @param place returns the position of a day, in per cent of the width */
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
