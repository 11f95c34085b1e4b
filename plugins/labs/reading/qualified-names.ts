/**
 * Recognises names that begin like a common test but mean another one: glucose two hours after a drink, CA 125, protein C. Their
 * digits would otherwise be read as a value, and the rest as the common test.
 */

/** Number of a time after administration; "237 H" is a value with its flag. */
const COUNT = '(?:[1-8]|30|45|60|90|120|150|180|240)';
const LONG_UNIT = String.raw`(?:hrs?|hours?|min(?:utes?|s)?|std\.?|stunden?|heures?|horas?|ore|uur)`;
/** Excludes sedimentation rates, for which an hour is the duration of the test. */
const BASE = String.raw`(?!(?:esr|erythrocyte|sed|bsg|bsr|bks|vs|vsg|blutsenkung|westergren))\p{L}[\p{L} -]{1,30}`;
const TAIL = String.raw`(?: (?:post|p\.?p\.?|after|ogtt|load|glucose|drink|stimulation))*\)?(?![\p{L}\d])`;

const PATTERNS: readonly RegExp[] = [
  /^ca[ -]?(?:125|15[-. ]?3|19[-. ]?9|27[-. ]?29|72[-. ]?4|242|50)(?![\d.,])/i,
  /^(?:protein|proteína|protéine|eiweiß) [csz](?!\p{L})/iu,
  /^ha?emoglobin (?:[fsceh]|a2|bart'?s?)(?!\p{L})/iu,
  /^(?:coagulation )?factor (?:[ivx]{1,5}|\d{1,2})a?(?!\p{L})/iu,
  new RegExp(String.raw`^${BASE}[,(]? \(?(?:at |after |nach |à |a )?${COUNT}[ -]?${LONG_UNIT}${TAIL}`, 'iu'),
  new RegExp(String.raw`^${BASE}[,(]? \(?${COUNT}[ -]?h${TAIL}`, 'u'),
];

/**
 * Counts the words of such a name.
 * @param text words of a row from its beginning, separated by one space, or by two where a column ends.
 * @returns the number of leading words that form such a name; 0 when there is none.
 */
export const qualifiedWords = (text: string): number => {
  const [found = ''] = PATTERNS.map((pattern) => pattern.exec(text)?.[0] ?? '').toSorted((a, b) => b.length - a.length);
  return found ? found.trim().split(/ +/).length : 0;
};
