/** The types with which a plugin describes one file of content/ for `npm run content:check`, without a database. */

/** Returns the line of something in the file; it is computed only for findings. */
export type LineFinder = () => number | null;

export interface Called {
  readonly names: readonly string[];
  readonly kind: 'supplement' | 'nutrient' | 'medicine';
  /** For a class of medicines: the names in `names` that are not names of its members. */
  readonly classNames?: readonly string[];
}

/** A subject or source that other entries can reference. */
export interface Offer {
  /** All ids of the item: `supplement:zinc`; `pmid:123` and `doi:10.1/x`. */
  readonly ids: readonly string[];
  /** The stored text in which figures are looked up; "" when nothing is stored. */
  readonly says?: string;
  /** Evidence tier of a source. */
  readonly tier?: string;
  /** A source that nobody has read: it may be listed, but not cited. */
  readonly isUnread?: boolean;
  /** Ids of its subjects; citing it for another subject is an error. */
  readonly about?: readonly string[];
  /**
   * The names in a text. Naming a supplement or a medicine makes a sentence a claim about it; a nutrient occurs in every body, so
   * a sentence also needs a word about intake.
   */
  readonly called?: Called;
  /** Whether the source reports harm; only such a source supports a warning or advice. */
  readonly warns?: boolean;
  /** Words of which a sentence that cites the source must contain one, with the reason. */
  readonly mustSay?: { readonly words: RegExp; readonly because: string };
}

/** An id that an entry must offer. */
export interface Named {
  readonly id: string;
  readonly field: string;
  readonly line: LineFinder;
}

/**
 * The role of a passage. `claim`: states a finding, so it must cite a source. `summary`: summarizes the claims of its entry.
 * `general`: defines a word or a thing, says what is unknown or what to ask; it makes no statement about effects. `advice`: says
 * how to respond to an interaction that a claim next to it describes. `told`: general knowledge that contains claims, which are
 * supported by the sources that the page lists; see claim-extraction.ts.
 */
export type Role = 'claim' | 'summary' | 'general' | 'advice' | 'told';

export interface Passage {
  readonly text: string;
  readonly role: Role;
  /** Ids of entries, and addresses of pages that are not stored. */
  readonly cites: readonly string[];
  readonly field: string;
  readonly line: LineFinder;
  /** Id of its subject: its sources must be about it. */
  readonly subject?: string;
  /** Returns whether the page lists the offer among its sources; for role `told`. */
  readonly restsOn?: (id: string) => boolean;
  /** Returns the line of an offset; for long passages with role `told`. */
  readonly lineAt?: (offset: number) => LineFinder;
  /**
   * Returns whether the page explains this subject, so that only a sentence about intake is a claim about it; for role `told`.
   */
  readonly isOwn?: (id: string) => boolean;
  /** Names in a claim that none of its sources is about. */
  readonly unfounded?: readonly string[];
  /** The passage describes itself (a summary of a source): its figures are not looked up elsewhere. */
  readonly isSource?: boolean;
}

/** A task for an editor, although the entry contains no error. */
export interface DueEntry {
  /** The kind of task, as the counts name it: `label changed`. */
  readonly kind: string;
  readonly line: number | null;
  readonly words: string;
  /** The day, month or year of the last review: the entry is due when that is too long ago. Without it, the entry is due now. */
  readonly since?: string;
}

export interface Reviewed {
  /** The plural under which the counts list it: `supplements`. */
  readonly kind: string;
  readonly entries: number;
  readonly offers: readonly Offer[];
  readonly names: readonly Named[];
  readonly passages: readonly Passage[];
  /** Dates of the last review that entries state, as `2026-11-22`. */
  readonly reviewedAt?: readonly string[];
  /** Entries that are due for an editor, now or later. */
  readonly due?: readonly DueEntry[];
  /** Other dates in the file: when an article was published, when something was changed. */
  readonly toldDays?: readonly string[];
}
