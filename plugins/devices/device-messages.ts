/** Messages about devices, for their page. */

const BY_SUBJECT: Readonly<Record<string, string>> = {
  lab_upload: 'Reading a laboratory report and keeping its values for this device',
  lab_model: 'Sending the pages of a laboratory report to the vision model that the operator chose',
  supplement_log: 'Keeping what you take, encrypted, for this device',
  phone_health: 'Reading a phone’s health export and keeping its days and laboratory values for this device',
};

/** Describes the subject of a consent. */
export const consentInWords = (subject: string): string =>
  BY_SUBJECT[subject] ??
  (subject.startsWith('wearable:')
    ? `Fetching days from ${subject.slice('wearable:'.length)} and keeping them`
    : subject);

export const NOTICE_WORDS = {
  moved: 'Your data is on this device now. The phrase is used up: make a new one if you want one.',
  unknown_phrase:
    'No data belongs to this phrase. Check each word against what you wrote down; a phrase works once, and only the one made last.',
  not_a_phrase: 'These are not the twelve words of a phrase: one is missing or misspelt.',
  nothing_here: 'Nothing is kept for this device yet, so there is nothing that a phrase could bring back.',
  erased: 'Everything that was kept for this device has been deleted, and its cookie with it.',
} as const;

/** Describes until when a back-up may contain data deleted today; `keepDays` is null if the operator has not set it. */
export const backupsInWords = (keepDays: number | null, now = Date.now()): string => {
  if (keepDays === 0) return 'The operator of this instance keeps no back-ups.';
  if (keepDays === null)
    return 'Back-ups that the operator of this instance made before may still hold it; how long they are kept, the operator has not said. Ask at the contact page.';
  return `Back-ups that were made before may still hold it until ${lastDay(keepDays, now)}; they are then deleted as well.`;
};

/** Returns the day (RFC 3339) on which the last back-up with today's data is deleted. */
export const lastDay = (keepDays: number, now = Date.now()): string =>
  new Date(now + keepDays * 86_400_000).toISOString().slice(0, 10);

export type Notice = keyof typeof NOTICE_WORDS;
