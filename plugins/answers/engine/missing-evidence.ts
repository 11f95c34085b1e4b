/**
 * Writes the answer when no source fits: what was searched for, what exists instead, and which study would answer the
 * question.
 */
import type { SearchIndex } from '#core/search/port.ts';
import { inSentence } from '#plugins/evidence/index.ts';
import { asMarkdown } from './attribution.ts';
import { groupsAsked } from './fit.ts';
import { narrowConditions, type Question } from './question.ts';
import type { Found } from './retrieval.ts';

const list = (names: readonly string[], word: string): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} ${word} ${names.at(-1)}`;

const subjectOf = ({ supplements, substances }: Question): string =>
  list(
    [...supplements, ...substances].map(({ name }) => inSentence(name)),
    'or',
  );

const goalOf = ({ topics, conditions, rest }: Question): string => {
  const named = conditions.length ? conditions : topics;
  const names = [...new Set(named.map(({ name }) => inSentence(name)))];
  return names.length ? list(names.slice(0, 3), 'or') : rest.slice(0, 80);
};

/** States that an absence of findings is not evidence of absence, and never that something is safe. */
export const NOT_SAFE_NOTE = 'Finding nothing here does not mean that it is safe, nor that it does not work.';

const whatIsThere = ({ aboutSubject }: Found, question: Question): string => {
  const subject = subjectOf(question);
  if (!subject) return '';
  const count = aboutSubject.length;
  if (!count && question.supplements.length + question.substances.length > 1)
    return `No source near this question is about ${[...question.supplements, ...question.substances].map(({ name }) => inSentence(name)).join(' and ')} together.`;
  return count
    ? `The base has ${count === 1 ? '1 source' : `${count} sources`} near this question that ${count === 1 ? 'is' : 'are'} about ${subject}, but none of them looks at what was asked.`
    : `No source in this base is about ${subject}.`;
};

/** Returns a description of the trial that would settle the question, naming a registered one when there is any. */
export const whatWouldAnswer = (
  question: Question,
  registered: readonly { title: string; nctId: string }[],
): string => {
  const [subject, goal] = [subjectOf(question), goalOf(question)];
  const [entry] = registered;
  const underWay = entry
    ? ` A trial on a register may look at it: ${entry.title.replace(/\.$/, '')}${entry.nctId ? ` (${entry.nctId})` : ''}.`
    : '';
  if (question.asks.has('harm') && subject)
    return `Trials or long-term cohorts of ${subject} that record unwanted effects in all participants and compare them with people who do not take it.${underWay}`;
  if (question.medicines.length && subject)
    return `A study in people who take ${subject} together with ${list(
      question.medicines.map(({ name }) => inSentence(name)),
      'or',
    )}, measuring blood levels and unwanted effects.${underWay}`;
  if (subject)
    return `Randomised trials of ${subject} against placebo${goal ? ` that measure ${goal}` : ''}, with an outcome that was named beforehand.${underWay}`;
  return `Studies in people on ${goal || 'the subject of the question'} whose abstracts are in this base.${underWay}`;
};

/** Returns words of the question that occur in no source, in the order of the question. */
const unknownWords = ({ rest }: Question, index: SearchIndex): string[] =>
  [...new Set(rest.split(' '))].filter((word) => word.length > 3 && index.frequency(word) === 0).slice(0, 3);

/**
 * Returns whether a question names nothing in the vocabulary. In that case a lack of sources does not mean a lack of
 * evidence.
 */
const namesNothing = ({ supplements, substances, conditions, topics, medicines, limits }: Question): boolean =>
  [supplements, substances, conditions, topics, medicines, limits.unknown].every(({ length }) => length === 0) &&
  !limits.subject &&
  !limits.vertical;

/** Matches words that refer to something swallowed or to health, which suggest a name that the vocabulary lacks. */
const OF_HEALTH =
  /\b(?:supplement\w*|vitamins?|minerals?|herb\w*|extracts?|root|leaf|acid|powder|pills?|tablets?|capsules?|dos(?:e|es|age)|mg|take|taking|side effects?|safe|unsafe|effective\w*|remed\w+|cure[sd]?|treat\w*|symptoms?|disease|health\w*|medicines?|medication|drugs?|patients?|clinical|trials?|surg\w+|therap\w+|diagnos\w+|cancer|pain|sleep|blood|heart|diet|food|eat\w*)\b/i;

export const isOutside = (question: Question): boolean => namesNothing(question) && !OF_HEALTH.test(question.text);

const OUTSIDE =
  'This question is outside what this base covers: it holds research on supplements, what they do, what harm they can do, and what they do not go together with.';
const OUTSIDE_HINT = 'If it was about a supplement, a condition or a medicine, ask again with its usual name.';
/** Shown in place of a study, because none of the kind in this base would answer the question. */
export const OUTSIDE_ANSWER = 'Another source: no study of the kind that this base collects would answer it.';

interface Missing {
  readonly found: Found;
  readonly wouldAnswer: string;
  readonly index: SearchIndex;
  /** True when an interaction is on record, so that a part of the question is answered. */
  readonly onRecord: boolean;
}

/** Returns the Markdown for a question that the base cannot answer. */
export const missingAnswer = (
  question: Question,
  { found, wouldAnswer, index, onRecord }: Missing,
): { answer: string; summary: string } => {
  if (isOutside(question) && !onRecord)
    return {
      answer: [OUTSIDE, OUTSIDE_HINT, `**What would answer it:** ${OUTSIDE_ANSWER}`].join('\n\n'),
      summary: OUTSIDE,
    };
  const [subject, goal] = [subjectOf(question), goalOf(question)];
  const about = subject && goal ? `${subject} and ${goal}` : subject || goal;
  const summary = `The sources in this base do not answer this question${about ? ` (${about})` : ''}.`;
  const unknown = unknownWords(question, index);
  const parts = onRecord
    ? ['Beyond what is on record above, no study in this base looks at this question.']
    : [
        asMarkdown(summary),
        unknown.length
          ? `No source here holds the word${unknown.length > 1 ? 's' : ''} ${list(
              unknown.map((word) => `“${asMarkdown(word)}”`),
              'or',
            )}.`
          : '',
        asMarkdown(whatIsThere(found, question)),
        NOT_SAFE_NOTE,
      ];
  const answer = [...parts, `**What would answer it:** ${asMarkdown(wouldAnswer)}`].filter(Boolean).join('\n\n');
  return { answer, summary };
};

/**
 * Returns the note for sources that fit the supplement and the outcome, but contain none of the other words of the question.
 */
export const partlyNote = (question: Question): string => {
  const conditions = narrowConditions(question).map(({ name }) => inSentence(name));
  const words = question.rest.split(' ').filter((word) => word.length > 2);
  const all = [...new Set([...conditions, ...groupsAsked(question.text), ...words])]
    .slice(0, 4)
    .map((word) => `“${asMarkdown(word)}”`);
  const missing = all.length ? list(all, 'and') : 'all that was asked';
  return `_No source here that is about this supplement and outcome speaks of ${missing}. What follows answers a part of the question only._`;
};
