/**
 * Simulates pages from a scanner or a phone: rotated, noisy, blurred, unevenly lit, compressed as JPEG. Deterministic for a seed.
 */
import sharp from 'sharp';
import { openPdf } from '#plugins/labs/reading/pdf.ts';
import { seeded } from './specimen.ts';

export interface Flaws {
  readonly seed: number;
  /** Resolution relative to 200 dots per inch. */
  readonly scale: number;
  readonly degrees: number;
  readonly blur: number;
  /** Maximum change of a pixel's grey value. */
  readonly noise: number;
  /** Share of light lost in the darkest corner. */
  readonly shade: number;
  /** JPEG quality; 0 means PNG. */
  readonly jpeg: number;
  readonly quarterTurn?: 0 | 90 | 180 | 270;
}

const noisy = (data: Buffer, width: number, { seed, noise, shade }: Flaws): void => {
  const random = seeded(seed);
  const height = data.length / width;
  const [x0, y0] = [random() * width, random() * height];
  const reach = Math.hypot(width, height);
  for (let at = 0; at < data.length; at += 1) {
    const [x, y] = [at % width, Math.floor(at / width)];
    const light = 1 - shade * Math.min(1, Math.hypot(x - x0, y - y0) / reach) * 1.2;
    const grain = (random() + random() - 1) * noise;
    data[at] = Math.max(0, Math.min(255, data[at]! * light + grain));
  }
};

/** Renders the pages of a PDF as images. */
export const scansOf = async (pdf: Buffer, flaws: Flaws): Promise<Buffer[]> => {
  const open = await openPdf(pdf);
  const pictures: Buffer[] = [];
  for (let number = 1; number <= open.pages; number += 1) {
    const page = await open.page(number);
    const drawn = sharp(await page.draw())
      .greyscale()
      .toColourspace('b-w');
    const { width = 0 } = await sharp(await page.draw()).metadata();
    let picture = drawn.resize({ width: Math.round(width * flaws.scale), kernel: 'lanczos3' });
    if (flaws.degrees) picture = sharp(await picture.png().toBuffer()).rotate(flaws.degrees, { background: '#f4f4f4' });
    if (flaws.blur) picture = sharp(await picture.png().toBuffer()).blur(flaws.blur);
    const { data, info } = await picture.greyscale().toColourspace('b-w').raw().toBuffer({ resolveWithObject: true });
    noisy(data, info.width, flaws);
    let spoilt = sharp(data, { raw: { width: info.width, height: info.height, channels: 1 } });
    if (flaws.quarterTurn) spoilt = spoilt.rotate(flaws.quarterTurn);
    pictures.push(await (flaws.jpeg ? spoilt.jpeg({ quality: flaws.jpeg }) : spoilt.png()).toBuffer());
    page.close();
  }
  await open.close();
  return pictures;
};

export type PictureClass = 'clean scan' | 'photo';

/** The flaws applied to each report. */
export const pictures: readonly { readonly id: string; readonly kind: PictureClass; readonly flaws: Flaws }[] = [
  ['box-table', 1, 1, 0],
  ['quest-like', 1.25, 0.4, 0.3],
  ['labcorp-like', 1, -0.6, 0],
  ['german', 1.5, 0.8, 0.4],
  ['french', 1, 0.3, 0],
  ['no-head', 1, -1, 0.3],
  ['two-columns', 1.5, 0.5, 0],
  ['unit-in-name', 0.75, 0.5, 0],
  ['superscripts', 1.25, -0.4, 0],
  ['si-units', 1, 0, 0.3],
  ['bounds', 1.25, 1.5, 0],
  ['tight', 1.5, 0.2, 0.3],
  ['urine-strip', 1, -0.5, 0],
  ['serif-boxes', 1, 0.7, 0.3],
  ['flags-in-value', 0.9, 0, 0],
  ['monospace', 1, 0.3, 0],
]
  .map(([id, scale, degrees, blur], at) => ({
    id: id as string,
    kind: 'clean scan' as const,
    flaws: {
      seed: 50 + at,
      scale: scale as number,
      degrees: degrees as number,
      blur: blur as number,
      noise: 10,
      shade: 0.05,
      jpeg: at % 2 ? 85 : 0,
    },
  }))
  .concat(
    (
      [
        ['box-table', 0.95, 2.4, 0.5, 0.4],
        ['quest-like', 1.1, -1.8, 0.5, 0.35],
        ['labcorp-new', 1.1, 3, 0.4, 0.45],
        ['german-vorwert', 1.2, -2.5, 0.6, 0.3],
        ['spanish', 1, 1.2, 0.7, 0.5],
        ['range-first', 1, -3, 0.5, 0.3],
        ['cumulative', 1.2, 2, 0.6, 0.4],
        ['indian', 1, 4, 0.5, 0.35],
        ['star-flags', 1, -1, 0.8, 0.5],
        ['interpreted', 1.2, 1.5, 0.5, 0.3],
        ['serif-boxes', 1, 2, 0.5, 0.4],
      ] as const
    ).map(([id, scale, degrees, blur, shade], at) => ({
      id,
      kind: 'photo' as const,
      flaws: {
        seed: 80 + at,
        scale,
        degrees,
        blur,
        noise: 26,
        shade,
        jpeg: 62 + 3 * at,
        quarterTurn: at === 4 ? (90 as const) : (0 as const),
      },
    })) as never,
  );
