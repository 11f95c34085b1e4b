/** Defines the data of a biomarker as plain data, so that it can be passed to a process without a database. */

export type Sex = 'female' | 'male';

/** Specimen of the sample, as far as it decides which marker a name means. */
export type Specimen = 'blood' | 'urine';

/** A unit in which this marker is reported. */
export interface MarkerUnit {
  /** UCUM code, such as `mg/dL`, `10*3/uL`, `u[IU]/mL`, `{ratio}`. */
  readonly ucum: string;
  /** Factor that converts a number in this unit to the marker's own unit; exact where UCUM defines the conversion. */
  readonly factor: number;
}

/** A LOINC code that laboratories and phones send; several codes may mean one marker. */
export interface LoincCode {
  readonly code: string;
  /** LOINC's long common name. */
  readonly name: string;
}

/** A range that a source gives for a population, in the marker's own unit. */
export interface MarkerRange {
  /** Null when the range has no lower bound; `high` is null when it has no upper bound. */
  readonly low: number | null;
  readonly high: number | null;
  readonly sex: Sex | 'any';
  /** Years, both bounds inclusive; null when there is no such bound. */
  readonly ageFrom: number | null;
  readonly ageTo: number | null;
  readonly isPregnant: boolean;
  /** `interval` of healthy people, or a `threshold` or `goal` that a guideline sets. */
  readonly kind: 'interval' | 'threshold' | 'goal';
  /** Further conditions of the population or the measurement, such as "fasting" or "follicular phase". */
  readonly note: string;
  readonly source: RangeSource;
}

export interface RangeSource {
  readonly name: string;
  readonly url: string;
}

export interface Marker {
  readonly slug: string;
  readonly name: string;
  /** Names as reports print them, in any language; includes the marker's own name. */
  readonly names: readonly string[];
  readonly category: string;
  readonly specimen: Specimen;
  /** `ordinal`: labels on a scale, such as negative, trace, 1+. */
  readonly kind: 'quantity' | 'ordinal';
  /** UCUM unit of the ranges, limits and trends; "" for an ordinal. */
  readonly ucum: string;
  /** All units in which the marker is reported, its own first. */
  readonly units: readonly MarkerUnit[];
  /** Meaningful number of decimal places in the marker's own unit. */
  readonly digits: number;
  readonly loinc: readonly LoincCode[];
  /** Labels of an ordinal from the lowest to the highest; the first one is the expected result. */
  readonly scale: readonly string[];
  /** Plausible values in the marker's own unit: a number outside was misread or is in another unit. */
  readonly plausible: { readonly low: number; readonly high: number } | null;
  /**
   * Limits in the marker's own unit beyond which a doctor is needed immediately. Null when none of our sources gives such a
   * limit.
   */
  readonly critical: { readonly low: number | null; readonly high: number | null; readonly source: RangeSource } | null;
  readonly ranges: readonly MarkerRange[];
}

/** Facts that a person has entered; null when not entered. */
export interface Person {
  readonly sex: Sex | null;
  /** Years at the time of the draw. */
  readonly age: number | null;
  readonly isPregnant: boolean | null;
}
