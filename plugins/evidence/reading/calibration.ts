/**
 * Constants fitted after training on held-out data; bench/reader/calibrate.ts prints the temperatures. Scores are divided by the
 * temperature before they become probabilities.
 */
export const CALIBRATION = {
  effectTemperature: 1,
  verdictTemperature: 1.15,
  /** Below these probabilities the reader gives no verdict, because another verdict is as likely. */
  verdictThresholds: { positive: 0.5, negative: 0.5, null: 0.5, mixed: 0.9 },
  /**
   * Lowest probabilities at which a verdict counts as the direction of a source. Chosen on held-out sources and readings
   * together, so that nine in ten are right when a verdict on a mixed or unclear source counts as an error.
   */
  sureFrom: { positive: 0.8, negative: 0.8, null: 0.85 },
} as const;

/**
 * Share of values that are right, by field, on abstracts that were not used to write the rules (bench/reader/README.md). Few
 * abstracts report more harm, so the figure for `more` is a cautious guess.
 */
export const MEASURED_DETAILS = {
  sampleSize: 0.82,
  population: 0.58,
  comparator: 0.91,
  dose: 0.85,
  duration: 0.83,
  size: 0.8,
  harms: { more: 0.67, no_difference: 0.9, none_reported: 0.93 },
} as const;
