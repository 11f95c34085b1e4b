/** Splits the Markdown of entries into sentences with their citations. */
import type { CitationSyntax } from '../render/citations.ts';
import { isMedicalAdvice } from './advice.ts';
import type { LineFinder, Passage } from './reviewed.ts';

/** The end of a sentence, or the start of a list item, a table row or bold text. */
const BREAK = /(?<=[.!?:]["”’)]?)\s+(?=[A-Z“*\d[])|\n\s*\n|\n(?=[-|#])|\*\*/;

/** Returns the visible text without Markdown. */
export const plain = (text: string): string =>
  text
    .replace(/\[@[^\]]+\]/g, ' ')
    .replace(/\[([^\]]+)\]\([^)]+\)/g, '$1')
    .replace(/^\s*(?:#{1,6}|[-*|]|Table:)\s*/gm, '')
    .replace(/[*_`|]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();

/** Returns the sentences and list items of a text in order, without headings. */
export const sentencesOf = (text: string): string[] =>
  text
    .replace(/^#+ .*$/gm, '')
    .split(BREAK)
    .map((sentence) => sentence.trim())
    .filter(Boolean);

export interface ProseParts {
  readonly body: string;
  readonly syntax: CitationSyntax;
  readonly subject?: string;
  /** Headings under which the text gives general definitions. */
  readonly general?: RegExp;
  readonly lineAt: (offset: number) => LineFinder;
}

/** A figure that readers take for a result: not a year, a list number or part of a name. */
const RESULT =
  /(?<![\w.])\d+(?:[.,]\d+)?\s?(?:%|mg|g|µg|kg|mL|ml|IU|mmol|mmHg|points?|people|men|women|adults|children|trials|studies|weeks|months|days)\b/;

/** A link to an external address, or to an entry that has sources of its own. */
const LINK = /\]\((https?:[^)\s]+|\/[^)\s]+|\.\.\/[^)\s]+\.md)\)/g;
const linksIn = (text: string): string[] =>
  [...text.matchAll(LINK)].map(([, to = '']) => (to.startsWith('http') ? to : `/${to}`));

/** Quoted text, such as that of a label. */
const SHOWN = /[“"][^”"]*[”"]/g;

const saysSomething = (words: string): boolean => {
  const said = words.replace(SHOWN, '“…”');
  return RESULT.test(said) || (isMedicalAdvice(said) && !said.endsWith('?'));
};

interface Piece {
  readonly text: string;
  readonly at: number;
  /** Null when the piece has no citation of its own. */
  readonly refs: readonly string[] | null;
}

/** Splits a paragraph into sentences, each with its citation; a sentence with two citations becomes two pieces. */
const piecesOf = (paragraph: string, at: number, syntax: CitationSyntax): Piece[] => {
  const pieces: Piece[] = [];
  let from = 0;
  const add = (text: string, refs: readonly string[] | null): void => {
    const sentences = text.split(BREAK);
    let place = from;
    for (const [nth, sentence] of sentences.entries()) {
      if (plain(sentence))
        pieces.push({ text: sentence, at: at + place, refs: nth === sentences.length - 1 ? refs : null });
      place += sentence.length;
    }
  };
  for (const mark of paragraph.matchAll(/\[(@[^\]]+)\]/g)) {
    add(paragraph.slice(from, mark.index), syntax.refsIn(mark[1] ?? ''));
    from = mark.index + mark[0].length;
  }
  add(paragraph.slice(from), null);
  return pieces;
};

/**
 * Extracts the claims of a text. Each citation forms a claim with the preceding words, back to the start of its sentence or row,
 * or to the previous citation. A sentence with a result or with advice but without a citation cites the page that it links to,
 * else the next citation in its paragraph; when there is none, it cites nothing.
 */
export const claimsIn = ({ body, syntax, subject, general, lineAt }: ProseParts): Passage[] => {
  const found: Passage[] = [];
  let heading = '';
  let at = 0;
  for (const paragraph of body.split(/(\n\s*\n)/)) {
    heading = /^##+ (.+)$/m.exec(paragraph)?.[1] ?? heading;
    const pieces = piecesOf(paragraph, at, syntax);
    for (const [nth, { text, at: place, refs }] of pieces.entries()) {
      const words = plain(text);
      const links = refs ? [] : linksIn(text);
      const cites = refs ?? (links.length ? links : null) ?? pieces.slice(nth).find((piece) => piece.refs)?.refs ?? [];
      const isGeneral = !cites.length && general?.test(heading) === true;
      if (refs || (!isGeneral && saysSomething(words)))
        found.push({
          text: words.replace(SHOWN, '“…”'),
          role: 'claim',
          cites,
          field: 'text',
          line: lineAt(place),
          ...(subject && { subject }),
        });
    }
    at += paragraph.length;
  }
  return found;
};
