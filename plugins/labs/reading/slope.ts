/** Measures the tilt of an image: at the right angle the lines of text form the sharpest stripes. */
import { fromGrey, type Grey, toGrey } from './picture.ts';

const workWidth = 900;
const most = 10;
const dark = 150;

interface Dots {
  readonly x: Float32Array;
  readonly y: Float32Array;
  readonly rows: number;
}

const darkDots = ({ data, width, height }: Grey): Dots => {
  const x: number[] = [];
  const y: number[] = [];
  for (let row = 0; row < height; row += 1)
    for (let column = 0; column < width; column += 1)
      if (data[row * width + column]! < dark) {
        x.push(column - width / 2);
        y.push(row);
      }
  return { x: Float32Array.from(x), y: Float32Array.from(y), rows: height };
};

/** Returns the sum of squares of the number of dark pixels per row when the page is sheared by `degrees`. */
const sharpness = ({ x, y, rows }: Dots, degrees: number): number => {
  const lean = Math.tan((degrees * Math.PI) / 180);
  const counts = new Float64Array(rows * 2);
  for (let at = 0; at < x.length; at += 1) {
    const row = Math.round(y[at]! + x[at]! * lean + rows / 2);
    if (row >= 0 && row < counts.length) counts[row]! += 1;
  }
  return counts.reduce((sum, count) => sum + count * count, 0);
};

const sharpest = (dots: Dots, from: number, to: number, step: number): number => {
  let best = 0;
  let highest = -1;
  for (let degrees = from; degrees <= to + 1e-9; degrees += step) {
    const found = sharpness(dots, degrees);
    if (found > highest) {
      highest = found;
      best = degrees;
    }
  }
  return best;
};

/** Returns the degrees by which to rotate the image (clockwise), at most ten; 0 when nothing is dark. */
export const slopeOf = async (grey: Grey): Promise<number> => {
  const share = Math.min(1, workWidth / grey.width);
  const small = await toGrey(
    fromGrey(grey)
      .resize({ width: Math.round(grey.width * share) })
      .toColourspace('b-w'),
  );
  const dots = darkDots(small);
  // An image with more than a third of dark pixels is not a page.
  if (!dots.x.length || dots.x.length > 0.34 * small.width * small.height) return 0;
  const coarse = sharpest(dots, -most, most, 0.5);
  return Math.round(sharpest(dots, coarse - 0.5, coarse + 0.5, 0.1) * 10) / 10;
};
