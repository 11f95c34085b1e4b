import type { HarmsStatement, StudyArms } from './reading.ts';
import type { Sentence } from './sentences.ts';

const PLACEBO = /\b(?:placebo|sham|dummy)\b/i;
const NOTHING =
  /\b(?:no (?:treatment|supplementation|supplement|intervention)|untreated|usual care|standard care|waiting[- ]list|control group)\b/i;
const ACTIVE =
  /\b(?:compared (?:with|to)|versus|vs\.?|or|against)\s(?:the )?(?:\d+ ?m?g (?:of )?)?(?:metformin|ibuprofen|diclofenac|sertraline|fluoxetine|escitalopram|imipramine|diazepam|oxazepam|simvastatin|atorvastatin|omeprazole|aspirin|paracetamol|acetaminophen|active (?:control|comparator)|standard (?:drug|medication|treatment|therapy)|antidepressants?|ssris?|nsaids?|statins?)\b/i;
const DOSE =
  /\b\d+(?:[.,]\d+)?\s?(?:-\s?\d+(?:\.\d+)?\s?)?(?:mg|g|µg|μg|mcg|ug|IU|ml|mL|kcal|CFU)(?:\s?\/\s?(?:kg|d|day|week|wk)|\s(?:per|a)\s(?:kg|day|week)|\s(?:daily|twice daily|once daily|three times daily|weekly))*/;
const DURATION =
  /\b(?:for|over|during|after|lasting)\s(?:a |the )?(?:\w+ )?(\d+(?:\.\d+)?|one|two|three|four|six|eight|ten|twelve|sixteen|twenty-four)[ -](days?|weeks?|wk|months?|years?)\b|\b(\d+)-(day|week|month|year)\b/i;

/** Reads comparator, dose and duration of what was given; null where the abstract does not state it. */
export const readArms = (sentences: readonly Sentence[]): StudyArms => {
  const text = sentences.map((sentence) => sentence.text).join(' ');
  const comparator = PLACEBO.test(text) ? 'placebo' : ACTIVE.test(text) ? 'active' : NOTHING.test(text) ? 'none' : null;
  const duration = DURATION.exec(text);
  return {
    comparator,
    dose: DOSE.exec(text)?.[0].trim() ?? null,
    duration: duration ? `${duration[1] ?? duration[3]} ${duration[2] ?? duration[4]}` : null,
  };
};

const HARM =
  /\b(?:adverse (?:events?|effects?|reactions?|drug reactions?)|side[- ]effects?|toxicity|well[- ]tolerated|safety|tolerability|unwanted effects?)\b/i;
const NONE =
  /\b(?:no|without|nor)\s(?:\w+[ -]){0,4}(?:adverse|side|toxicity|safety)|\b(?:adverse|side)[ -](?:events?|effects?)\s(?:was|were)\s(?:not|never)\s(?:reported|observed|seen|noted)|\bnot (?:report|observe) any (?:adverse|side)/i;
const SAME =
  /\b(?:no|not) (?:\w+ ){0,3}(?:differ\w*|increase|more)|\b(?:similar|comparable|did not differ)\b|\bnot significantly\b/i;
const MORE =
  /\b(?:more|higher|increased|greater|most)\s(?:\w+ ){0,5}(?:adverse|side[- ]effects?|events?|toxicity|withdrawals?)|\b(?:adverse|side)[ -](?:events?|effects?)\b[^.]{0,50}\b(?:more (?:common|frequent|often)|higher|increased|greater)\b/i;

/** Returns what the abstract says of harms, sentence by sentence; plans to measure safety are left out. */
export const readHarms = (sentences: readonly Sentence[]): HarmsStatement[] =>
  sentences
    .filter(({ text, section }) => HARM.test(text) && section !== 'methods' && section !== 'background')
    .map(({ text, start, end }) => ({ kind: kindOfHarm(text), passage: { start, end } }));

const kindOfHarm = (text: string): HarmsStatement['kind'] => {
  if (/\bdifferen|\bsimilar|\bcomparable/i.test(text) && SAME.test(text)) return 'no_difference';
  if (NONE.test(text)) return 'none_reported';
  if (MORE.test(text)) return 'more';
  return SAME.test(text) ? 'no_difference' : 'reported';
};
