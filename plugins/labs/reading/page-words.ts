/** Data model of words with their positions on a page, from any kind of reading. Rows are detected in these. */

/** A rectangle in the page's own unit (points or pixels), y downwards. */
export interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface Word extends Rectangle {
  readonly text: string;
  /** 0 to 1; 1 for a text layer. */
  readonly confidence: number;
  /** Text of another reading of the same letters, if it differs. */
  readonly rival?: string;
}

export interface PageWords {
  /** Starts at 1, over all files of the upload. */
  readonly page: number;
  /** Index of its file in the upload. */
  readonly file: number;
  readonly width: number;
  readonly height: number;
  readonly words: readonly Word[];
  readonly readBy: 'text' | 'ocr' | 'model';
}

/** Returns the bounding box of all parts; zeros when there are none. */
export const around = (parts: readonly Rectangle[]): Rectangle => {
  if (!parts.length) return { x: 0, y: 0, width: 0, height: 0 };
  const x = Math.min(...parts.map((part) => part.x));
  const y = Math.min(...parts.map((part) => part.y));
  const right = Math.max(...parts.map((part) => part.x + part.width));
  const bottom = Math.max(...parts.map((part) => part.y + part.height));
  return { x, y, width: right - x, height: bottom - y };
};

export const median = (numbers: readonly number[]): number => {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
};

export const textOf = (words: readonly Word[]): string => words.map(({ text }) => text).join(' ');
