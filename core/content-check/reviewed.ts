/** What a plugin says of one file of content/ without a database, for `npm run content:check`. */

/** Where something stands; worked out only for what is told. */
export type LineFinder = () => number | null;

export interface Called {
  readonly names: readonly string[];
  readonly kind: 'supplement' | 'nutrient' | 'medicine';
  /** Of those of a class of medicines, the ones that are not names of its members. */
  readonly classNames?: readonly string[];
}

/** Something that other entries can name. */
export interface Offer {
  /** One thing by all its names: `supplement:zinc`; `pmid:123` and `doi:10.1/x`. */
  readonly ids: readonly string[];
  /** What is stored of it, that figures are looked for in; "" where nothing is. */
  readonly says?: string;
  /** Of a source. */
  readonly tier?: string;
  /** A source that nobody has read may be listed, and not cited. */
  readonly isUnread?: boolean;
  /** What it is about, as ids; who cites it for something else has the wrong source. */
  readonly about?: readonly string[];
  /**
   * How a text calls it. To name a supplement or a medicine is to say something of it; a nutrient is in everybody, and
   * only a word on what is taken makes it one.
   */
  readonly called?: Called;
  /** Says what did not go well; a warning and advice rest on nothing else. */
  readonly warns?: boolean;
  /** Words one of which a sentence must have that rests on it, with the reason. */
  readonly mustSay?: { readonly words: RegExp; readonly because: string };
}

/** An id that some entry has to offer. */
export interface Named {
  readonly id: string;
  readonly field: string;
  readonly line: LineFinder;
}

/**
 * `claim`: says what was found, so it names what it rests on. `summary`: says in short what the claims of its entry say.
 * `general`: what a word means, what something is, what is not known, what to ask; nobody is told what works. `advice`:
 * what to do about a clash that a claim beside it tells of. `told`: general knowledge with claims in it, which rest on what
 * the page lists; see claim-extraction.ts.
 */
export type Role = 'claim' | 'summary' | 'general' | 'advice' | 'told';

export interface Passage {
  readonly text: string;
  readonly role: Role;
  /** Ids of entries, and addresses of pages that are not stored. */
  readonly cites: readonly string[];
  readonly field: string;
  readonly line: LineFinder;
  /** What it speaks of, as an id: its sources have to be about it. */
  readonly subject?: string;
  /** Of what is told: whether its page lists an offer, with its sources. */
  readonly restsOn?: (id: string) => boolean;
  /** Of what is told, where it is long: the line of a character. */
  readonly lineAt?: (offset: number) => LineFinder;
  /** Of what is told: what it explains, so that only a word on what is taken makes it a claim. */
  readonly isOwn?: (id: string) => boolean;
  /** What a claim names, and nothing that it rests on is about. */
  readonly unfounded?: readonly string[];
  /** It speaks of itself (a summary of a source): its figures are not looked for elsewhere. */
  readonly isSource?: boolean;
}

/** Something that waits for an editor although nothing in it is wrong. */
export interface DueEntry {
  /** What it waits for, as the counts name it: `label changed`. */
  readonly kind: string;
  readonly line: number | null;
  readonly words: string;
  /** The day, month or year it was read: it is due once that is too long ago. Without it, it is due now. */
  readonly since?: string;
}

export interface Reviewed {
  /** The plural that the counts are told under: `supplements`. */
  readonly kind: string;
  readonly entries: number;
  readonly offers: readonly Offer[];
  readonly names: readonly Named[];
  readonly passages: readonly Passage[];
  /** Days that entries say they were last looked at, as `2026-11-22`. */
  readonly reviewedAt?: readonly string[];
  /** Single entries that wait for an editor, now or after a time. */
  readonly due?: readonly DueEntry[];
  /** Other days that they tell: when an article was published, when something was changed. */
  readonly toldDays?: readonly string[];
}
