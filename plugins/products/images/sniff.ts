/** What a file is, by its bytes alone: its name and declared type count for nothing. */

export type PictureType = 'jpeg' | 'png' | 'webp';

const PNG_SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');
/** As far as programs look for the beginning of a document. */
const HEAD_BYTES = 4_096;
const DOCUMENT = /%PDF-|<!doctype|<html|<script|<svg|<\?php|<iframe|<body/i;
/** The end record of a ZIP file, with a comment of up to 64 KiB behind it. */
const ZIP_END = Buffer.from('PK\x05\x06', 'latin1');
const ZIP_END_BYTES = 22;
const ZIP_TAIL_BYTES = 65_557;

const ascii = (bytes: Buffer, from: number, to: number): string => bytes.toString('latin1', from, to);

const typeOf = (bytes: Buffer): PictureType | null => {
  if (bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff) return 'jpeg';
  if (bytes.subarray(0, 8).equals(PNG_SIGNATURE)) return ascii(bytes, 12, 16) === 'IHDR' ? 'png' : null;
  const isWebp =
    ascii(bytes, 0, 4) === 'RIFF' && ascii(bytes, 8, 12) === 'WEBP' && /^VP8[ LX]$/.test(ascii(bytes, 12, 16));
  return isWebp ? 'webp' : null;
};

/** ZIP is read from its end, so that any file may have one behind it. */
const endsAsZip = (bytes: Buffer): boolean => {
  const tail = bytes.subarray(-ZIP_TAIL_BYTES);
  for (let at = tail.indexOf(ZIP_END); at >= 0; at = tail.indexOf(ZIP_END, at + 1)) {
    const end = at + ZIP_END_BYTES;
    if (end <= tail.length && end + tail.readUInt16LE(at + 20) <= tail.length) return true;
  }
  return false;
};

/**
 * The type of a picture that we read; null for all else, and for a picture that is a document or an archive as well.
 * Other bytes behind the picture's end are let pass, as phones put depth maps and short films there: they are dropped
 * when the picture is written anew.
 */
export const sniffPicture = (bytes: Buffer): PictureType | null => {
  const type = typeOf(bytes);
  return type === null || DOCUMENT.test(ascii(bytes, 0, HEAD_BYTES)) || endsAsZip(bytes) ? null : type;
};

/** The decoder shows the first frame of an animated PNG and says nothing: its `acTL` chunk stands before the pixels. */
export const isAnimatedPng = (bytes: Buffer): boolean => {
  for (let at = 8; at + 8 <= bytes.length; ) {
    const name = ascii(bytes, at + 4, at + 8);
    if (name === 'acTL') return true;
    if (name === 'IDAT') return false;
    at += 12 + bytes.readUInt32BE(at);
  }
  return false;
};
