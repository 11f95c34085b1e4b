/** Decodes an uploaded picture and encodes it again: upright, without metadata, at most 4096 pixels a side. */
import { createHash } from 'node:crypto';
import type { Metadata, Sharp } from 'sharp';
import { coreErrors } from '#core/errors.ts';
import { invalid } from '#core/http/validate.ts';
import { isAnimatedPng, type PictureType, sniffPicture } from './sniff.ts';

/** Maximum size of an upload, in bytes (10 MB). */
export const MAX_UPLOAD_BYTES = 10_485_760;
export const ACCEPTED = ['image/jpeg', 'image/png', 'image/webp'];
export const THUMB_WIDTH = 400;

/** Minimum size in pixels; Open Food Facts refuses less. Rotated pictures are measured by their long and short side. */
const MIN_LONG_SIDE = 640;
const MIN_SHORT_SIDE = 160;
const MAX_PIXELS = 40_000_000;
/** Maximum length of a side in pixels, more than a phone's usual photo; a larger one would only cost time. */
const MAX_SIDE = 4_096;
const QUALITY = 82;
/**
 * Time limit for encoding, in seconds. It is below the time limit of a request, so that a slow machine reports the reason
 * itself.
 */
const TIMEOUT_SECONDS = 25;
const COME_BACK = { headers: { 'Retry-After': '30' }, body: { retry_after: 30 } };
/** Number of concurrent decodings. A picture of 40 megapixels takes 160 MB while it is rotated. */
const AT_ONCE = 2;

export interface Picture {
  readonly body: Buffer;
  readonly thumb: Buffer;
  readonly width: number;
  readonly height: number;
  readonly mime: 'image/webp';
  /** Hash of `body`, hexadecimal. */
  readonly sha256: string;
}

export interface Pictures {
  /**
   * Reads a picture.
   * @throws AppError 415 for anything but JPEG, PNG or WEBP, 422 for one that is corrupt, animated, too small or too large,
   * 503 when this machine has too little time to read it.
   */
  read(bytes: Buffer): Promise<Picture>;
}

/** Loads sharp on first use. */
const loadSharp = async () => (await import('sharp')).default;

const refuse = (message: string) => invalid('body', 'file', message);

const headerOf = async (bytes: Buffer, type: PictureType): Promise<Metadata> => {
  const sharp = await loadSharp();
  const header = await sharp(bytes, { limitInputPixels: false })
    .metadata()
    .catch((error: unknown) => {
      throw coreErrors.validation_failed({}, { problems: unreadable, cause: error });
    });
  if (header.format !== type) throw unsupported();
  return header;
};

const unreadable = [{ type: 'value_error', loc: ['body', 'file'], msg: 'The picture is damaged or cut off' }];

const unsupported = () => coreErrors.unsupported_type({}, { body: { accepted: ACCEPTED } });

/** Validates the header only, before anything is decoded. */
const checkHeader = ({ width, height, pages = 1 }: Metadata, bytes: Buffer, type: PictureType): void => {
  if (pages > 1 || (type === 'png' && isAnimatedPng(bytes))) throw refuse('An animated picture is not read');
  const [long, short] = [Math.max(width, height), Math.min(width, height)];
  if (long < MIN_LONG_SIDE || short < MIN_SHORT_SIDE) {
    throw refuse(
      `The picture has ${width} x ${height} pixels; at least ${MIN_LONG_SIDE} x ${MIN_SHORT_SIDE} are needed`,
    );
  }
  if (width * height > MAX_PIXELS) {
    throw refuse(
      `The picture has ${((width * height) / 1e6).toFixed(1)} megapixels; at most ${MAX_PIXELS / 1e6} are read`,
    );
  }
};

/** Returns whether sharp reported a timeout: “timeout: 40% complete”. */
const isTooSlow = (error: unknown): boolean => /^timeout\b/.test((error as Error).message);

const toWebp = (input: Sharp, seconds: number) =>
  input.webp({ quality: QUALITY }).timeout({ seconds }).toBuffer({ resolveWithObject: true });

const rewrite = async (bytes: Buffer, seconds: number): Promise<Picture> => {
  const sharp = await loadSharp();
  const upright = sharp(bytes, { limitInputPixels: MAX_PIXELS, failOn: 'error' }).autoOrient();
  const limits = { width: MAX_SIDE, height: MAX_SIDE, fit: 'inside', withoutEnlargement: true } as const;
  const { data: body, info } = await toWebp(upright.resize(limits), seconds);
  const { data: thumb } = await toWebp(sharp(body).resize({ width: THUMB_WIDTH, withoutEnlargement: true }), seconds);
  const sha256 = createHash('sha256').update(body).digest('hex');
  return { body, thumb, width: info.width, height: info.height, mime: 'image/webp', sha256 };
};

/** Returns a semaphore that limits the concurrent decodings; the others wait. */
const turns = (limit: number) => {
  const waiting: (() => void)[] = [];
  let busy = 0;
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (busy >= limit) await new Promise<void>((go) => waiting.push(go));
    else busy += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else busy -= 1;
    }
  };
};

/**
 * Creates the picture reader.
 * @param seconds time limit for encoding one picture.
 */
export const createPictures = (seconds = TIMEOUT_SECONDS): Pictures => {
  const inTurn = turns(AT_ONCE);
  return {
    read: async (bytes) => {
      if (!bytes.length) throw refuse('The file is empty');
      const type = sniffPicture(bytes);
      if (!type) throw unsupported();
      checkHeader(await headerOf(bytes, type), bytes, type);
      return inTurn(() =>
        rewrite(bytes, seconds).catch((error: unknown) => {
          // A busy machine is not an error of the picture.
          if (isTooSlow(error)) throw coreErrors.reduced_capacity({}, { ...COME_BACK, cause: error });
          throw coreErrors.validation_failed({}, { problems: unreadable, cause: error });
        }),
      );
    },
  };
};
