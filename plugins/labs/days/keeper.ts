/**
 * Interface of a plugin that stores days of a device, which are shown beside laboratory values; the labs plugin does not depend
 * on it.
 */
import type { Shelf } from '../store.ts';
import type { DaySpan } from './windows.ts';

export interface DayPoint {
  /** `YYYY-MM-DD`, in the local time of the person. */
  readonly day: string;
  readonly value: number;
  /** The chosen source of this day; two sources with the same name are made distinct. */
  readonly source: string;
}

export interface DaySeries {
  /** Identifier for the API: `resting_hr_bpm`. */
  readonly id: string;
  readonly name: string;
  /** Unit for the API; "" for a count. */
  readonly unit: string;
  /** Unit shown after a formatted value; "" if `format` includes it. */
  readonly shownUnit: string;
  /** Number of meaningful decimals. */
  readonly digits: number;
  /** Note on how the value is measured; "" if there is none. */
  readonly note: string;
  /** Whether it is shown by default. */
  readonly isMain: boolean;
  /** Name of the common chart, as in "Blood pressure"; "" for a separate one. Series of one group have the same unit. */
  readonly group: string;
  /**
   * Method, if a quantity has several ways of measurement, which are never compared with each other; null if there is only one.
   */
  readonly method: { readonly of: string; readonly name: string } | null;
  /** At most one point per day, oldest first; a day without a value is missing. */
  readonly points: readonly DayPoint[];
  /** Link to all values of the series. */
  readonly href: string;
  format(value: number): string;
}

export interface DayKeeper {
  /** Name of the plugin that stores the days. */
  readonly name: string;
  /** Link to the import of days. */
  readonly addHref: string;
  /** Link to all stored days. */
  readonly showHref: string;
  /** Returns the span from the first to the last stored day; null if there are none. */
  held(shelf: Pick<Shelf, 'em' | 'device'>): Promise<DaySpan | null>;
  /** Returns the series with a day in the span, most used first. */
  series(shelf: Shelf, span: DaySpan): Promise<readonly DaySeries[]>;
}
