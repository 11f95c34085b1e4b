/**
 * Removes the printed rules of tables, which OCR misreads together with adjacent letters: it detects them as long dark runs and
 * paints them white.
 */
import type { Grey } from './picture.ts';

const dark = 175;
const paper = 255;

interface Track {
  readonly data: Buffer;
  /** Index of the first pixel, and distance from one pixel to the next. */
  readonly from: number;
  readonly step: number;
  readonly length: number;
}

/** Marks runs of at least `least` dark pixels; a single light pixel does not end a run. */
const markRuns = ({ data, from, step, length }: Track, least: number, marked: Uint8Array): void => {
  let start = -1;
  let missing = 0;
  const end = (at: number): void => {
    if (start >= 0 && at - missing - start >= least)
      for (let place = start; place < at - missing; place += 1) marked[from + place * step] = 1;
    start = -1;
    missing = 0;
  };
  for (let at = 0; at < length; at += 1) {
    if (data[from + at * step]! < dark) {
      if (start < 0) start = at;
      missing = 0;
    } else if (start >= 0) {
      missing += 1;
      if (missing > 1) end(at + 1);
    }
  }
  end(length);
};

/** Returns the image without its rules; `capHeight` distinguishes rules from strokes of letters. */
export const withoutRules = (grey: Grey, capHeight: number): Grey => {
  if (!capHeight) return grey;
  const { width, height } = grey;
  const marked = new Uint8Array(grey.data.length);
  for (let row = 0; row < height; row += 1)
    markRuns({ data: grey.data, from: row * width, step: 1, length: width }, 3.2 * capHeight, marked);
  for (let column = 0; column < width; column += 1)
    markRuns({ data: grey.data, from: column, step: width, length: height }, 2.2 * capHeight, marked);
  const data = Buffer.from(grey.data);
  // The grey edge of a rule is removed too.
  const edges = [0, -1, 1, -2, 2, -width, width, -2 * width, 2 * width];
  for (let at = 0; at < marked.length; at += 1) {
    if (!marked[at]) continue;
    for (const edge of edges) if (at + edge >= 0 && at + edge < data.length) data[at + edge] = paper;
  }
  return { ...grey, data };
};
