/** Possible outcomes of a message. */

export const OUTCOMES = ['changed', 'already_known', 'not_changed', 'not_for_us', 'thanks'] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** Labels that readers see; `not_said` is a closed message without a recorded outcome. */
export const OUTCOME_WORDS: Readonly<Record<Outcome | 'not_said', string>> = {
  changed: 'Led to a change',
  already_known: 'Known already',
  not_changed: 'Looked into; nothing was changed',
  not_for_us: 'Not about the content of this site',
  thanks: 'Thanks',
  not_said: 'Closed without a recorded outcome',
};

/** Stored instead of an outcome when the text was deleted before anybody closed the message. */
export const LAPSED = 'lapsed';

export const isOutcome = (word: string): word is Outcome => (OUTCOMES as readonly string[]).includes(word);
