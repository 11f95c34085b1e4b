/** Decides which questions are refused, and why. */
import { alarmIn, LONG_AGO } from './alarm.ts';
import type { NameBook } from './names-in-text.ts';
import { namesInText } from './names-in-text.ts';
import type { HistoryTurn } from './port.ts';
import { dangerBelief } from './refusal-model.ts';
import {
  ACUTE,
  ASKS_STUDIED_DOSE,
  DANGER_SIGNS,
  FIRST_PERSON,
  namesChild,
  namesNursing,
  namesPregnancy,
  OVERDOSE,
  OVERDOSE_STUDIED,
  RESEARCH,
  SELF_HARM,
  SIGNS_STUDIED,
  STOP_MEDICINE,
  STOP_STUDIED,
  tersePersonal,
  wishesDose,
} from './refusal-words.ts';

export const REFUSAL_KINDS = [
  'self_harm',
  'overdose',
  'emergency',
  'stop_medicine',
  'child_dose',
  'pregnancy_dose',
  'breastfeeding_dose',
] as const;
export type RefusalKind = (typeof REFUSAL_KINDS)[number];

/** Names of medicines that are also substances of the body: "a drop in testosterone" is not a change of a prescription. */
const OWN_SUBSTANCES = new Set(
  'testosterone estradiol progesterone dopamine epinephrine histamine acetylcholine adenosine oxytocin thyroid urea alcohol glucose oxygen water dextrose estrogens'.split(
    ' ',
  ),
);

/** Folds a text and replaces each medicine and each supplement by a single placeholder word. */
const plain = (text: string, book: NameBook): string => {
  let named = text;
  const names = [...namesInText(book, text)].sort((a, b) => b.start - a.start);
  for (const { kind, slug, start, end } of names) {
    if (OWN_SUBSTANCES.has(slug)) continue;
    const word = kind === 'drug' || kind === 'class' ? 'medx' : kind === 'supplement' ? 'supx' : '';
    if (word && !/\b(?:medx|supx)/.test(named.slice(start, end)))
      named = `${named.slice(0, start)}${word}${named.slice(end)}`;
  }
  return foldQuestion(named);
};

/** Folds a question for the phrases and the model: lower case, no accents, straight apostrophes, single spaces. */
export const foldQuestion = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[’‘ʼ`´]/g, "'")
    .replace(/[‐-―−]/g, '-')
    .replace(/[^\p{L}\p{N}'.,?!:;%&/@-]+/gu, ' ')
    .replace(/(?<=\d),(?=\d{3})/g, '')
    .trim();

const isStudied = (text: string): boolean => RESEARCH.test(text) && !FIRST_PERSON.test(text) && !ACUTE.test(text);

/** Probability of the model above which a question counts as danger; see bench/ask/README.md. */
const DANGER = 0.65;
/** Minimum number of words for the model; shorter questions carry too little information. */
const LEAST_WORDS = 5;

const isOver = (text: string): boolean => LONG_AGO.test(text) && !ACUTE.test(text);

/** Returns the kind of danger in a text, or null. Danger that is only a subject of study does not count. */
const dangerIn = (text: string): RefusalKind | null => {
  if (SELF_HARM.test(text) && !isStudied(text)) return 'self_harm';
  const calm = !FIRST_PERSON.test(text) && !ACUTE.test(text);
  if (OVERDOSE.test(text) && !(calm && (RESEARCH.test(text) || OVERDOSE_STUDIED.test(text)))) return 'overdose';
  if (DANGER_SIGNS.test(text) && !(calm && SIGNS_STUDIED.test(text)) && !isOver(text)) return 'emergency';
  return alarmIn(text);
};

/** Returns whether a question without any known phrase still resembles one from someone in danger. */
const soundsLikeDanger = (text: string): boolean =>
  text.split(' ').length >= LEAST_WORDS &&
  dangerBelief(text) >= DANGER &&
  !(RESEARCH.test(text) && !FIRST_PERSON.test(text) && !ACUTE.test(text));

const doseKind = (text: string): RefusalKind | null => {
  if (!wishesDose(text) && !tersePersonal(text)) return null;
  if (ASKS_STUDIED_DOSE.test(text) && !FIRST_PERSON.test(text)) return null;
  if (namesNursing(text)) return 'breastfeeding_dose';
  if (namesPregnancy(text)) return 'pregnancy_dose';
  return namesChild(text) ? 'child_dose' : null;
};

const kindOf = (text: string): RefusalKind | null => {
  if (STOP_MEDICINE.test(text) && !(STOP_STUDIED.test(text) && !FIRST_PERSON.test(text))) return 'stop_medicine';
  return doseKind(text);
};

const LEANS = /^(?:and|but|so|what about|how about|what if|then|ok|okay)\b|\b(?:it|that|this|them|those)\b/;
const SHORT_WORDS = 8;

/**
 * Returns why a question is refused, or null when it is not. A question that depends on the user's last turn is read together
 * with it: "and for my toddler?" after "how much iron should I take?".
 */
export const refusalOf = (question: string, history: readonly HistoryTurn[], book: NameBook): RefusalKind | null => {
  // The text is also checked as typed, so that replaced names do not hide the words of "took 20 iron tablets" from a pattern.
  const asked = plain(question, book);
  const typed = foldQuestion(question);
  const own = dangerIn(asked) ?? dangerIn(typed) ?? kindOf(asked) ?? kindOf(typed);
  if (own) return own;
  if (soundsLikeDanger(typed)) return 'emergency';
  const last = history
    .toReversed()
    .find(({ role }) => role === 'user')
    ?.content.slice(0, 1_000);
  if (!last || !(LEANS.test(asked) || asked.split(' ').length <= SHORT_WORDS)) return null;
  const before = plain(last, book);
  return dangerIn(before) ?? (changesWho(asked) ? kindOf(`${before} ${asked}`) : null);
};

const changesWho = (text: string): boolean => namesChild(text) || namesPregnancy(text) || namesNursing(text);
