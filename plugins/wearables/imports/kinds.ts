/** Which files are taken, by their first bytes, and how large each kind may be. */
import { coreErrors } from '#core/errors.ts';

const GIGABYTE = 1024 ** 3;
const MOST_ZIP = GIGABYTE;
export const MOST_XML = 4 * GIGABYTE;
const ACCEPTED = ['application/zip', 'application/xml', 'text/xml'];

/** So much of a file tells its kind. */
export const START_BYTES = 512;

export const fileProblem = (type: string, msg: string) =>
  coreErrors.validation_failed({}, { problems: [{ type, loc: ['body', 'file'], msg }] });

export const emptyFile = () => fileProblem('empty', 'The file is empty. Make the export again.');

export const tooLarge = (most: number) => coreErrors.file_too_large({ max_bytes: most }, { body: { max_bytes: most } });

const kindOf = (start: Buffer): 'zip' | 'xml' | 'other' => {
  if (start[0] === 0x50 && start[1] === 0x4b) return 'zip';
  // UTF-16 too: the reading says what is wrong with it.
  return /^[\uFEFF\uFFFD\0\s]*<\0?[?!H]/.test(start.toString('utf8')) ? 'xml' : 'other';
};

/**
 * @param start the first START_BYTES, or all where there are fewer
 * @throws AppError 415 for what is no ZIP and no XML, 413 for what is too large of its kind
 */
export const checkKind = (start: Buffer, bytes: number): void => {
  const kind = kindOf(start);
  if (kind === 'other') throw coreErrors.unsupported_type({}, { body: { accepted: ACCEPTED } });
  const most = kind === 'zip' ? MOST_ZIP : MOST_XML;
  if (bytes > most) throw tooLarge(most);
};
