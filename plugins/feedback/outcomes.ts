/** What may come of a message. */

export const OUTCOMES = ['changed', 'already_known', 'not_changed', 'not_for_us', 'thanks'] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** As readers see them; `not_said` is a closed message of which no editor said more. */
export const OUTCOME_WORDS: Readonly<Record<Outcome | 'not_said', string>> = {
  changed: 'Led to a change',
  already_known: 'Known already',
  not_changed: 'Looked into; nothing was changed',
  not_for_us: 'Not about the content of this site',
  thanks: 'Thanks',
  not_said: 'Closed without a recorded outcome',
};

/** In the place of an outcome: words that were deleted before anybody closed the matter. */
export const LAPSED = 'lapsed';

export const isOutcome = (word: string): word is Outcome => (OUTCOMES as readonly string[]).includes(word);
