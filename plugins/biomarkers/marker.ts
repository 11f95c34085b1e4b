/** What is known of a biomarker: plain data, so that it can be handed to a process without a database. */

export type Sex = 'female' | 'male';

/** Where the sample comes from, as far as it decides which marker a name means. */
export type Specimen = 'blood' | 'urine';

/** One way of giving an amount of this marker. */
export interface MarkerUnit {
  /** UCUM, such as `mg/dL`, `10*3/uL`, `u[IU]/mL`, `{ratio}`. */
  readonly ucum: string;
  /** A number in this unit times `factor` is the number in the marker's own unit; exact where UCUM can tell. */
  readonly factor: number;
}

/** A code that laboratories and phones send; several mean one marker. */
export interface LoincCode {
  readonly code: string;
  /** LOINC's long common name. */
  readonly name: string;
}

/** A range that a source gives for a population, in the marker's own unit. */
export interface MarkerRange {
  /** Null: no such bound. */
  readonly low: number | null;
  readonly high: number | null;
  readonly sex: Sex | 'any';
  /** Years, both included; null: no such bound. */
  readonly ageFrom: number | null;
  readonly ageTo: number | null;
  readonly isPregnant: boolean;
  /** `interval` of healthy people, or a `threshold` or `goal` that a guideline sets. */
  readonly kind: 'interval' | 'threshold' | 'goal';
  /** What else its population or circumstances are: "fasting", "follicular phase". */
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
  /** As reports print it, in any language; the name itself is one of them. */
  readonly names: readonly string[];
  readonly category: string;
  readonly specimen: Specimen;
  /** `ordinal`: words on a scale, such as negative, trace, 1+. */
  readonly kind: 'quantity' | 'ordinal';
  /** The unit that ranges, limits and trends are in; "" for an ordinal. */
  readonly ucum: string;
  /** All units that it is seen in, its own first. */
  readonly units: readonly MarkerUnit[];
  /** Decimal places that make sense in its own unit. */
  readonly digits: number;
  readonly loinc: readonly LoincCode[];
  /** Of an ordinal, from the least to the most; the first is what is expected. */
  readonly scale: readonly string[];
  /** In its own unit: a number outside was misread, or is in another unit. */
  readonly plausible: { readonly low: number; readonly high: number } | null;
  /** In its own unit: beyond these a doctor is needed now. Null: no source that we hold gives such a limit. */
  readonly critical: { readonly low: number | null; readonly high: number | null; readonly source: RangeSource } | null;
  readonly ranges: readonly MarkerRange[];
}

/** As much as a person has told; null: not told. */
export interface Person {
  readonly sex: Sex | null;
  /** Years at the time of the draw. */
  readonly age: number | null;
  readonly isPregnant: boolean | null;
}
