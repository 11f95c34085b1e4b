/** Markdown of entries as sentences, and what each of them cites. */
import type { CitationSyntax } from '../render/citations.ts';
import { isMedicalAdvice } from './advice.ts';
import type { LineFinder, Passage } from './reviewed.ts';

/** Where a sentence ends, and where what is told in a list, a table or in bold begins. */
const BREAK = /(?<=[.!?:]["”’)]?)\s+(?=[A-Z“*\d[])|\n\s*\n|\n(?=[-|#])|\*\*/;

/** Without marks of Markdown: what is read. */
export const plain = (text: string): string =>
  text
    .replace(/\[@[^\]]+\]/g, ' ')
    .replace(/\[([^\]]+)\]\([^)]+\)/g, '$1')
    .replace(/^\s*(?:#{1,6}|[-*|]|Table:)\s*/gm, '')
    .replace(/[*_`|]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();

/** Of a text, in order and as they stand there; items of lists are such too, headings are none. */
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
  /** Under these headings the text says what something is. */
  readonly general?: RegExp;
  readonly lineAt: (offset: number) => LineFinder;
}

/** What a reader takes for a result: a figure that is no year, no number of a list and no part of a name. */
const RESULT =
  /(?<![\w.])\d+(?:[.,]\d+)?\s?(?:%|mg|g|µg|kg|mL|ml|IU|mmol|mmHg|points?|people|men|women|adults|children|trials|studies|weeks|months|days)\b/;

/** A page that a sentence sends its reader to: an address, or an entry that has the sources itself. */
const LINK = /\]\((https?:[^)\s]+|\/[^)\s]+|\.\.\/[^)\s]+\.md)\)/g;
const linksIn = (text: string): string[] =>
  [...text.matchAll(LINK)].map(([, to = '']) => (to.startsWith('http') ? to : `/${to}`));

/** Words that are only shown, such as those of a label. */
const SHOWN = /[“"][^”"]*[”"]/g;

const saysSomething = (words: string): boolean => {
  const said = words.replace(SHOWN, '“…”');
  return RESULT.test(said) || (isMedicalAdvice(said) && !said.endsWith('?'));
};

interface Piece {
  readonly text: string;
  readonly at: number;
  /** null: it has no citation of its own. */
  readonly refs: readonly string[] | null;
}

/** A paragraph as sentences, each with the citation that stands in it; a sentence with two citations is two. */
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
 * Each citation is a claim with the words before it, as far as its sentence, its row or the citation before reaches. A
 * sentence with a result or with advice and no citation rests on the page that it links to, else on the next citation of
 * its paragraph; where none follows, on nothing.
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
