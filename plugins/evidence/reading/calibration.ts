/**
 * Numbers fitted after training on held-out data; bench/reader/calibrate.ts prints the temperatures. Scores are divided by
 * the temperature before they become probabilities.
 */
export const CALIBRATION = {
  effectTemperature: 1,
  verdictTemperature: 1.15,
  /**
   * Below these probabilities the reader gives no verdict. Chosen on held-out sources and readings together, so that nine in ten verdicts
   * are right when a verdict on a mixed or unclear source counts as an error.
   */
  verdictThresholds: { positive: 0.8, negative: 0.8, null: 0.85, mixed: 0.9 },
} as const;
