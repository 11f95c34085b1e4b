/** Assembles words from the pieces of text that a PDF draws (whole lines, cells or single letters) by their positions. */
import type { Word } from './page-words.ts';

/** `x`, `y`: start of the baseline, y downwards; `size`: font size; `slope`: angle of the line in radians. */
export interface TextPiece {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly size: number;
  readonly slope: number;
}

/** A gap below this fraction of the font size is within a word. */
const withinWord = 0.12;

interface Part extends TextPiece {
  readonly right: number;
}

/** Splits a piece into words, each with its share of the width, estimated from widths of characters. */
const partsOf = (piece: TextPiece): Part[] => {
  const weight = (text: string): number => [...text].reduce((sum, letter) => sum + widthOf(letter), 0);
  const perWeight = piece.width / (weight(piece.text) || 1);
  return [...piece.text.matchAll(/\S+/gu)].map((found) => {
    const x = piece.x + weight(piece.text.slice(0, found.index)) * perWeight;
    const width = weight(found[0]) * perWeight;
    return { ...piece, text: found[0], x, width, right: x + width };
  });
};

const widthOf = (letter: string): number => {
  if (letter === ' ') return 0.28;
  if (/[iljtfI.,:;'|()[\]!/-]/.test(letter)) return 0.32;
  if (/[mwMW%@—]/.test(letter)) return 0.88;
  return /[A-Z]/.test(letter) ? 0.68 : 0.55;
};

/** Returns whether the part is an exponent: small and raised after a ten. */
const isRaised = (before: Part, part: Part): boolean =>
  part.size < before.size * 0.85 &&
  part.y < before.y - before.size * 0.15 &&
  /10$/.test(before.text) &&
  /^[-−]?\d/.test(part.text);

const sameLine = (a: Part, b: Part): boolean => Math.abs(a.y - b.y) < Math.max(a.size, b.size) * 0.55;

const joined = (before: Part, part: Part): Part => ({
  ...before,
  text: `${before.text}${isRaised(before, part) ? '^' : ''}${part.text}`,
  right: Math.max(before.right, part.right),
});

const toWord = ({ text, x, y, right, size }: Part): Word => ({
  text: text.normalize('NFC'),
  x,
  y: y - size * 0.8,
  width: Math.max(right - x, size * 0.2),
  height: size,
  confidence: 1,
});

/** Converts superscripts to powers; NFKC alone would make 10³ into 103. */
const spelled = (text: string): string =>
  text.replace(/10([⁻⁰¹²³⁴-⁹]+)/g, (_, power: string) => `10^${power}`).replace(/m²/g, 'm2');

/** Returns whether the piece is horizontal. Most of a page has one direction; a diagonal stamp or watermark is ignored. */
const isLevel = ({ slope }: TextPiece): boolean => Math.abs(slope) < 0.09;

/** Returns the words, unordered. Pieces drawn twice at one place (a way to print bold) count once. */
export const wordsOfPieces = (pieces: readonly TextPiece[]): Word[] => {
  const parts = pieces
    .filter(isLevel)
    .map((piece) => ({ ...piece, text: spelled(piece.text) }))
    .flatMap(partsOf);
  parts.sort((a, b) => a.y - b.y || a.x - b.x);
  const rows: Part[][] = [];
  for (const part of parts) {
    const row = rows.slice(-6).find(([first]) => first && sameLine(first, part));
    if (row) row.push(part);
    else rows.push([part]);
  }
  return rows.flatMap((row) => joinRow(row.sort((a, b) => a.x - b.x))).map(toWord);
};

const joinRow = (row: readonly Part[]): Part[] => {
  const words: Part[] = [];
  for (const part of row) {
    const before = words.at(-1);
    if (!before) words.push(part);
    else if (part.text === before.text && Math.abs(part.x - before.x) < part.size * 0.15) continue;
    else if (part.x - before.right < withinWord * Math.min(before.size, part.size) && part.x > before.x) {
      if (part.x < before.right - part.size * 0.8) words.push(part);
      else words[words.length - 1] = joined(before, part);
    } else words.push(part);
  }
  return words;
};
