/** Provides the building blocks of the patterns in alarm.ts. */

/** Returns a pattern source that matches any of the parts. */
export const words = (...parts: readonly string[]): string => `(?:${parts.join('|')})`;
/** Returns a pattern source for two parts within a number of letters of each other, in either order, within one sentence. */
export const near = (a: string, b: string, letters = 40): string =>
  `\\b${a}\\b[^.?!]{0,${letters}}?\\b${b}\\b|\\b${b}\\b[^.?!]{0,${letters}}?\\b${a}\\b`;
/** Returns a regular expression that matches any of the patterns. */
export const any = (...parts: readonly string[]): RegExp => new RegExp(parts.join('|'));

/** Matches that something is not done or cannot be done. */
export const NOT =
  "(?:can't|cant|cannot|can not|won't|wont|will not|doesn't|doesnt|does not|isn't|isnt|is not|not|unable to|could not|couldn't|couldnt|didn't|didnt|hasn't|hasnt|haven't|havent|never|no longer|stopped|hardly|barely|struggl\\w+ to|hard to|difficult to|impossible to)";
