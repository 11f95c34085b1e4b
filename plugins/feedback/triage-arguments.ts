/** Parses the arguments of `npm run feedback`. */
import { parseArgs } from 'node:util';
import { isOutcome, OUTCOMES, type Outcome } from './outcomes.ts';

/** Maximum length of a public note, in characters. */
const MOST_NOTE = 200;

export const USAGE = [
  'feedback list [--all] | show <id> | reopen <id>',
  `feedback close <id> [--outcome ${OUTCOMES.join('|')} [--change <what> [--note "<sentence>"]]]`,
].join(' | ');

/** Explanation of `--change`, printed after the usage. */
export const CHANGE_HELP =
  '--change is a path of this service (/supplements/zinc), a number of the change log, or supplement/, condition/, interaction/, product/, article/, biomarker/, question/, source/ or page/ with a slug or id.';

export type ParsedArgs =
  | { readonly action: 'list'; readonly isAll: boolean }
  | { readonly action: 'show' | 'reopen'; readonly id: string }
  | {
      readonly action: 'close';
      readonly id: string;
      readonly outcome: Outcome | null;
      readonly change: string | null;
      readonly note: string;
    };

/** Reason why the arguments are invalid; `why` is "" when the usage alone explains it. */
export interface Misuse {
  readonly action: 'none';
  readonly why: string;
}

const misuse = (why = ''): Misuse => ({ action: 'none', why });

/** Parses the options; returns null for an unknown option or a missing value. */
const optionsOf = (args: readonly string[]) => {
  const text = { type: 'string' } as const;
  try {
    return parseArgs({
      args: [...args],
      options: { all: { type: 'boolean' }, outcome: text, change: text, note: text },
      allowPositionals: true,
    });
  } catch {
    return null;
  }
};

/** Returns why a note cannot be published, or "" when it can. */
const problemOf = (note: string): string => {
  if (!note) return 'A public sentence has words.';
  if (note.length > MOST_NOTE)
    return `A public sentence has at most ${MOST_NOTE} characters; this one has ${note.length}.`;
  if (/\p{Cc}|[\u2028\u2029\u202a-\u202e\u2066-\u2069]/u.test(note)) return 'A public sentence is one line of text.';
  return note.includes('@') ? 'A public sentence holds no address of anybody.' : '';
};

interface Given {
  readonly outcome?: string | undefined;
  readonly change?: string | undefined;
  readonly note?: string | undefined;
}

const closing = (id: string, { outcome, change, note }: Given): ParsedArgs | Misuse => {
  if (outcome !== undefined && !isOutcome(outcome)) return misuse(`An outcome is one of: ${OUTCOMES.join(', ')}.`);
  if (change !== undefined && outcome !== 'changed') return misuse('--change goes with --outcome changed.');
  if (note !== undefined && change === undefined) return misuse('--note goes with --change: readers follow it there.');
  const sentence = note?.trim();
  const problem = sentence === undefined ? '' : problemOf(sentence);
  if (problem) return misuse(problem);
  return { action: 'close', id, outcome: outcome ?? null, change: change?.trim() ?? null, note: sentence ?? '' };
};

export const parseTriageArguments = ([action, ...rest]: readonly string[]): ParsedArgs | Misuse => {
  const given = optionsOf(rest);
  if (!given || given.positionals.length > 1) return misuse();
  const { all, ...verdict } = given.values;
  const [id = ''] = given.positionals;
  const hasVerdict = Object.keys(verdict).length > 0;
  if (action === 'close' && id && !all) return closing(id, verdict);
  if (hasVerdict) return misuse();
  if (action === 'list' && !id) return { action, isAll: all === true };
  if ((action === 'show' || action === 'reopen') && id && !all) return { action, id };
  return misuse();
};
