import { unifyCharacters } from './tokens.ts';

export type Section = 'background' | 'methods' | 'results' | 'conclusion' | 'unknown';

/** A sentence of an abstract with its position in the original text and its section. */
export interface Sentence {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly section: Section;
}

const ABSTRACT_LIMIT = 12_000;
const END = /[.!?][)"\]]? {1,3}(?=["([]?[A-Z0-9])|\n+/g;
const NO_END = /(?:\bvs|\be\.g|\bi\.e|\bet al|\bapprox|\bno|\bdr|\bfig|\bsp|\b[A-Z])\.$/i;
const LABEL = /^\W{0,3}([A-Za-z][A-Za-z' &/-]{3,45}?)\s?(?::|\.(?= ?$)|\. ?-|- )/;
const SECTION_WORDS: readonly (readonly [Section, RegExp])[] = [
  [
    'conclusion',
    /^(?:authors'? ?)?(?:conclusion|interpretation|discussion|significance|clinical (?:relevance|implications)|what this study adds)/i,
  ],
  ['results', /^(?:main |key |principal )?(?:results?|findings|measurements and main results|main outcome)/i],
  [
    'methods',
    /^(?:materials?|methods?|patients|subjects|participants|study|design|setting|interventions?|search|selection|data|trial|measurements|funding|registration|population|eligib)/i,
  ],
  [
    'background',
    /^(?:background|introduction|context|objectives?|aims?|purpose|rationale|importance|hypothesis|question)/i,
  ],
];

const readSection = (sentence: string): Section | null => {
  const label = LABEL.exec(sentence)?.[1];
  if (!label) return null;
  return SECTION_WORDS.find(([, words]) => words.test(label))?.[0] ?? null;
};

/** Splits an abstract into sentences. Text after 12,000 characters is ignored; the running time is linear in the length. */
export const splitAbstract = (abstract: string): Sentence[] => {
  const text = abstract.slice(0, ABSTRACT_LIMIT);
  const unified = unifyCharacters(text);
  const sentences: Sentence[] = [];
  let section: Section = 'unknown';
  const add = (from: number, to: number): void => {
    const raw = unified.slice(from, to);
    const start = from + (raw.length - raw.trimStart().length);
    const end = to - (raw.length - raw.trimEnd().length);
    if (end <= start) return;
    section = readSection(unified.slice(start, Math.min(end, start + 60))) ?? section;
    sentences.push({ text: unified.slice(start, end), start, end, section });
  };
  let from = 0;
  for (const match of text.replaceAll(/[\u00a0\t\r]/g, ' ').matchAll(END)) {
    const end = match.index + match[0].trimEnd().length;
    if (match[0][0] === '.' && NO_END.test(unified.slice(Math.max(from, end - 8), end))) continue;
    add(from, end);
    from = match.index + match[0].length;
  }
  add(from, text.length);
  return sentences;
};
