/**
 * Detects danger with a second set of patterns, after the phrases of refusal-words.ts. It combines parts of phrases (a part
 * of the body and its symptom; a person, an act and a product), so that it also matches unusual wordings. Because these
 * patterns are broad, they apply only to reports about a person: a general question about a supplement is not refused.
 * Texts are lower case, without accents, with straight apostrophes; medicines may be replaced by `medx`, supplements by
 * `supx`.
 */
import { dulledCount, FOREIGN_SIGNS, STRONG_SIGNS } from './alarm-signs.ts';
import { OVER_TAKEN, PER_DAY } from './alarm-taken.ts';
import { WISHES_END } from './alarm-wishes.ts';

/** Matches a report about oneself or another person, or a question about what to do now. */
const TELLS =
  /\b(?:i|i'm|im|i've|ive|i'd|me|my|mine|we|our|us|he|he's|hes|she|she's|shes|him|her|his|now|just|today|tonight|help me|please help)\b/;
const IN_GENERAL =
  /^(?:(?:and|so|but|ok|okay|hi|hello|please|tell me)[, ]+)*(?:does|do|did|is|are|was|were|has|have|had|can|could|should|would|will|may|might|which|what|what's|whats|how|why|who|when|where|any|are there|evidence|studies|trials?)\b/;
const STUDIED =
  /\b(?:trials?|stud(?:y|ies)|evidence|meta-?analys[ei]s|systematic|reviews?|randomi[sz]ed|incidence|prevalence|cohorts?|literature|case (?:reports?|series)|rats?|mice|mouse|in vitro|mechanisms?|risk of|side effects?|linked to|associated with|reported|prevention)\b/;
/** Matches events that are long past. */
export const LONG_AGO =
  /\b(?:years? ago|last year|months ago|used to|as a (?:child|kid|teen(?:ager)?)|in (?:19|20)\d\d|history of)\b/;

/** Matches symptoms that are long past or long known, and so are not acute. */
const LONG_KNOWN =
  /\b(?:years? ago|last year|months? ago|used to|as a (?:child|kid|teen)|history of|(?:was|were|been) diagnosed|sometimes|often|occasionally|every (?:night|morning|evening|winter|spring|summer|month|year|now and then|time i)|always|chronic|for (?:years|months|ages|decades)|mild(?:ly)?|a bit|slight(?:ly)?|a little)\b/;

/** Matches words that state that something is or has happened, which a keyword search lacks. */
const HAPPENS =
  /\b(?:is|are|was|were|has|have|had|feels?|felt|goes|gone|went|keeps?|took|after|since|while|when|looks?|won't|wont|can't|cant|cannot|not|no|\w+(?:ing|ed|s))\b/;

/** Matches something that was just taken, started or mixed. */
const TRIGGER =
  /\b(?:after|since|from|took|taken|taking|takes|swallowed|drank|ate|had|used|mixed|mixing|combin\w+|doubl\w+|plus|with|and|on|ago|overnight|tonight|today|now|suddenly|this (?:morning|afternoon|evening))\b/;

export type Alarm = 'self_harm' | 'overdose' | 'emergency';

const isTold = (text: string): boolean =>
  !STUDIED.test(text) && (TELLS.test(text) || (!IN_GENERAL.test(text) && HAPPENS.test(text)));

/** Returns the danger that a report describes, or null when there is none or when the text only asks about research. */
export const alarmIn = (text: string): Alarm | null => {
  if (WISHES_END.test(text) && !STUDIED.test(text)) return 'self_harm';
  if (FOREIGN_SIGNS.test(text)) return 'emergency';
  if (!isTold(text)) return null;
  if (OVER_TAKEN.test(text) && !(PER_DAY.test(text) && !/\b(?:just|at once|accident\w*|mistake)\b/.test(text)))
    return 'overdose';
  if (LONG_KNOWN.test(text)) return null;
  if (STRONG_SIGNS.test(text)) return 'emergency';
  const dulled = dulledCount(text);
  return dulled > 1 || (dulled === 1 && TRIGGER.test(text)) ? 'emergency' : null;
};
