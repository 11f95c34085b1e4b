/** Days that another plugin keeps for a device and that stand beside laboratory values: labs need not know whose they are. */
import type { Shelf } from '../store.ts';
import type { DaySpan } from './windows.ts';

export interface DayPoint {
  /** `YYYY-MM-DD`, where the person was. */
  readonly day: string;
  readonly value: number;
  /** The one source that counts on this day; two of one name are told apart. */
  readonly source: string;
}

export interface DaySeries {
  /** For programs: `resting_hr_bpm`. */
  readonly id: string;
  readonly name: string;
  /** For programs; "" for a count. */
  readonly unit: string;
  /** Beside a value in words; "" where the words carry it. */
  readonly shownUnit: string;
  /** Decimals that are worth telling. */
  readonly digits: number;
  /** A word on how it comes about; "" for none. */
  readonly note: string;
  /** Whether it is shown without being asked for. */
  readonly isMain: boolean;
  /** What it is drawn together with, as in "Blood pressure"; "" alone. Series of one group have one unit. */
  readonly group: string;
  /** One of several ways to measure a thing, of which no two are ever compared; null where there is one way. */
  readonly method: { readonly of: string; readonly name: string } | null;
  /** One a day at most, the oldest first; a day without a value is missing. */
  readonly points: readonly DayPoint[];
  /** All there is of it. */
  readonly href: string;
  format(value: number): string;
}

export interface DayKeeper {
  /** Of the plugin that keeps them. */
  readonly name: string;
  /** Where days are brought. */
  readonly addHref: string;
  /** Where all of them are shown. */
  readonly showHref: string;
  /** From the first day to the last; null without one. */
  held(shelf: Pick<Shelf, 'em' | 'device'>): Promise<DaySpan | null>;
  /** Those with a day in the span; those with most use first. */
  series(shelf: Shelf, span: DaySpan): Promise<readonly DaySeries[]>;
}
