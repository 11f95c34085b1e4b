/**
 * Numbers fitted after training on held-out data; bench/reader/calibrate.ts prints the temperatures. Scores are divided by
 * the temperature before they become probabilities.
 */
export const CALIBRATION = {
  effectTemperature: 1,
  verdictTemperature: 0.9,
  /** Below this probability the reader gives no verdict of benefit, harm or no difference. */
  verdictThreshold: 0.35,
  /** From this probability on the reader calls a source mixed or unclear. */
  mixedThreshold: 0.65,
} as const;
