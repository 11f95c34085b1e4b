/** Checks the type of an uploaded file by its first bytes, and its size by its type. */
import { coreErrors } from '#core/errors.ts';

const GIGABYTE = 1024 ** 3;
const MOST_ZIP = GIGABYTE;
export const MOST_XML = 4 * GIGABYTE;
const ACCEPTED = ['application/zip', 'application/xml', 'text/xml'];

/** Number of leading bytes that suffice to detect the type of a file. */
export const START_BYTES = 512;

export const fileProblem = (type: string, msg: string) =>
  coreErrors.validation_failed({}, { problems: [{ type, loc: ['body', 'file'], msg }] });

export const emptyFile = () => fileProblem('empty', 'The file is empty. Make the export again.');

export const tooLarge = (most: number) => coreErrors.file_too_large({ max_bytes: most }, { body: { max_bytes: most } });

const kindOf = (start: Buffer): 'zip' | 'xml' | 'other' => {
  if (start[0] === 0x50 && start[1] === 0x4b) return 'zip';
  // UTF-16 is accepted here, because the reading reports the wrong encoding.
  return /^[\uFEFF\uFFFD\0\s]*<\0?[?!H]/.test(start.toString('utf8')) ? 'xml' : 'other';
};

/**
 * Checks the type and the size.
 * @param start the first START_BYTES, or the whole file if it is shorter
 * @throws AppError 415 for a file that is neither ZIP nor XML, 413 for a file that is too large for its type
 */
export const checkKind = (start: Buffer, bytes: number): void => {
  const kind = kindOf(start);
  if (kind === 'other') throw coreErrors.unsupported_type({}, { body: { accepted: ACCEPTED } });
  const most = kind === 'zip' ? MOST_ZIP : MOST_XML;
  if (bytes > most) throw tooLarge(most);
};
