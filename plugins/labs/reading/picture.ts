/** Prepares images for OCR: upright, grey, evenly lit, level, and large enough for decimal points. */
import sharp, { type Sharp } from 'sharp';
import { ReadingFailure } from './failure.ts';
import { slopeOf } from './slope.ts';
import { capHeightOf } from './text-height.ts';

/** Greyscale image, one byte per pixel, row by row. */
export interface Grey {
  readonly data: Buffer;
  readonly width: number;
  readonly height: number;
}

export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly bytes: Buffer;
}

const mostPixels = 40_000_000;
/** Maximum number of pixels to process: an A4 page at 300 dots per inch. */
const workPixels = 9_000_000;
/** Height of capitals in pixels at which decimal points are recognised; at half of it, they vanish. */
const wantedHeight = 27;
const mostEnlarged = 4;

/** By default the library uses a cache and many threads for throughput; here one image is read at a time, beside a server. */
sharp.cache(false);
sharp.concurrency(1);

/**
 * Opens an image, upright according to EXIF.
 * @throws ReadingFailure when it is damaged or too large.
 */
export const openPicture = async (bytes: Buffer): Promise<Picture> => {
  try {
    const meta = await sharp(bytes, { limitInputPixels: mostPixels }).metadata();
    const isTurned = (meta.orientation ?? 1) >= 5;
    const [width, height] = isTurned ? [meta.height, meta.width] : [meta.width, meta.height];
    if (width * height > mostPixels || width < 40 || height < 40) throw new ReadingFailure('unreadable_picture');
    return { width, height, bytes };
  } catch (error) {
    throw error instanceof ReadingFailure ? error : new ReadingFailure('unreadable_picture');
  }
};

export const toGrey = async (picture: Sharp): Promise<Grey> => {
  const { data, info } = await picture.raw().toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
};

export const fromGrey = ({ data, width, height }: Grey): Sharp => sharp(data, { raw: { width, height, channels: 1 } });

/** Levels of ink and paper, as shares of the paper's brightness; grain and grey in between would be misread as strokes. */
const [ink, white] = [0.08, 0.82];

/** Divides each pixel by the local illumination, which removes shadows and a yellow cast. */
const evenLight = async (grey: Grey): Promise<Grey> => {
  const small = { width: Math.max(8, Math.round(grey.width / 24)), height: Math.max(8, Math.round(grey.height / 24)) };
  // Paper is the bright part of each area; smoothing removes the letters and leaves it.
  const paper = await toGrey(
    fromGrey(
      await toGrey(
        fromGrey(grey)
          .resize({ ...small, fit: 'fill', kernel: 'cubic' })
          .median(5)
          .blur(3),
      ),
    )
      .resize({ width: grey.width, height: grey.height, fit: 'fill', kernel: 'linear' })
      .toColourspace('b-w'),
  );
  const data = Buffer.alloc(grey.data.length);
  for (let at = 0; at < data.length; at += 1) {
    const light = Math.max(40, paper.data[at]!);
    const share = (grey.data[at]! / light - ink) / (white - ink);
    data[at] = Math.max(0, Math.min(255, Math.round(255 * share)));
  }
  return { ...grey, data };
};

const opened = async (bytes: Buffer, turn: number): Promise<Grey> => {
  const upright = sharp(bytes, { limitInputPixels: mostPixels, failOn: 'error' })
    .autoOrient()
    .flatten({ background: 'white' })
    .greyscale();
  const grey = await toGrey(upright);
  const share = Math.min(1, Math.sqrt(workPixels / (grey.width * grey.height)));
  let picture = fromGrey(grey);
  if (share < 1)
    picture = fromGrey(await toGrey(picture.resize({ width: Math.round(grey.width * share) }).toColourspace('b-w')));
  return toGrey((turn ? picture.rotate(turn) : picture).toColourspace('b-w'));
};

export interface ReadyPicture {
  readonly grey: Grey;
  /** Approximate height of its capitals, in pixels. */
  readonly capHeight: number;
}

/** Prepares an image. `turn` is a rotation in degrees, for an image that was taken sideways. */
export const readyPicture = async (picture: Picture, turn: 0 | 90 | 180 | 270): Promise<ReadyPicture> => {
  try {
    const even = await evenLight(await opened(picture.bytes, turn));
    const slope = await slopeOf(even);
    const level =
      Math.abs(slope) < 0.1
        ? even
        : await toGrey(fromGrey(even).rotate(slope, { background: 'white' }).toColourspace('b-w'));
    const capHeight = capHeightOf(level);
    const wanted = capHeight ? wantedHeight / capHeight : 1;
    const most = Math.sqrt((2.5 * workPixels) / (level.width * level.height));
    const scale = Math.min(mostEnlarged, most, Math.max(0.5, wanted));
    if (scale > 0.9 && scale < 1.15) return { grey: level, capHeight };
    const sized = fromGrey(level).resize({
      width: Math.round(level.width * scale),
      kernel: scale > 1 ? 'cubic' : 'lanczos3',
    });
    return { grey: await toGrey(sized.toColourspace('b-w')), capHeight: capHeight * scale };
  } catch {
    throw new ReadingFailure('unreadable_picture');
  }
};
