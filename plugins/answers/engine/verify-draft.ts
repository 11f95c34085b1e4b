/** Holds what a language model wrote against the stored texts. A claim that its quotes do not carry is cut. */
import type { SearchIndex } from '#core/search/port.ts';
import type { DraftClaim } from './draft.ts';
import type { EvidenceItem } from './evidence-item.ts';
import { givesInstructions } from './instructions.ts';
import { locateQuote, wordLimit } from './quotes.ts';
import { wordCount } from './sentences.ts';
import { isNegated } from './words.ts';

export interface VerifiedClaim {
  /** Plain text without marks or markup. */
  readonly text: string;
  readonly citations: readonly number[];
}

export type CutReason = 'citation' | 'quote' | 'number' | 'support' | 'negation' | 'direction' | 'wording';

/** Share of a claim's weight (names that every source shares count too) that its quotes must hold. */
const LEAST_SUPPORT = 0.6;
const LEAST_QUOTE_WORDS = 4;

const NUMBER_WORDS: Readonly<Record<string, string>> = {
  two: '2',
  three: '3',
  four: '4',
  five: '5',
  six: '6',
  seven: '7',
  eight: '8',
  nine: '9',
  ten: '10',
  eleven: '11',
  twelve: '12',
  fifteen: '15',
  sixteen: '16',
  twenty: '20',
  thirty: '30',
  half: '0.5',
  double: '2',
  twice: '2',
  third: '3',
  quarter: '4',
};

/** Figures of a text in one form: "1,208" as 1208, "twelve" as 12. */
export const figuresIn = (text: string): ReadonlySet<string> =>
  new Set([
    ...[...text.matchAll(/\d+(?:[.,·]\d+)*/g)].map(([figure]) =>
      figure
        .replace(/,(?=\d{3}\b)/g, '')
        .replace(/[,·]/g, '.')
        .replace(/^0+(?=\d)/, ''),
    ),
    ...(text.toLowerCase().match(/[a-z]+/g) ?? []).flatMap((word) => NUMBER_WORDS[word] ?? []),
  ]);

const UP = /\b(?:increas|rais|rose|higher|greater|more|longer|worsen|grew|gain)\w*/i;
const DOWN = /\b(?:decreas|reduc|lower|fell|drop|declin|less|fewer|short|eas(?:ed|es)\b|halv)\w*/i;

/** A claim of one direction on quotes of the other only. */
const turnsAround = (claim: string, quotes: string): boolean =>
  (UP.test(claim) && !DOWN.test(claim) && DOWN.test(quotes) && !UP.test(quotes)) ||
  (DOWN.test(claim) && !UP.test(claim) && UP.test(quotes) && !DOWN.test(quotes));

/** Words that no claim may bring in by itself: verdicts, advice, certainty. */
const GUARDED: readonly RegExp[] = [
  /\b(?:safe(?:ly)?|harmless|risk-?free|no risks?)\b/i,
  /\b(?:should|must|recommend\w*|advis\w+|ought|consult|avoid)\b/i,
  /\b(?:cures?|cured|proven|proves?|guarantee\w*|always|never|definitely|certainly|all (?:people|patients|adults)|everyone)\b/i,
  /\b(?:causes?|caused|causing|because of|due to)\b/i,
];

const HEDGED = /\b(?:may|might|could|suggest\w*|appear\w*|seem\w*|possibl[ey]|potential\w*|probabl[ey])\b/i;

const bringsIn = (claim: string, quotes: string): boolean =>
  GUARDED.some((words) => words.test(claim) && !words.test(quotes)) ||
  (HEDGED.test(quotes) && !HEDGED.test(claim) && /\bwill\b/i.test(claim));

const plainText = (text: string): string =>
  text
    .replace(/\[\s*\d+(?:\s*[,;–-]\s*\d+)*\s*\]/g, '')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/<[^>]*>|https?:\/\/\S+|[*_`#]/g, '')
    .replace(/\s+/g, ' ')
    .replace(/\s+([.,;])/g, '$1')
    .trim();

const carriedBy = (claim: DraftClaim, items: readonly EvidenceItem[]): Map<number, string[]> | 'citation' | 'quote' => {
  if (!claim.citations.length || claim.citations.some((n) => !items[n - 1])) return 'citation';
  const quotes = new Map<number, string[]>(claim.citations.map((n) => [n, []]));
  for (const quote of claim.quotes) {
    const text = quote.trim();
    if (wordCount(text) < LEAST_QUOTE_WORDS || givesInstructions(text)) return 'quote';
    const n = claim.citations.find((mark) => {
      const place = locateQuote(items[mark - 1]!.row, text);
      return place !== null && wordCount(text) <= wordLimit(items[mark - 1]!.row, place.from);
    });
    if (n === undefined) return 'quote';
    quotes.get(n)?.push(text);
  }
  return [...quotes.values()].every((list) => list.length > 0) ? quotes : 'quote';
};

/** The claim as it may be shown, or why it is cut. Every cited source must carry a quote of its own. */
export const verifyClaim = (
  claim: DraftClaim,
  items: readonly EvidenceItem[],
  index: SearchIndex,
): VerifiedClaim | CutReason => {
  const text = plainText(claim.text);
  if (wordCount(text) < LEAST_QUOTE_WORDS || wordCount(text) > 60 || givesInstructions(text)) return 'wording';
  const quotes = carriedBy(claim, items);
  if (typeof quotes === 'string') return quotes;
  const said = [...quotes.values()].flat().join(' ');
  const figures = figuresIn(said);
  for (const figure of figuresIn(text)) if (!figures.has(figure)) return 'number';
  // What a source is about may stand in its title only; what it found must stand in the quote.
  const titles = [...quotes.keys()].map((n) => items[n - 1]!.row.title).join(' ');
  const scorer = index.scorer(text);
  if (scorer.score(`${said} ${titles}`).coverage < LEAST_SUPPORT || scorer.score(said).coverage < LEAST_SUPPORT / 2)
    return 'support';
  for (const list of quotes.values()) if (isNegated(list.join(' ')) !== isNegated(text)) return 'negation';
  if (turnsAround(text, said)) return 'direction';
  return bringsIn(text, said) ? 'wording' : { text, citations: [...new Set(claim.citations)] };
};
