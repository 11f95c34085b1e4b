/** Reads a page that is an image by OCR, and tries quarter turns when nothing is recognised. */
import type { Letters } from './letters.ts';
import { merged } from './merging.ts';
import type { Word } from './page-words.ts';
import { fromGrey, type Grey, type Picture, type ReadyPicture, readyPicture } from './picture.ts';
import { withoutRules } from './rules.ts';

export interface PictureRead {
  readonly words: readonly Word[];
  readonly grey: Grey;
  readonly capHeight: number;
}

export interface PictureMeans {
  readonly letters: Letters;
  /** Whether to read the page twice, which finds more words but takes twice the time. */
  readonly isTwice: boolean;
  readonly signal?: AbortSignal | undefined;
}

const sure = 0.6;
const enough = 60;

/** Counts the letters of words with a high confidence; a page on its side has almost none. */
const goodLetters = (words: readonly Word[]): number =>
  words.reduce(
    (sum, { text, confidence }) => sum + (confidence >= sure && /[\p{L}\d]{2}/u.test(text) ? text.length : 0),
    0,
  );

/** Returns whether a result is a word, and not dust or the remains of a rule. */
const isWord = ({ text, confidence, width, height }: Word): boolean =>
  text !== '' &&
  width > 0 &&
  height > 0 &&
  !(confidence < 0.3 && !/[\p{L}\d]/u.test(text)) &&
  !/^[|_—\-[\]{}~'"“”‘’`]+$/.test(text.replace(/^-$/, 'x'));

/** Reads the image once for scattered words, and once line by line. */
const readWords = async (png: Buffer, letters: Letters, isTwice: boolean): Promise<readonly Word[]> => {
  const sparse = (await letters.read(png, 'sparse')).filter(isWord);
  if (!isTwice || goodLetters(sparse) < enough) return sparse;
  return merged(sparse, (await letters.read(png, 'block')).filter(isWord));
};

const readTurned = async (
  picture: Picture,
  turn: 0 | 90 | 180 | 270,
  { letters, isTwice }: PictureMeans,
): Promise<PictureRead> => {
  const ready: ReadyPicture = await readyPicture(picture, turn);
  const grey = withoutRules(ready.grey, ready.capHeight);
  const png = await fromGrey(grey).png({ compressionLevel: 1 }).toBuffer();
  const words = await readWords(png, letters, isTwice);
  return { words, grey: ready.grey, capHeight: ready.capHeight };
};

/** Returns the reading with the most confident letters, starting with the unrotated image. */
export const readPicture = async (picture: Picture, means: PictureMeans): Promise<PictureRead> => {
  const { signal } = means;
  let best = await readTurned(picture, 0, means);
  const shareOf = ({ words }: PictureRead): number =>
    goodLetters(words) / (words.reduce((sum, { text }) => sum + text.length, 0) || 1);
  const hasLetters = best.capHeight > 0;
  if (!hasLetters || (goodLetters(best.words) >= enough && shareOf(best) > 0.5)) return best;
  for (const turn of [90, 270, 180] as const) {
    signal?.throwIfAborted();
    const other = await readTurned(picture, turn, means);
    if (goodLetters(other.words) > 1.3 * goodLetters(best.words)) best = other;
    if (goodLetters(best.words) >= enough && shareOf(best) > 0.6) break;
  }
  return best;
};
