/** Reads the pages of a PDF: the words of the text layer, or the page as an image. Nothing is fetched, and no script runs. */
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import {
  getDocument,
  OPS,
  PasswordResponses,
  type PDFDocumentProxy,
  type PDFPageProxy,
} from 'pdfjs-dist/legacy/build/pdf.mjs';
import { ReadingFailure } from './failure.ts';
import type { Word } from './page-words.ts';
import { checkStreams } from './pdf-streams.ts';
import { type TextPiece, wordsOfPieces } from './pieces.ts';

/** Maximum number of text pieces on one page; no report has more. */
const mostPieces = 60_000;
/** Maximum number of pixels. A page larger than an A3 sheet at 200 dots per inch is drawn at a lower resolution. */
const mostPixels = 8_000_000;
const dotsPerInch = 200;

export interface PdfPage {
  readonly width: number;
  readonly height: number;
  /** Null when the page has no trustworthy text layer, but other content to read. */
  words(): Promise<readonly Word[] | null>;
  /** The page as PNG, about 200 dots per inch. */
  draw(): Promise<Buffer>;
  close(): void;
}

export interface Pdf {
  readonly pages: number;
  /** `number` starts at 1. */
  page(number: number): Promise<PdfPage>;
  close(): Promise<void>;
}

const packageFolder = dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'));
const inPackage = (name: string): string => `${join(packageFolder, name)}/`;

const settings = {
  verbosity: 0,
  enableXfa: false,
  stopAtErrors: false,
  useSystemFonts: false,
  disableFontFace: true,
  maxImageSize: 40_000_000,
  canvasMaxAreaInBytes: 4 * mostPixels,
  standardFontDataUrl: inPackage('standard_fonts'),
  cMapUrl: inPackage('cmaps'),
  cMapPacked: true,
  wasmUrl: inPackage('wasm'),
  iccUrl: inPackage('iccs'),
} as const;

/** Rendering mode of invisible text. A scanner puts such text behind its image; it also comes from OCR, without a confidence. */
const invisible = 3;
/** Number of strokes below which they are lines and frames, not letters drawn as shapes. */
const fewStrokes = 150;

interface Drawn {
  readonly pictures: number;
  readonly strokes: number;
  readonly isTextHidden: boolean;
}

const drawnOn = async (page: PDFPageProxy): Promise<Drawn> => {
  const { fnArray, argsArray } = await page.getOperatorList();
  let [modes, hidden, pictures, strokes] = [0, 0, 0, 0];
  for (const [at, op] of fnArray.entries()) {
    if (op === OPS.setTextRenderingMode) {
      modes += 1;
      if ((argsArray[at] as number[])[0] === invisible) hidden += 1;
    } else if (op === OPS.paintImageXObject || op === OPS.paintInlineImageXObject || op === OPS.paintImageMaskXObject)
      pictures += 1;
    else if (op === OPS.constructPath) strokes += 1;
  }
  return { pictures, strokes, isTextHidden: pictures > 0 && hidden > 0 && hidden * 2 >= modes };
};

/** Returns whether the text is gibberish: fonts without a Unicode map yield private-use or control characters. */
const isGibberish = (text: string): boolean => {
  const odd = text.match(/[\p{Co}\p{Cc}\p{Cn}\uFFFD]/gu)?.length ?? 0;
  return odd * 5 > text.length;
};

const textPieces = async (page: PDFPageProxy): Promise<readonly TextPiece[]> => {
  const viewport = page.getViewport({ scale: 1 });
  const pieces: TextPiece[] = [];
  const reader = page.streamTextContent({ disableNormalization: false }).getReader();
  for (;;) {
    const { value, done } = await reader.read();
    if (done) break;
    for (const item of value.items) {
      if (!('str' in item) || !item.str.trim()) continue;
      const [a, b, c, d, e, f] = item.transform as [number, number, number, number, number, number];
      const [x, y] = viewport.convertToViewportPoint(e, f) as [number, number];
      const [x2, y2] = viewport.convertToViewportPoint(e + a, f + b) as [number, number];
      const size = Math.hypot(c, d);
      pieces.push({ text: item.str, x, y, width: item.width, size, slope: Math.atan2(y2 - y, x2 - x) });
    }
    if (pieces.length > mostPieces) {
      await reader.cancel();
      throw new ReadingFailure('not_a_report');
    }
  }
  return pieces;
};

const leastText = 20;

/** Returns the words of the text layer; null if the page needs OCR. */
const words = async (page: PDFPageProxy): Promise<readonly Word[] | null> => {
  const pieces = await textPieces(page);
  const text = pieces.map((piece) => piece.text).join('');
  const { pictures, strokes, isTextHidden } = await drawnOn(page);
  if (isTextHidden || isGibberish(text)) return null;
  const isBare = text.replace(/\s/g, '').length < leastText;
  return isBare && (pictures > 0 || strokes >= fewStrokes) ? null : wordsOfPieces(pieces);
};

const draw = async (page: PDFPageProxy): Promise<Buffer> => {
  const { createCanvas } = await import('@napi-rs/canvas');
  const natural = page.getViewport({ scale: 1 });
  const scale = Math.min(dotsPerInch / 72, Math.sqrt(mostPixels / (natural.width * natural.height)));
  const viewport = page.getViewport({ scale });
  const canvas = createCanvas(Math.max(1, Math.ceil(viewport.width)), Math.max(1, Math.ceil(viewport.height)));
  await page.render({ canvas: canvas as never, viewport, background: 'white' }).promise;
  return canvas.encode('png');
};

const pageOf = (page: PDFPageProxy): PdfPage => {
  const { width, height } = page.getViewport({ scale: 1 });
  return { width, height, words: () => words(page), draw: () => draw(page), close: () => void page.cleanup() };
};

const opened = async (bytes: Buffer): Promise<PDFDocumentProxy> => {
  const task = getDocument({ data: new Uint8Array(bytes), ...settings });
  let isEncrypted = false;
  task.onPassword = (_: unknown, reason: number): void => {
    isEncrypted = reason === PasswordResponses.NEED_PASSWORD;
    throw new Error('password');
  };
  try {
    return await task.promise;
  } catch (error) {
    await task.destroy().catch(() => undefined);
    isEncrypted ||= (error as Error).name === 'PasswordException';
    throw new ReadingFailure(isEncrypted ? 'encrypted' : 'damaged');
  }
};

/**
 * Opens a PDF.
 * @throws ReadingFailure `encrypted`, `damaged` or `too_large`.
 */
export const openPdf = async (bytes: Buffer): Promise<Pdf> => {
  checkStreams(bytes);
  const document = await opened(bytes);
  return {
    pages: document.numPages,
    page: async (number) => pageOf(await document.getPage(number)),
    close: () => document.loadingTask.destroy(),
  };
};
