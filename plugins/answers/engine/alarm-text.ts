/** What the patterns of alarm.ts are put together with. */

/** One of these. */
export const words = (...parts: readonly string[]): string => `(?:${parts.join('|')})`;
/** The one within so many letters of the other, whichever comes first, in one sentence. */
export const near = (a: string, b: string, letters = 40): string =>
  `\\b${a}\\b[^.?!]{0,${letters}}?\\b${b}\\b|\\b${b}\\b[^.?!]{0,${letters}}?\\b${a}\\b`;
/** Any of these patterns. */
export const any = (...parts: readonly string[]): RegExp => new RegExp(parts.join('|'));

/** That something is not done, or cannot be. */
export const NOT =
  "(?:can't|cant|cannot|can not|won't|wont|will not|doesn't|doesnt|does not|isn't|isnt|is not|not|unable to|could not|couldn't|couldnt|didn't|didnt|hasn't|hasnt|haven't|havent|never|no longer|stopped|hardly|barely|struggl\\w+ to|hard to|difficult to|impossible to)";
