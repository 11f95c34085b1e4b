/** Finds decimal points in the image itself: a small dark spot at the baseline between two digits. */
import { cutOut } from './crops.ts';
import type { Rectangle } from './page-words.ts';
import type { Grey } from './picture.ts';

const dark = 150;

interface Spot {
  left: number;
  right: number;
  top: number;
  bottom: number;
  area: number;
}

/** Returns the connected component that contains the pixel. */
const spotFrom = ({ data, width, height }: Grey, start: number, seen: Uint8Array): Spot => {
  const spot: Spot = { left: width, right: 0, top: height, bottom: 0, area: 0 };
  const open = [start];
  seen[start] = 1;
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const [x, y] = [at % width, Math.floor(at / width)];
    spot.left = Math.min(spot.left, x);
    spot.right = Math.max(spot.right, x);
    spot.top = Math.min(spot.top, y);
    spot.bottom = Math.max(spot.bottom, y);
    spot.area += 1;
    for (let dy = -1; dy <= 1; dy += 1)
      for (let dx = -1; dx <= 1; dx += 1) {
        const next = (y + dy) * width + x + dx;
        const isInside = x + dx >= 0 && x + dx < width && y + dy >= 0 && y + dy < height;
        if (!isInside || seen[next] || data[next]! >= dark) continue;
        seen[next] = 1;
        open.push(next);
      }
  }
  return spot;
};

const spotsOf = (grey: Grey): Spot[] => {
  const seen = new Uint8Array(grey.data.length);
  const spots: Spot[] = [];
  for (let at = 0; at < grey.data.length; at += 1)
    if (!seen[at] && grey.data[at]! < dark) spots.push(spotFrom(grey, at, seen));
  return spots;
};

const heightOf = ({ top, bottom }: Spot): number => bottom - top + 1;

/** Returns whether a spot is small, at the baseline, and no taller than a comma. */
const isPoint = (spot: Spot, height: number, foot: number): boolean =>
  heightOf(spot) <= 0.4 * height &&
  spot.right - spot.left + 1 <= 0.4 * height &&
  spot.area >= 3 &&
  spot.top > foot - 0.4 * height &&
  spot.bottom >= foot - 0.12 * height &&
  spot.bottom <= foot + 0.3 * height;

/**
 * Returns the digits with the point between them in the image; null if there is none, or it is ambiguous.
 * @param text digits, possibly followed by the letters of a flag.
 */
export const withPoint = async (grey: Grey, place: Rectangle, text: string): Promise<string | null> => {
  const found = /^(\d{2,})\s*([A-Za-z*+]{0,4})$/.exec(text.trim());
  if (!found) return null;
  const [, digits = '', letters = ''] = found;
  const spots = spotsOf(await cutOut(grey, place, Math.max(2, place.height * 0.15))).sort((a, b) => a.left - b.left);
  const height = Math.max(...spots.map(heightOf));
  const tall = spots.filter((spot) => heightOf(spot) > 0.65 * height);
  if (tall.length < digits.length || tall.length > digits.length + letters.length) return null;
  const own = tall.slice(0, digits.length);
  const foot = own.reduce((sum, { bottom }) => sum + bottom, 0) / own.length;
  const points = spots.filter(
    (spot) => isPoint(spot, height, foot) && spot.left > own[0]!.left && spot.right < own.at(-1)!.right,
  );
  if (points.length !== 1) return null;
  const middle = (points[0]!.left + points[0]!.right) / 2;
  const before = own.filter((spot) => (spot.left + spot.right) / 2 < middle).length;
  const [left, right] = [own[before - 1], own[before]];
  // The end of a digit's stroke may be detached; a point is separate from both digits, which are further apart because of it.
  const isClear = left && right && points[0]!.left > left.right && points[0]!.right < right.left;
  if (!isClear || right.left - left.right < 0.24 * height) return null;
  return `${digits.slice(0, before)}.${digits.slice(before)}${letters ? ` ${letters}` : ''}`;
};
