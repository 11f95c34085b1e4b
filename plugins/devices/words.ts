/** Sentences about devices, for their page. */

/** What a person agreed to, by subject. */
export const CONSENT_WORDS: Readonly<Record<string, string>> = {
  lab_upload: 'Reading a laboratory report and keeping its values for this device',
};

export const NOTICE_WORDS = {
  moved: 'Your data is on this device now. The phrase is used up: make a new one if you want one.',
  unknown_phrase:
    'No data belongs to this phrase. Check each word against what you wrote down; a phrase works once, and only the one made last.',
  not_a_phrase: 'These are not the twelve words of a phrase: one is missing or misspelt.',
  nothing_here: 'Nothing is kept for this device yet, so there is nothing that a phrase could bring back.',
  erased: 'Everything that was kept for this device has been deleted, and its cookie with it.',
} as const;

export type Notice = keyof typeof NOTICE_WORDS;
