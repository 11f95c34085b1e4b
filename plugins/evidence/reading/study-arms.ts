import type { HarmsStatement, Stated, StudyArms } from './reading.ts';
import type { Sentence } from './sentences.ts';

const PLACEBO = /\b(?:placebo|sham|dummy|maltodextrin (?:group|control))/i;
const AMOUNT = /(?<![\d.,])\d{1,3}(?:,\d{3})+(?:\.\d{1,4})?|(?<![\d.,])\d{1,9}(?:\.\d{1,4})?/;
const UNIT =
  '(?:mg|grams?|g|µg|μg|mcg|ug|IU|I\\.U\\.|international units|units|mL|ml|mmol|kcal|billion CFU|CFU|mg EPA)';
const PER =
  '(?:\\s?/\\s?(?:kg(?: body (?:weight|mass))?|days?|d|week|wk)|\\s(?:per|a|each)\\s(?:kg|day|week)|\\s?·\\s?(?:kg|d(?:ay)?)|(?:-1)|\\s(?:once |twice |three times |two times )?(?:daily|weekly)|\\s(?:once|twice|three times|two times) (?:a|per) day)';
// A value measured in blood has a unit of amount per volume, which a dose does not have; amounts per volume, hour or minute are
// excluded.
const DOSE = new RegExp(
  `(?:${AMOUNT.source})\\s?(?:(?:-|to|or)\\s?\\d{1,9}(?:\\.\\d{1,4})?\\s?)?${UNIT}\\b(?!\\s?/\\s?(?:[dm]?[lL]|h|min)\\b)(?:${PER}){0,3}`,
  'g',
);
const GIVEN =
  /\b(?:receiv\w*|supplement\w*|given|giving|administ\w*|dos(?:e|es|ed|age|ages|ing)|daily|per day|\/day|\/d|treated|treatment|took|taking|taken|ingest\w*|consum\w*|assigned|allocated|randomi[sz]ed|capsules?|tablets?|oral(?:ly)?|intake|infusion|drink|powder)\b/i;
const NUMBER_WORD =
  'one|two|three|four|five|six|seven|eight|nine|ten|twelve|sixteen|eighteen|twenty-four|twenty four|\\d{1,3}(?:\\.\\d)?';
const DURATION = new RegExp(
  `(?<![\\d.±-])\\b(${NUMBER_WORD})(?:[ -](?:consecutive|continuous))?[ -]?(days?|d|weeks?|wks?|wk|months?|mos?|mo|years?|y|yrs?)\\b`,
  'gi',
);
const UNITS: Readonly<Record<string, string>> = { d: 'day', w: 'week', m: 'month', y: 'year' };
/** Words after a span of time that is the duration of a treatment. */
const PERIOD_AFTER =
  /^[ ,-]{0,2}(?:\w+[ ,-]{1,2}){0,3}?(?:trial|study|intervention|treatment|supplement\w*|period|randomi[sz]ed|double|course|administration|therapy|regimen|consumption|intake)\b/i;
const PERIOD_BEFORE =
  /\b(?:for|over|during|lasting|lasted|throughout)\s(?:a |the |an |up to |at least |about |additional |another |following )?(?:total (?:duration )?of |period of |duration of |mean of |median of )?$/i;
const NO_PERIOD =
  /^[ -]?(?:of age|olds?\b|ago|and older|or older|follow|after|before|prior|run-?in|wash-?out|later|intervals?|apart|food|diet(?:ary)? (?:record|recall)|(?:gradual )?acclimation|adaptation|mortality|survival|in each)/i;
const NO_PERIOD_BEFORE =
  /\b(?:by|aged?|ages?|older than|younger than|past|last|previous|preceding|every|gestation\w*|mean age|within|before|prior|until|follow(?:ed|-?up)(?: (?:for|of|period of))?|week|day|month|years? of)\s(?:\w+\s){0,2}$/i;
const LEAST_PERIOD = 3;

/**
 * Orders the sentences by how likely they describe the treatment: methods first, then unlabelled text, background and results.
 */
const methodsFirst = (sentences: readonly Sentence[]): readonly (readonly [Sentence, number])[] => {
  const numbered = sentences.map((sentence, index) => [sentence, index] as const);
  const rank = ({ section, text }: Sentence): number =>
    (section === 'methods' ? 0 : section === 'unknown' ? 1 : section === 'background' ? 2 : 3) +
    (GIVEN.test(text) ? 0 : 4);
  return numbered.toSorted(([left, a], [right, b]) => rank(left) - rank(right) || a - b);
};

const isStated = ({ text, section }: Sentence): boolean => GIVEN.test(text) && section !== 'conclusion';

const readDose = (sentences: readonly Sentence[], names: readonly string[]): Stated<string> | null => {
  let first: Stated<string> | null = null;
  for (const [sentence, index] of methodsFirst(sentences)) {
    if (!isStated(sentence)) continue;
    const lower = sentence.text.toLowerCase();
    const isNamed = names.some((name) => lower.includes(name));
    for (const match of sentence.text.matchAll(DOSE)) {
      // Amounts in results are mostly measurements; amounts after "±" are spreads and amounts after "by" are changes.
      if (sentence.section === 'results' && !isNamed) continue;
      if (
        /(?:±|\bby|average \w+(?: \w+)* was)\s?$/.test(sentence.text.slice(Math.max(0, match.index - 40), match.index))
      )
        continue;
      const found = { value: match[0].trim().replace(/\s+/g, ' '), sentence: index };
      if (isNamed) return found;
      first ??= found;
      break;
    }
  }
  return first;
};

/** Scores how strongly the words around a span of time indicate the duration of a treatment. */
const periodScore = ({ text, section }: Sentence, start: number, end: number): number => {
  const [before, after] = [text.slice(Math.max(0, start - 45), start), text.slice(end, end + 60)];
  if (NO_PERIOD.test(after) || NO_PERIOD_BEFORE.test(before)) return 0;
  let score = section === 'conclusion' ? -1 : section === 'methods' ? 1 : 0;
  if (PERIOD_BEFORE.test(before)) score += 3;
  if (PERIOD_AFTER.test(after)) score += 3;
  return GIVEN.test(text) ? score + 1 : score;
};

const nameDuration = (number: string, unit: string): string => {
  const name = UNITS[unit[0]!.toLowerCase()]!;
  return `${number.toLowerCase()} ${name}${/^(?:1|one)$/i.test(number) ? '' : 's'}`;
};

const readDuration = (sentences: readonly Sentence[]): Stated<string> | null => {
  let best: Stated<string> | null = null;
  let most = LEAST_PERIOD - 1;
  for (const [index, sentence] of sentences.entries())
    for (const match of sentence.text.matchAll(DURATION)) {
      const score = periodScore(sentence, match.index, match.index + match[0].length);
      if (score <= most) continue;
      [most, best] = [score, { value: nameDuration(match[1]!, match[2]!), sentence: index }];
    }
  return best;
};

/** Reads a placebo only, because words alone do not show which of several treatments is the comparator. */
const readComparator = (sentences: readonly Sentence[]): StudyArms['comparator'] => {
  const sentence = sentences.findIndex(({ text }) => PLACEBO.test(text));
  return sentence < 0 ? null : { value: 'placebo', sentence };
};

/**
 * Reads the comparator, dose and duration of the treatment, each with the number of its sentence; null where the abstract does
 * not state it. `names` are the names of the treatment in lower case: a dose in a sentence with one of them takes precedence.
 */
export const readArms = (sentences: readonly Sentence[], names: readonly string[] = []): StudyArms => ({
  comparator: readComparator(sentences),
  dose: readDose(sentences, names),
  duration: readDuration(sentences),
});

const HARM =
  /\b(?:adverse (?:events?|effects?|reactions?|drug reactions?|outcomes?)|side[- ]effects?|toxicity|well[- ]tolerated|safety|tolerability|unwanted effects?|tolerated)\b/i;
const NONE =
  /\b(?:no|without|nor|lack of|absence of)\s(?:[\w-]+ ){0,4}(?:adverse|side|toxicity|safety)|\b(?:adverse|side)[ -](?:events?|effects?|reactions?)\s(?:was|were)\s(?:not|never)\s(?:reported|observed|seen|noted)|\bnot (?:report|observe) any (?:adverse|side)|\bnone of the [^.]{0,80}(?:adverse|side)|\b(?:adverse|side)[^.]{0,60}\bnone\b|\bwell[- ]tolerated\b|\b(?:is|are|was|were|appears?|appeared) (?:to be )?(?:generally )?(?:safe|tolerated)\b/i;
const SAME =
  /\b(?:no|not) (?:[\w-]+ ){0,4}(?:differ\w*|increase|more)|\b(?:similar|comparable|did not differ|equally)\b|\bnot significantly\b/i;
const MORE =
  /\b(?:more|higher|increased|greater)\s(?:[\w-]+ ){0,3}(?:adverse|side[- ]effects?|toxicity)|\b(?:adverse|side)[ -](?:events?|effects?)\b[^.]{0,50}\b(?:more (?:common|frequent|often)|higher|increased|greater)\b/i;
/** Matches aims, plans and calls for research. */
const NO_RESULT =
  /\b(?:aim\w*|objective|purpose|to (?:assess|evaluate|investigate|determine|examine|compare|confirm)|needed|should|warranted|required|further|future|outcomes? (?:was|were|included|measures?)|proved|inconclusive|unclear|unknown|consider)\b/i;

/** Returns the statements of the abstract on harms, sentence by sentence; sentences without a result on harms are left out. */
export const readHarms = (sentences: readonly Sentence[]): HarmsStatement[] =>
  sentences.flatMap(({ text, section }, sentence) => {
    if (!HARM.test(text) || section === 'methods' || section === 'background' || NO_RESULT.test(text)) return [];
    const value = kindOfHarm(text);
    return value === null ? [] : [{ value, sentence }];
  });

const kindOfHarm = (text: string): HarmsStatement['value'] | null => {
  if (SAME.test(text) && /\bdifferen|\bsimilar|\bcomparable|\bequally|\bdiffer\b/i.test(text)) return 'no_difference';
  if (NONE.test(text)) return 'none_reported';
  // Harms without a comparison are left out, because about half of such sentences are not a result.
  return MORE.test(text) && !SAME.test(text) && !isComparatorsHarm(text) ? 'more' : null;
};

/** Returns whether the comparator has more harm, as in "more common with placebo than with zinc". */
const isComparatorsHarm = (text: string): boolean => {
  const [comparator, than] = [text.search(/\b(?:placebo|controls?)\b/i), text.search(/\bthan\b/i)];
  return comparator >= 0 && (than < 0 || comparator < than);
};
