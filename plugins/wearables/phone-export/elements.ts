/** Streams the elements of an export.xml in constant memory. Its DTD is ignored; custom entities are refused. */
import { SaxesParser, type SaxesTagPlain } from 'saxes';
import { ExportFailure } from './failure.ts';
import type { ExportLimits } from './limits.ts';
import { textPieces } from './text.ts';

/** Attributes of one element; a missing one is undefined. */
export type Attributes = Readonly<Record<string, string>>;
/**
 * Called for every element inside the root. Each letter of a string is one byte, and strings are slices of a large one: see
 * `kept` in text.ts.
 */
export type OnElement = (name: string, attributes: Attributes) => void;

export interface ElementSink {
  readonly onElement: OnElement;
  /** Called after each piece, with the number of bytes so far. */
  onPiece(bytes: number): void;
}

const ROOT = 'HealthData';
const ENCODING = /^(utf-?8|us-ascii)$/i;
/** Maximum depth; real exports have a depth of four. */
const DEEPEST = 64;
/** Maximum size of a token in bytes. No export has larger ones, and the parser buffers unfinished tokens. */
const LONGEST_TOKEN = 4 * 1024 * 1024;
/**
 * Errors to tolerate: real exports contain some control characters in metadata, but thousands of them indicate a damaged file.
 */
const TOLERATED: ReadonlySet<string> = new Set(['disallowed character.', 'malformed character entity.']);
const MOST_TOLERATED = 1_000;

interface Parsing {
  readonly parser: Pick<SaxesParser, 'write' | 'close'>;
  /** Returns the number of elements opened so far. */
  opened(): number;
  depth(): number;
}

const parsing = (onElement: OnElement): Parsing => {
  const parser = new SaxesParser({ xmlns: false, position: false, defaultXMLVersion: '1.0', forceXMLVersion: true });
  let [opened, depth, tolerated] = [0, 0, 0];
  parser.on('xmldecl', ({ encoding }) => {
    if (encoding !== undefined && !ENCODING.test(encoding)) throw new ExportFailure('wrong_encoding');
  });
  parser.on('doctype', (doctype) => {
    if (/<!ENTITY/i.test(doctype)) throw new ExportFailure('bomb');
  });
  parser.on('opentag', (tag: SaxesTagPlain) => {
    opened += 1;
    depth += 1;
    if (depth > 1) onElement(tag.name, tag.attributes);
    else if (tag.name !== ROOT) throw new ExportFailure('not_an_export');
    if (depth > DEEPEST) throw new ExportFailure('damaged');
  });
  parser.on('closetag', () => {
    depth -= 1;
  });
  parser.on('error', ({ message }) => {
    tolerated += 1;
    if (TOLERATED.has(message) && tolerated <= MOST_TOLERATED) return;
    throw new ExportFailure(opened ? 'damaged' : 'not_an_export');
  });
  return { parser, opened: () => opened, depth: () => depth };
};

/**
 * Reads all elements. Returns the number of bytes.
 * @throws ExportFailure `not_an_export`, `wrong_encoding`, `bomb`, `damaged`, `too_large` or `cut_short`
 */
export const readElements = async (
  pieces: AsyncIterable<Buffer>,
  { onElement, onPiece }: ElementSink,
  limits: Pick<ExportLimits, 'xmlBytes'>,
): Promise<number> => {
  const { parser, opened, depth } = parsing(onElement);
  const text = textPieces();
  let [bytes, openedBefore, quietFrom] = [0, 0, 0];
  for await (const piece of pieces) {
    bytes += piece.length;
    if (bytes > limits.xmlBytes) throw new ExportFailure('too_large');
    parser.write(text.next(piece));
    if (opened() !== openedBefore) quietFrom = bytes;
    else if (bytes - quietFrom > LONGEST_TOKEN) throw new ExportFailure(opened() ? 'damaged' : 'not_an_export');
    openedBefore = opened();
    onPiece(bytes);
  }
  text.end();
  if (depth() > 0 || opened() === 0) throw new ExportFailure('cut_short');
  parser.close();
  return bytes;
};
