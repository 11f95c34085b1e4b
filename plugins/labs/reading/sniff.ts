/** Detects the type of a file by its first bytes; its name and declared type are ignored. */

export type FileKind = 'pdf' | 'picture' | 'other';

const starts = (bytes: Buffer, at: number, text: string): boolean =>
  bytes.subarray(at, at + text.length).toString('latin1') === text;

/** Returns the type of a file. PDF readers accept a header within the first kilobyte. */
export const kindOf = (bytes: Buffer): FileKind => {
  if (bytes.subarray(0, 1024).includes('%PDF-')) return 'pdf';
  const isPng = starts(bytes, 0, '\x89PNG\r\n\x1a\n');
  const isJpeg = starts(bytes, 0, '\xff\xd8\xff');
  const isWebp = starts(bytes, 0, 'RIFF') && starts(bytes, 8, 'WEBP');
  return isPng || isJpeg || isWebp ? 'picture' : 'other';
};
