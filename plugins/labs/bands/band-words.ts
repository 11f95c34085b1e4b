/**
 * Interprets the words beside a printed range: a population ("Male: 13-17"), a state ("Deficient < 20"), a goal ("Optimal <
 * 100"), or nothing beyond "reference range". Supports English, German, French, Spanish, Italian and Dutch, as far as
 * laboratories print them.
 */
import { readUnit } from '../reading/book.ts';

/**
 * Population of a range. A member is null if the words do not restrict it; `isOther` is set for conditions that a report cannot
 * answer (cycle, time of day, therapy).
 */
export interface Condition {
  readonly sex: 'female' | 'male' | null;
  /** Years, both ends inclusive. */
  readonly ageFrom: number | null;
  readonly ageTo: number | null;
  readonly isFasting: boolean | null;
  readonly isPregnant: boolean;
  readonly isOther: boolean;
}

/**
 * Meaning of a range. `range`: no state is named; `normal`: the expected state; `goal`: a value outside proves nothing; `state`:
 * a finding, such as a deficiency or a risk; `unknown`: words that we do not understand.
 */
export type Meaning = 'range' | 'normal' | 'goal' | 'state' | 'unknown';

export interface BandWords {
  readonly meaning: Meaning;
  /** Side of the normal range on which a state lies, if the words say so. */
  readonly side: 'low' | 'high' | null;
  readonly condition: Condition;
  /** Whether the text consists only of such words. A line of them belongs to the row above it. */
  readonly isOnly: boolean;
}

const word = (list: string): RegExp => new RegExp(String.raw`(?<![\p{L}\d])(?:${list})(?![\p{L}\d])`, 'giu');

const FEMALE = word(
  'f|w|female|females|women|woman|frau|frauen|weiblich|femmes?|féminin|mujer|mujeres|femenino|donne|femmina|femmine|vrouw|vrouwen',
);
const MALE = word(
  'm|male|males|men|man|mann|männer|männlich|hommes?|masculin|hombres?|masculino|varón|varones|uomini|maschi|man(?:nen)?',
);
const CHILD = word(
  'child(?:ren)?|kind(?:er)?|enfants?|niños?|bambini|infants?|newborns?|neonates?|p(?:a)?ediatric|säuglinge?|adolescents?|teen(?:s|agers?)?',
);
const ADULT = word('adults?|erwachsene[nr]?|adultes?|adultos?|adulti|volwassenen');
const PREGNANT = word(
  String.raw`pregnan(?:t|cy)|trimest(?:er|re|ral?)\w*|gestation(?:al)?|schwanger(?:e|schaft)?|ssw|grossesse|enceintes?|embaraz(?:o|adas?)|gravidanza|zwanger(?:schap)?`,
);
const NOT_FASTING = word(
  'non-? ?fasting|not fasting|random|post-? ?prandial|after (?:a )?meals?|nicht nüchtern|postprandial[e]?|gelegenheits\\p{L}*',
);
const FASTING = word('fasting|fasted|nüchtern|à jeun|en ayunas|ayunas|basal|digiuno|nuchter');
const OTHER = word(
  String.raw`follic\p{L}*|luteal\p{L}*|lutéal\p{L}*|folli[ck]\p{L}*|mid-? ?cycle|ovulat\p{L}*|zyklus\p{L}*|phase|menstrua\p{L}*|(?:post|pre|peri|prä)-?meno\p{L}*|menopaus\p{L}*|klimakter\p{L}*|ménopaus\p{L}*|a\.?m\.?|p\.?m\.?|morning|evening|midnight|morgens?|abends?|matin|soir|mañana|tarde|smokers?|non-?smokers?|raucher|nichtraucher|fumeurs?|therap\p{L}*|anticoag\p{L}*|on treatment|unter therapie|dialysis|tanner|trough|peak|talspiegel|day|tag|jour|weeks?|wk|woche|months?|monate?|supine|upright|standing|liegend|stehend|african|black|white|asian|caucasian|race`,
);

const GOAL = word(
  String.raw`optimal\p{L}*|optimum|óptimo|ottimale|ideal\p{L}*|goals?|targets?|ziel\p{L}*|control|objectif|objetivo|recommended|empfohlen\p{L}*|(?:low|lower|lowest|average|no|minimal|negligible|geringes?|niedriges?|faible|bajo) (?:cv |cardiovascular |relative )?(?:risk|risiko|risque|riesgo)`,
);
const NORMAL = word(
  String.raw`normal\p{L}*|normwert\p{L}*|norm|desirable|désirable|deseable|wünschenswert|sufficien(?:t|cy)|suffisant|suficiente|ausreichend|adequate|healthy|gesund|negativ[eo]?|négatif|acceptable|satisfactory|replete|non-? ?(?:diabet\p{L}*|reactive|deficien\p{L}*|pregnant)|no(?:t)? (?:diabet\p{L}*|deficien\p{L}*|reactive)|kein(?:e)? (?:diabetes|mangel)|within(?: normal)?(?: limits)?|unauffällig`,
);
const NEAR_GOAL = word(`(?:near|above|below|sub)[- ]?optimal|(?:mild|slight)ly? (?:elevated|increased|decreased)`);
const STATE_LOW = word(
  String.raw`deficien\p{L}*|insufficien\p{L}*|inadequate|mangel|unzureichend|insuffizien\p{L}*|carence|déficit|deficit|insuffisan\p{L}*|insuficien\p{L}*|carenza|carente|low|lower|very low|niedrig|erniedrigt|tief|bas|bajo|basso|hypo\p{L}*|decreased|reduced|depleted|poor|failure|ckd|insufficienza|an[a]?emi[ae]|neutropeni[ae]|thrombocytopeni[ae]`,
);
const STATE_HIGH = word(
  String.raw`diabet\p{L}*|pre-? ?diabet\p{L}*|prädiabet\p{L}*|prédiab\p{L}*|high|higher|very high|hoch|erhöht|élevé[e]?|elevad[oa]|alto|elevated|increased|raised|hyper\p{L}*|toxic\p{L}*|excess\p{L}*|infarct\p{L}*|(?:a)?mi|acs|obes\p{L}*|overweight|positiv[eo]?|positif|reactive|impaired(?: fasting)?|ifg|igt|suspicious|overload|inflammation|overdose`,
);
const STATE = word(
  String.raw`borderline|grenzwertig|limite|límite|intermediate|intermédiaire|moderate\p{L}*|mäßig|severe\p{L}*|schwer\p{L}*|mild\p{L}*|critical|kritisch|panic|alert|abnormal\p{L}*|anormal|pathologisch|stage|stadium|grade|class|indeterminate|equivocal|fraglich|gr[ae]y(?: zone)?|(?:at )?risk|risiko|risque|riesgo|disease|possible|probable|likely|suggest\p{L}*|consistent|indicat\p{L}*|rule[- ]?(?:in|out)`,
);
const RISK = word('risks?|risiko|risque|riesgo|rischio');
/** Words that say only that this is a range. */
const PLAIN = word(
  String.raw`reference|referenz\p{L}*|référence|referencia|riferimento|ref|range|ranges|bereich|interval\p{L}*|intervall|standard|expected|values?|wert|werte|valeurs?|valor(?:es)?|usuelles?|usual|usually|limits?|level|levels|of|the|and|und|et|y|for|für|pour|is|are|or|to|in|by|von|bis|adult range|rr|ri|lab|result|results|calc|calculated|soll|sollwert|years?|yrs?|jahre|ans|años`,
);

const isIn = (pattern: RegExp, text: string): boolean => {
  pattern.lastIndex = 0;
  return pattern.test(text);
};
const without = (pattern: RegExp, text: string): string => text.replace(pattern, ' ');

const NO_CONDITION: Condition = {
  sex: null,
  ageFrom: null,
  ageTo: null,
  isFasting: null,
  isPregnant: false,
  isOther: false,
};

export const isForAll = ({ sex, ageFrom, ageTo, isFasting, isPregnant, isOther }: Condition): boolean =>
  sex === null && ageFrom === null && ageTo === null && isFasting === null && !isPregnant && !isOther;

/** `bands.ts` writes ages into the text as "age_40_49", with "x" for an open end. */
const AGE = /age_(\d+|x)_(\d+|x)/;
const OTHER_DIGITS = /#\S*/;

interface Read {
  readonly condition: Condition;
  readonly rest: string;
}

const conditionOf = (text: string): Read => {
  let rest = text;
  const take = (pattern: RegExp): boolean => {
    if (!isIn(pattern, rest)) return false;
    rest = without(pattern, rest);
    return true;
  };
  const age = AGE.exec(rest);
  rest = rest.replace(AGE, ' ');
  // "pre-menopausal" and "non-pregnant" contain other words, so the longer ones are matched first.
  const isNotPregnant = take(word('(?:non|not)[- ]?pregnant|nicht schwanger'));
  const isOther = take(OTHER);
  const isPregnant = take(PREGNANT);
  const isNotFasting = take(NOT_FASTING);
  const isFasting = take(FASTING);
  const isChild = take(CHILD);
  const isAdult = take(ADULT);
  const [isFemale, isMale] = [take(FEMALE), take(MALE)];
  const end = (given: string | undefined): number | null => (given && given !== 'x' ? Number(given) : null);
  const condition: Condition = {
    sex: isFemale === isMale ? null : isFemale ? 'female' : 'male',
    ageFrom: end(age?.[1]) ?? (isAdult ? 18 : null),
    ageTo: end(age?.[2]) ?? (isChild && !isAdult ? 17 : null),
    isFasting: isNotFasting ? false : isFasting ? true : null,
    isPregnant: isPregnant && !isNotPregnant,
    isOther: isOther || OTHER_DIGITS.test(rest),
  };
  return { condition, rest: rest.replace(OTHER_DIGITS, ' ') };
};

const meaningOf = (text: string): Pick<BandWords, 'meaning' | 'side'> => {
  if (isIn(NEAR_GOAL, text)) return { meaning: 'state', side: null };
  if (isIn(GOAL, text)) return { meaning: 'goal', side: null };
  if (isIn(NORMAL, text)) {
    const rest = without(NORMAL, text);
    const contradicts = isIn(STATE_LOW, rest) || isIn(STATE_HIGH, rest) || isIn(STATE, rest);
    return { meaning: contradicts ? 'state' : 'normal', side: null };
  }
  // A low value can mean a high risk, so the bound determines the side.
  if (isIn(RISK, text)) return { meaning: 'state', side: null };
  const [low, high] = [isIn(STATE_LOW, text), isIn(STATE_HIGH, text)];
  if (low || high) return { meaning: 'state', side: low === high ? null : low ? 'low' : 'high' };
  if (isIn(STATE, text)) return { meaning: 'state', side: null };
  return { meaning: lettersLeft(text) > 1 ? 'unknown' : 'range', side: null };
};

/** Counts the letters that are neither words of a range nor a unit. */
const lettersLeft = (text: string): number =>
  without(PLAIN, text)
    .split(/\s+/)
    .filter((one) => readUnit(one) === null)
    .join('')
    .replace(/[^\p{L}]/gu, '').length;

const MEANINGS = [NEAR_GOAL, GOAL, NORMAL, STATE_LOW, STATE_HIGH, STATE];

/**
 * Interprets the words of a range.
 * @param text the words beside one range, without its numbers.
 */
export const readBandWords = (text: string): BandWords => {
  if (!/[\p{L}#]/u.test(text)) return { meaning: 'range', side: null, condition: NO_CONDITION, isOnly: true };
  const { condition, rest } = conditionOf(text.normalize('NFC').toLowerCase());
  const others = MEANINGS.reduce((left, pattern) => without(pattern, left), rest);
  return { ...meaningOf(rest), condition, isOnly: lettersLeft(others) <= 1 };
};
