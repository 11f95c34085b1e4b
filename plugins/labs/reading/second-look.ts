/** Numbers read once more, cut out and put one below the other: a digit that is read in two ways is to be looked at. */
import { cutOut } from './crops.ts';
import type { Letters } from './letters.ts';
import { fromGrey, type Grey } from './picture.ts';
import type { Rectangle } from './words.ts';

export interface Cell extends Rectangle {
  readonly text: string;
}

const lineHeight = 84;
/** Another size than at first, so that the same mistake is less likely. */
const letterHeight = 42;
const left = 60;
const sheetWidth = 700;
const perSheet = 40;

const bare = (text: string): string =>
  text
    .replace(/[‹＜]/g, '<')
    .replace(/[^0-9.,<>≤≥-]/g, '')
    .replace(/^[.,-]+|[.,-]+$/g, '');

const sheetOf = async (grey: Grey, cells: readonly Cell[]): Promise<Buffer> => {
  const parts: { input: Buffer; left: number; top: number }[] = [];
  for (const [at, cell] of cells.entries()) {
    const cut = await cutOut(grey, cell, Math.max(3, cell.height * 0.22));
    const scale = Math.min(letterHeight / Math.max(8, cell.height), (sheetWidth - 2 * left) / cut.width);
    const input = await fromGrey(cut)
      .resize({ height: Math.max(8, Math.round(cut.height * scale)), kernel: 'lanczos3' })
      .png({ compressionLevel: 1 })
      .toBuffer();
    parts.push({ input, left, top: at * lineHeight + 12 });
  }
  const { default: sharp } = await import('sharp');
  const paper = { width: sheetWidth, height: cells.length * lineHeight + 24, channels: 3 as const, background: 'white' };
  return sharp({ create: paper }).composite(parts).greyscale().png({ compressionLevel: 1 }).toBuffer();
};

/** For each cell, whether the second reading gives the same number; true also when it gives none at all for a whole sheet. */
export const agreeOnSecondLook = async (grey: Grey, cells: readonly Cell[], letters: Letters): Promise<boolean[]> => {
  const agree: boolean[] = [];
  for (let from = 0; from < cells.length; from += perSheet) {
    const own = cells.slice(from, from + perSheet);
    const words = await letters.read(await sheetOf(grey, own), 'block');
    for (const [at, cell] of own.entries()) {
      const again = words
        .filter((word) => Math.floor((word.y + word.height / 2) / lineHeight) === at)
        .toSorted((a, b) => a.x - b.x)
        .map(({ text }) => text)
        .join('');
      agree.push(bare(again) === bare(cell.text));
    }
  }
  return agree;
};
