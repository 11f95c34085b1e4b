/** Detects the type of a file from its bytes alone, ignoring its name and declared type. */

export type PictureType = 'jpeg' | 'png' | 'webp';

const PNG_SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');
/** Number of bytes in which programs search for the beginning of a document. */
const HEAD_BYTES = 4_096;
const DOCUMENT = /%PDF-|<!doctype|<html|<script|<svg|<\?php|<iframe|<body/i;
/** Signature of the end record of a ZIP file, which a comment of up to 64 KiB may follow. */
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

/** Returns whether the bytes end as a ZIP file. ZIP is read from its end, so any file may have one appended. */
const endsAsZip = (bytes: Buffer): boolean => {
  const tail = bytes.subarray(-ZIP_TAIL_BYTES);
  for (let at = tail.indexOf(ZIP_END); at >= 0; at = tail.indexOf(ZIP_END, at + 1)) {
    const end = at + ZIP_END_BYTES;
    if (end <= tail.length && end + tail.readUInt16LE(at + 20) <= tail.length) return true;
  }
  return false;
};

/**
 * Returns the type of an accepted picture, or null for anything else and for a picture that is also a document or an archive.
 * Other bytes after the end of the picture are accepted, because phones store depth maps and short films there; they are
 * dropped when the picture is encoded again.
 */
export const sniffPicture = (bytes: Buffer): PictureType | null => {
  const type = typeOf(bytes);
  return type === null || DOCUMENT.test(ascii(bytes, 0, HEAD_BYTES)) || endsAsZip(bytes) ? null : type;
};

/** Returns whether a PNG is animated: its `acTL` chunk precedes the pixels. The decoder silently uses the first frame. */
export const isAnimatedPng = (bytes: Buffer): boolean => {
  for (let at = 8; at + 8 <= bytes.length; ) {
    const name = ascii(bytes, at + 4, at + 8);
    if (name === 'acTL') return true;
    if (name === 'IDAT') return false;
    at += 12 + bytes.readUInt32BE(at);
  }
  return false;
};
