/** Measures the letter height of an image, from the heights of its dark connected components. */
import type { Grey } from './picture.ts';

const dark = 150;

/** Runs of dark pixels in a row, joined to those above them by union-find. */
interface Shapes {
  readonly parent: number[];
  readonly top: number[];
  readonly bottom: number[];
  readonly left: number[];
  readonly right: number[];
}

const root = ({ parent }: Shapes, at: number): number => {
  let top = at;
  while (parent[top] !== top) top = parent[top]!;
  parent[at] = top;
  return top;
};

const add = (shapes: Shapes, from: number, to: number, row: number): number => {
  const at = shapes.parent.length;
  shapes.parent.push(at);
  shapes.top.push(row);
  shapes.bottom.push(row);
  shapes.left.push(from);
  shapes.right.push(to);
  return at;
};

const merge = (shapes: Shapes, a: number, b: number): void => {
  const [one, other] = [root(shapes, a), root(shapes, b)];
  if (one === other) return;
  shapes.parent[other] = one;
  shapes.top[one] = Math.min(shapes.top[one]!, shapes.top[other]!);
  shapes.bottom[one] = Math.max(shapes.bottom[one]!, shapes.bottom[other]!);
  shapes.left[one] = Math.min(shapes.left[one]!, shapes.left[other]!);
  shapes.right[one] = Math.max(shapes.right[one]!, shapes.right[other]!);
};

interface Run {
  readonly from: number;
  readonly to: number;
  readonly shape: number;
}

const runsOf = ({ data, width }: Grey, row: number, shapes: Shapes): Run[] => {
  const runs: Run[] = [];
  for (let x = 0, at = row * width; x < width; x += 1) {
    if (data[at + x]! >= dark) continue;
    const from = x;
    while (x < width && data[at + x]! < dark) x += 1;
    runs.push({ from, to: x - 1, shape: add(shapes, from, x - 1, row) });
  }
  return runs;
};

const joinRuns = (above: readonly Run[], below: readonly Run[], shapes: Shapes): void => {
  let at = 0;
  for (const run of below) {
    while (at < above.length && above[at]!.to < run.from - 1) at += 1;
    for (let other = at; other < above.length && above[other]!.from <= run.to + 1; other += 1)
      merge(shapes, above[other]!.shape, run.shape);
  }
};

const isLetter = (width: number, height: number): boolean =>
  height >= 5 && height < 120 && width < 3 * height && height < 8 * width;

/** Returns the height of capitals and digits, the higher of the two usual heights; 0 when there are no letters. */
export const capHeightOf = (grey: Grey): number => {
  const shapes: Shapes = { parent: [], top: [], bottom: [], left: [], right: [] };
  let above: Run[] = [];
  for (let row = 0; row < grey.height; row += 1) {
    const runs = runsOf(grey, row, shapes);
    joinRuns(above, runs, shapes);
    above = runs;
    // The image consists of noise, not of letters.
    if (shapes.parent.length > 3_000_000) return 0;
  }
  const heights: number[] = [];
  for (let at = 0; at < shapes.parent.length; at += 1) {
    if (shapes.parent[at] !== at) continue;
    const [width, height] = [shapes.right[at]! - shapes.left[at]! + 1, shapes.bottom[at]! - shapes.top[at]! + 1];
    if (isLetter(width, height)) heights.push(height);
  }
  if (heights.length < 12) return 0;
  heights.sort((a, b) => a - b);
  return heights[Math.floor(heights.length * 0.7)]!;
};
