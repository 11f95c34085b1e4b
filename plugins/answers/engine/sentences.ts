/** Splits stored texts into sentences with their positions, so that a quote can be verified against its text. */

export type Section = 'background' | 'methods' | 'results' | 'conclusion' | 'none';

/** A sentence: `text` is `stored.slice(start, end)`, without the label of its section. */
export interface Sentence {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly section: Section;
  /** Relative position, from 0 (first sentence) to 1 (last). */
  readonly place: number;
}

const LABEL =
  /(?:^|(?<=[.!?)\]]\s{1,3})|(?<=\n\s{0,3}))((?:[A-Z][A-Z &/,'()-]{3,60})|(?:Backgrounds?|Introduction|Context|Objectives?|Aims?|Purpose|Rationale|Importance|Methods?|Materials and methods|Methods and results|Patients and methods|Subjects and methods|Design|Study design|Setting|Participants|Interventions?|Results?|Findings|Main results|Main outcome measures?|Conclusions?|Conclusions? and relevance|Authors' conclusions|Interpretation|Discussion|Significance|Trial registration|Registration|Funding))(?::|\s[-–]\s)\s*/g;

const sectionOf = (label: string): Section => {
  const text = label.toLowerCase();
  if (/conclusion|interpretation|significance|implication|discussion/.test(text)) return 'conclusion';
  if (/result|finding|outcome data/.test(text)) return 'results';
  if (/background|introduction|context|objective|aim|purpose|rationale|importance|hypothes/.test(text))
    return 'background';
  return /method|design|setting|participant|patient|subject|intervention|measure|material|registration|funding|search|data|analys|selection/.test(
    text,
  )
    ? 'methods'
    : 'none';
};

const ABBREVIATION = /(?:\b(?:vs|e\.g|i\.e|al|approx|no|dr|fig|cf|ca|resp|incl|sp|spp|st|mr|mrs)|\b[A-Za-z])\.$/i;

/** Returns the ends of sentences in a text: full stops before a capital, a digit, a bracket or a quotation mark. */
const endsIn = (text: string): number[] => {
  const ends: number[] = [];
  for (const { 0: mark, index } of text.matchAll(/[.!?]["”’')\]]{0,2}(?=\s+["“‘'([]{0,2}[\p{Lu}\p{N}])/gu)) {
    const end = index + mark.length;
    if (mark.startsWith('.') && ABBREVIATION.test(text.slice(Math.max(0, index - 8), index + 1))) continue;
    ends.push(end);
  }
  return [...ends, text.length];
};

interface Piece {
  readonly section: Section;
  readonly from: number;
  readonly to: number;
}

const piecesOf = (stored: string): Piece[] => {
  const labels = [...stored.matchAll(LABEL)];
  const first: Piece = { section: 'none', from: 0, to: labels[0]?.index ?? stored.length };
  return [
    first,
    ...labels.map(({ 0: whole, 1: label = '', index }, at) => ({
      section: sectionOf(label),
      from: index + whole.length,
      to: labels[at + 1]?.index ?? stored.length,
    })),
  ].filter(({ from, to }) => to > from);
};

const MOST_TEXT = 30_000;

/** Returns the sentences of a stored text, in order. Only the first 30,000 characters are read. */
export const sentencesOf = (stored: string): readonly Sentence[] => {
  const found: Omit<Sentence, 'place'>[] = [];
  for (const { section, from, to } of piecesOf(stored.slice(0, MOST_TEXT))) {
    const piece = stored.slice(from, to);
    let begin = 0;
    for (const stop of endsIn(piece)) {
      const raw = piece.slice(begin, stop);
      const text = raw.trim();
      const start = from + begin + (raw.length - raw.trimStart().length);
      begin = stop;
      if (text) found.push({ text, start, end: start + text.length, section });
    }
  }
  return found.map((sentence, at) => ({ ...sentence, place: found.length > 1 ? at / (found.length - 1) : 1 }));
};

/** Counts words in the same way as a licence does. */
export const wordCount = (text: string): number => text.split(/\s+/).filter(Boolean).length;
