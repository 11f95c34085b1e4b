/** Shared parts of a tagged PDF: the open document, its text styles and its measures. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import PDFDocument from 'pdfkit';

/** Folder of the embedded fonts; WinAnsi fonts have no µ, ≥ or superscripts beyond ³. */
const FONTS = join(dirname(createRequire(import.meta.url).resolve('dejavu-fonts-ttf/package.json')), 'ttf');
export const MARGIN = 48;
export const FOOT = 40;
export const INK = '#1b1f20';
export const SOFT = '#565d5c';
export const LINE = '#bfbcb0';
export const GRAVE = '#96380f';
export const ACCENT = '#0b5357';

export interface Column {
  readonly title: string;
  /** Share of the width. */
  readonly share: number;
}

type Document = InstanceType<typeof PDFDocument>;
export type Struct = ReturnType<Document['struct']>;

export interface FlowOptions {
  readonly title: string;
  readonly createdAt: Date;
}

/**
 * Tables for ligatures and kerning. Parsing them takes most of the time of a document, and words with ligatures are copied
 * incorrectly.
 */
const SHAPING = new Set(['GPOS', 'GSUB', 'GDEF', 'kern']);
const fonts = new Map<string, Buffer>();

/** Returns a font without its shaping tables, whose names are overwritten with an unknown one. */
const fontOf = (name: string): Buffer => {
  const known = fonts.get(name);
  if (known) return known;
  const bytes = readFileSync(join(FONTS, name));
  for (let table = 0, at = 12; table < bytes.readUInt16BE(4); table += 1, at += 16)
    if (SHAPING.has(bytes.toString('latin1', at, at + 4))) bytes.write('none', at, 'latin1');
  fonts.set(name, bytes);
  return bytes;
};

/** The document being written. */
export interface State {
  readonly doc: Document;
  readonly root: Struct;
  readonly width: number;
  readonly bottom: number;
}

export const openPages = ({ title, createdAt }: FlowOptions): State => {
  const doc = new PDFDocument({
    size: 'A4',
    margins: { top: MARGIN, bottom: FOOT, left: MARGIN, right: MARGIN },
    bufferPages: true,
    tagged: true,
    pdfVersion: '1.7',
    lang: 'en',
    displayTitle: true,
    font: '',
    info: { Title: title, CreationDate: createdAt, Producer: 'PDFKit', Creator: 'PDFKit' },
  });
  doc.registerFont('plain', fontOf('DejaVuSans.ttf'));
  doc.registerFont('bold', fontOf('DejaVuSans-Bold.ttf'));
  const root = doc.struct('Document');
  doc.addStructure(root);
  return { doc, root, width: doc.page.width - 2 * MARGIN, bottom: doc.page.height - FOOT - 24 };
};

/** Starts a new page unless the given height, in points, fits on this one. */
export const room = ({ doc, bottom }: State, height: number): void => {
  if (doc.y + height > bottom && doc.y > MARGIN) doc.addPage();
};

/** Draws text under a tag, all of it on one page. */
export const tagged = (state: State, parent: Struct, tag: string, draw: () => void, options: object = {}): void => {
  const element = state.doc.struct(tag, options);
  parent.add(element);
  element.add(draw);
  element.end();
};

export interface Voice {
  readonly font: 'plain' | 'bold';
  readonly size: number;
  readonly colour: string;
}

export const speak = ({ doc }: State, { font, size, colour }: Voice): void => {
  doc.font(font).fontSize(size).fillColor(colour);
};
