import { findNumbers } from './number-words.ts';

const ALLOTTED =
  /^ (?:[a-z'-]+ ){0,7}?(?:were|was) (?:(?:then|subsequently|finally|eventually|thus|enrolled and|enrolled, and|recruited and|included and|eligible and) ){0,2}(?:randomi[sz]ed|randomly (?:assigned|allocated|divided|distributed))\b/;
const WE_ALLOTTED = /\b(?:randomi[sz]ed|randomly (?:assigned|allocated)) (?:a total of )?$/;
const BEGAN = /\b(?:started|began) the (?:study|trial) with $/;
// Units after a number that make it a duration, a share or an amount instead of a count.
const DURATION = /^ ?(?:h|hr|hours?|days?|weeks?|months?|min|minutes|years?|%|mg|g|kg|ml|mmol)\b/;
// "41 women were assigned to magnesium and 39 to placebo" counts an arm.
const ARM =
  /^[^.;]{0,60}?\b(?:randomi[sz]ed|assigned|allocated) (?:to|in|into) [^.;]{0,70}?\band (?:\d+|[a-z]+-?[a-z]*) (?:[a-z]+ ){0,4}(?:to|in)\b/;
// Clusters and parts of a body are also randomised.
const NOT_PEOPLE =
  /\b(?:schools?|preschools|practices|clinics|hospitals|villages|households|clusters|centers|centres|districts|classes|wards|teeth|sites|eyes|knees|halls|homes|communities|pairs|families|defects|studies|trials|rats|mice|animals)\b/;
const BAD_BEFORE =
  /(?:[.,/~^$€£×:]|[<>≤≥=±+×]\s?|[a-z]-|\d ?-\s?|\b(?:week|month|day|year|age|aged|phase|group|table|figure|fig|p)\s)$/;

/**
 * Reads how many people the text states were randomised, as in "118 were randomised". Takes lower-case text; null where no such
 * count is stated.
 */
export const saidRandomised = (text: string): number | null => {
  for (const { value, start, end } of findNumbers(text)) {
    if (value < 4 || value > 1_000_000) continue;
    const before = text.slice(Math.max(0, start - 40), start);
    const after = text.slice(end, end + 150);
    if (BAD_BEFORE.test(before) || DURATION.test(after) || ARM.test(after)) continue;
    const allotted = ALLOTTED.exec(after)?.[0];
    const counted = allotted !== undefined && !NOT_PEOPLE.test(allotted);
    const named =
      (WE_ALLOTTED.test(before) || BEGAN.test(before)) && /^ [a-z]/.test(after) && !NOT_PEOPLE.test(after.slice(0, 40));
    if (counted || named) return value;
  }
  return null;
};
