/** Chooses the one sentence of a source that best answers a question, verbatim and within the limits of its licence. */
import type { PassageScorer } from '#core/search/port.ts';
import type { SourceRow } from '#plugins/evidence/index.ts';
import { countCues, GAIN_CUES, HARM_CUES, NOT_A_FINDING, NULL_CUES } from './finding-cues.ts';
import { givesInstructions } from './instructions.ts';
import type { Question } from './question.ts';
import { type Section, type Sentence, sentencesOf, wordCount } from './sentences.ts';

export type QuoteField = 'summary' | 'abstract' | 'title';

/** A verbatim quote: `text` equals `storedText(row, from).slice(start, end)`. */
export interface Quote {
  readonly text: string;
  readonly from: QuoteField;
  readonly start: number;
  readonly end: number;
  readonly section: Section;
  readonly score: number;
}

/** Maximum length in words of a sentence quoted from an abstract whose licence does not allow more. */
export const QUOTE_WORDS = 49;
const LONGEST_OPEN_QUOTE = 90;

export const storedText = (row: SourceRow, from: QuoteField): string => row[from];

const mayBeQuoted = ({ license, sourceClass }: SourceRow): boolean =>
  /^(CC BY( \d|$)|CC0|public domain)/i.test(license) || sourceClass === 'clinical_trial';

/** Returns the maximum length in words of one quote from this text. */
export const wordLimit = (row: SourceRow, from: QuoteField): number =>
  from === 'summary' || mayBeQuoted(row) ? LONGEST_OPEN_QUOTE : QUOTE_WORDS;

const SECTION_WEIGHT: Readonly<Record<Section, number>> = {
  conclusion: 0.35,
  results: 0.2,
  none: 0.1,
  methods: -0.35,
  background: -0.4,
};

/** Returns whether a text may be quoted. A bracketed number would look like a citation mark of the answer. */
export const isQuotable = (text: string): boolean =>
  /\p{L}{3}/u.test(text) && !/\[\s*\d|\]\(|https?:\/\//.test(text) && !givesInstructions(text);

/** Matches statements of what a study did not measure, which would mislead when quoted as an answer. */
export const NOT_LOOKED_AT =
  /\b(?:was|were|is|are|has|have) (?:not|never)(?: been)? (?:studied|measured|assessed|tested|recorded|reported|looked at|examined|collected|stated|given)\b/i;

/** Matches statements of a link, or of no change or difference. */
const LINKED = /\b(?:no|a|any) (?:\w+ )?links?\b|\bno [^.;]{3,90}\b(?:differed|changed|improved)\b/i;
/** Matches statements about dropouts. They say nothing about the outcome, but much about harm. */
const LEFT_TRIAL = /\b(?:dropped out|withdrew|left the (?:trial|study))\b/i;
/** Matches statements of the limitations of a study. */
const LIMITATION =
  /\b(?:nobody was blinded|without blinding|cannot be (?:separated|told)|neither design|no control group|gives no figure|were compared (?:for|over|in)|which is only a pointer)\b/i;
const saysFinding = (text: string): boolean =>
  LINKED.test(text) || [NULL_CUES, HARM_CUES, GAIN_CUES].some((cues) => countCues(text, cues) > 0);

const findingWeight = (text: string, asksHarm: boolean): number => {
  const harms = countCues(text, HARM_CUES);
  const cues = countCues(text, NULL_CUES) + harms + countCues(text, GAIN_CUES);
  const figures = /\d/.test(text) ? 0.06 : 0;
  const finding =
    (cues || LINKED.test(text) ? Math.min(3, Math.max(1, cues)) * 0.1 : -0.7) - (NOT_LOOKED_AT.test(text) ? 1 : 0);
  return (
    finding +
    figures +
    (asksHarm ? (harms ? 0.5 : -0.3) : LEFT_TRIAL.test(text) ? -0.5 : 0) -
    (NOT_A_FINDING.test(text) || LIMITATION.test(text) ? 0.35 : 0)
  );
};

export interface SentenceScorers {
  /** Returns whether a text names a topic or condition of the question; true when the question names none. */
  readonly onTopic: (text: string) => boolean;
  readonly whole: PassageScorer;
  readonly rest: PassageScorer;
}

const scoreOf = (
  sentence: Sentence,
  { whole, rest, onTopic }: SentenceScorers,
  question: Question,
  from: QuoteField,
): number => {
  const all = whole.score(sentence.text);
  const own = rest.terms.length ? rest.score(sentence.text).coverage : 0;
  const short = wordCount(sentence.text) < 6 ? 0.3 : 0;
  // Editors write the finding after the design; unlabelled abstracts put the finding last.
  const isDesign = from === 'summary' && sentence.place === 0 && !saysFinding(sentence.text);
  const place = isDesign ? -0.5 : sentence.section !== 'none' || from === 'summary' ? 0 : sentence.place * 0.25;
  return (
    all.coverage * 0.6 +
    own * 0.4 +
    Math.max(0, all.cosine ?? 0) * 0.4 +
    SECTION_WEIGHT[sentence.section] +
    findingWeight(sentence.text, question.asks.has('harm')) +
    (question.topics.length && onTopic(sentence.text) ? 0.25 : 0) +
    place -
    short
  );
};

const candidatesIn = (row: SourceRow, from: QuoteField): readonly Sentence[] => {
  const stored = storedText(row, from);
  if (!stored) return [];
  if (from === 'title') return [{ text: stored, start: 0, end: stored.length, section: 'none', place: 1 }];
  return sentencesOf(stored).filter(({ text }) => isQuotable(text) && wordCount(text) <= wordLimit(row, from));
};

/**
 * Returns the best sentence of the summary, otherwise of the abstract, otherwise the title. Returns null when nothing may be
 * quoted.
 */
export const chooseQuote = (row: SourceRow, scorers: SentenceScorers, question: Question): Quote | null => {
  for (const from of ['summary', 'abstract', 'title'] as const) {
    const scored = candidatesIn(row, from).map((sentence) => ({
      text: sentence.text,
      from,
      start: sentence.start,
      end: sentence.end,
      section: sentence.section,
      score: scoreOf(sentence, scorers, question, from),
    }));
    const [best] = scored.sort((a, b) => b.score - a.score || a.start - b.start);
    if (best) return best;
  }
  return null;
};

/** Returns whether the stored text contains the quote verbatim at its recorded position. */
export const isVerbatim = (row: SourceRow, { text, from, start, end }: Omit<Quote, 'section' | 'score'>): boolean =>
  text !== '' && storedText(row, from).slice(start, end) === text;

/** Returns the position of a verbatim text in the stored fields of a source, or null when no field contains it. */
export const locateQuote = (row: SourceRow, text: string): Omit<Quote, 'section' | 'score'> | null => {
  for (const from of ['summary', 'abstract', 'title'] as const) {
    const start = text ? storedText(row, from).indexOf(text) : -1;
    if (start >= 0) return { text, from, start, end: start + text.length };
  }
  return null;
};
