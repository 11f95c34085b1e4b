import type { RecordText } from './record-text.ts';
import { type Findings, readFindings, resultSentences } from './result-findings.ts';

const NAMED =
  /\b(?:co-)?primary (?:\w+ )?(?:outcomes?|end-?points?|efficacy|measures?|variables?|objective|aims?|results?|hypothes[ie]s)\b/;
const DEFINED =
  /\b(?:primary|main) (?:\w+ ){0,2}(?:outcomes?|end-?points?|measures?|variables?)(?: measures?| variables?)? (?:was|were|is|are|included|of the \w+ (?:was|were))\b/;
const MENTIONED = /\bprimary (?:\w+ ){0,2}(?:outcomes?|end-?points?|measures?|variables?)\b/g;
const BEHIND =
  /^(?: measures?| variables?)?(?: (?:of|for) (?:the|this|our) (?:\w+ )?(?:study|trial))?,? ?(?:was|were|is|are|included|comprised|:)(?: defined as)? ([^.;]{4,160})/;
const BEFORE: readonly RegExp[] = [
  /([^.;:]{4,90}) (?:was|were|served as) (?:considered |chosen as |defined as |set as |selected as )?(?:(?:the|our) )?(?:co-)?$/,
  /([^.;:,]{4,60}?) ?[([](?:[a-z0-9 -]{2,12}[;,] )?(?:the )?$/,
];
const AROUND = 200;
const LITTLE = new Set(
  `change changes from baseline mean rate rates level levels score scores week weeks month months between group groups measured
  assessed proportion percentage patients participants subjects difference differences treatment intervention after before
  study trial total time with that this were which using during number incidence defined effect effects main primary
  outcome outcomes compared over follow follow-up days years each their both change-from-baseline the and for was end had
  not its are per two three placebo control first second months' scale measure measures including improvement evaluated
  response responses value values concentration concentrations`.split(/\s+/),
);
const stemsOf = (text: string): string[] => [
  ...new Set(
    (text.match(/[a-z][a-z0-9-]{2,}/g) ?? []).filter((word) => !LITTLE.has(word)).map((word) => word.slice(0, 7)),
  ),
];

const MOST_STEMS = 8;
const RESULTS_SHARE = 0.3;

/** Returns the words that define the primary outcome, from the text after its mention, else from the text before it. */
const definitionIn = (text: string): string => {
  for (const match of text.matchAll(MENTIONED)) {
    const end = match.index + match[0].length;
    const before = text.slice(Math.max(0, match.index - AROUND / 2), match.index);
    const found =
      BEHIND.exec(text.slice(end, end + AROUND)) ?? BEFORE.map((pattern) => pattern.exec(before)).find(Boolean);
    if (found?.[1] !== undefined && stemsOf(found[1]).length > 0) return found[1];
  }
  return '';
};

const definedStems = ({ abstract, body }: RecordText): string[] =>
  stemsOf(definitionIn(abstract) || definitionIn(body)).slice(0, MOST_STEMS);

/**
 * Returns the sentences that mention the outcome: those with at least half of its words, and at least two words where it has
 * several.
 */
const speakingOf = (stems: readonly string[], sentences: readonly string[]): string[] =>
  sentences.filter((sentence) => {
    const shared = stems.filter((stem) => sentence.includes(stem)).length;
    return shared * 2 >= stems.length && shared >= Math.min(2, stems.length);
  });

const NOTHING: Findings = { gains: 0, nulls: 0, within: 0 };

/**
 * Reads the findings on the primary outcome: from sentences that name it, else from sentences that use the words of its
 * definition.
 */
export const primaryFindings = (text: RecordText): Findings => {
  const named = readFindings(text.sentences.filter((one) => NAMED.test(one) && !DEFINED.test(one)));
  if (named.gains + named.nulls > 0) return named;
  const stems = definedStems(text);
  if (stems.length === 0) return NOTHING;
  const inAbstract = readFindings(speakingOf(stems, [...resultSentences(text)]));
  if (inAbstract.gains + inAbstract.nulls > 0) return inAbstract;
  // The body also contains methods and the discussion of other studies, so it may deny a benefit but must not prove one.
  const results = text.body.slice(Math.floor(text.body.length * RESULTS_SHARE));
  return { ...readFindings(speakingOf(stems, splitLower(results))), gains: 0 };
};

const splitLower = (text: string): string[] => text.split(/(?<=[a-z)\]]{2}\.) (?=[a-z(])/);

/** Reads the result of the primary outcome; null where the text does not state it or states both. */
export const primaryVerdict = (text: RecordText): 'gain' | 'null' | null => {
  const { gains, nulls, within } = primaryFindings(text);
  if (nulls > 0 && gains === 0) return 'null';
  return gains > 0 && nulls === 0 && within <= gains ? 'gain' : null;
};
