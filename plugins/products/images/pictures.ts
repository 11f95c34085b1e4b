/** Reads a picture that somebody sent, and writes it anew: upright, without metadata, at most 4096 pixels a side. */
import { createHash } from 'node:crypto';
import type { Metadata, Sharp } from 'sharp';
import { coreErrors } from '#core/errors.ts';
import { invalid } from '#core/http/validate.ts';
import { isAnimatedPng, type PictureType, sniffPicture } from './sniff.ts';

/** 10 MB. */
export const MAX_UPLOAD_BYTES = 10_485_760;
export const ACCEPTED = ['image/jpeg', 'image/png', 'image/webp'];
export const THUMB_WIDTH = 400;

/** Open Food Facts refuses less; a picture on its side is measured as it would lie. */
const MIN_LONG_SIDE = 640;
const MIN_SHORT_SIDE = 160;
const MAX_PIXELS = 40_000_000;
/** More than a phone's usual photo; more would only cost time. */
const MAX_SIDE = 4_096;
const QUALITY = 82;
/** Less than a request may take: a machine that is that slow says so itself. */
const TIMEOUT_SECONDS = 25;
const COME_BACK = { headers: { 'Retry-After': '30' }, body: { retry_after: 30 } };
/** A picture of 40 megapixels takes 160 MB while it is turned. */
const AT_ONCE = 2;

export interface Picture {
  readonly body: Buffer;
  readonly thumb: Buffer;
  readonly width: number;
  readonly height: number;
  readonly mime: 'image/webp';
  /** Of `body`, hex. */
  readonly sha256: string;
}

export interface Pictures {
  /**
   * @throws AppError 415 for what is no JPEG, PNG or WEBP, 422 for one that is broken, animated, too small or too large,
   * 503 when this machine has not the time to read it
   */
  read(bytes: Buffer): Promise<Picture>;
}

/** Loaded with the first picture. */
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

/** By the header alone: nothing is decoded before. */
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

/** As sharp says it: “timeout: 40% complete”. */
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

/** At most two pictures are decoded at a time; the others wait their turn. */
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

/** @param seconds that writing one picture may take */
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
          // The picture is not to blame for a busy machine.
          if (isTooSlow(error)) throw coreErrors.reduced_capacity({}, { ...COME_BACK, cause: error });
          throw coreErrors.validation_failed({}, { problems: unreadable, cause: error });
        }),
      );
    },
  };
};
