/** Cuts small images of rows, with which a person compares the reading with the print. */
import type { Box } from '../report.ts';
import type { Rectangle } from './page-words.ts';
import { fromGrey, type Grey, toGrey } from './picture.ts';

const mostBytes = 40_000;

/** Cuts a part of an image with a margin, limited to the edges of the image. */
export const cutOut = async (grey: Grey, part: Rectangle, margin: number): Promise<Grey> => {
  const left = Math.max(0, Math.floor(part.x - margin));
  const top = Math.max(0, Math.floor(part.y - margin));
  const width = Math.max(1, Math.min(grey.width - left, Math.ceil(part.width + 2 * margin)));
  const height = Math.max(1, Math.min(grey.height - top, Math.ceil(part.height + 2 * margin)));
  return toGrey(fromGrey(grey).extract({ left, top, width, height }).toColourspace('b-w'));
};

/** Returns a PNG with few greys, at most about 40 kB. */
export const cropOf = async (grey: Grey, box: Box): Promise<Buffer> => {
  const part = {
    x: box.x * grey.width,
    y: box.y * grey.height,
    width: box.width * grey.width,
    height: box.height * grey.height,
  };
  const cut = await cutOut(grey, part, Math.max(6, part.height * 0.4));
  for (const width of [1100, 800, 500]) {
    const png = await fromGrey(cut)
      .resize({ width: Math.min(width, cut.width) })
      .png({ palette: true, colours: 16, compressionLevel: 9 })
      .toBuffer();
    if (png.length <= mostBytes || width === 500) return png;
  }
  return Buffer.alloc(0);
};
