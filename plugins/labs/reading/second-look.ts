/** Reads places of an image again: they are cut out, scaled to another size, and arranged one below the other. */
import sharp from 'sharp';
import { cutOut } from './crops.ts';
import type { Letters } from './letters.ts';
import type { Rectangle } from './page-words.ts';
import { fromGrey, type Grey } from './picture.ts';

const lineHeight = 60;
/** Letter height in pixels. It differs from that of the first reading, so that the same error is less likely. */
const letterHeight = 27;
const left = 40;
const sheetWidth = 600;
const perSheet = 40;

const sheetOf = async (grey: Grey, places: readonly Rectangle[]): Promise<Buffer> => {
  const parts: { input: Buffer; left: number; top: number }[] = [];
  for (const [at, place] of places.entries()) {
    const cut = await cutOut(grey, place, Math.max(3, place.height * 0.22));
    const scale = Math.min(letterHeight / Math.max(8, place.height), (sheetWidth - 2 * left) / cut.width);
    const input = await fromGrey(cut)
      .resize({ height: Math.max(8, Math.min(lineHeight - 14, Math.round(cut.height * scale))), kernel: 'lanczos3' })
      .png({ compressionLevel: 1 })
      .toBuffer();
    parts.push({ input, left, top: at * lineHeight + 12 });
  }
  const create = {
    width: sheetWidth,
    height: places.length * lineHeight + 24,
    channels: 3 as const,
    background: 'white',
  };
  return sharp({ create }).composite(parts).greyscale().png({ compressionLevel: 1 }).toBuffer();
};

/** Returns the text at each place; "" where nothing was read. */
export const lookAgain = async (grey: Grey, places: readonly Rectangle[], letters: Letters): Promise<string[]> => {
  const texts: string[] = [];
  for (let from = 0; from < places.length; from += perSheet) {
    const own = places.slice(from, from + perSheet);
    const words = await letters.read(await sheetOf(grey, own), 'block');
    for (const at of own.keys()) {
      const line = words.filter((word) => Math.floor((word.y + word.height / 2) / lineHeight) === at);
      texts.push(
        line
          .toSorted((a, b) => a.x - b.x)
          .map(({ text }) => text)
          .join(' '),
      );
    }
  }
  return texts;
};
