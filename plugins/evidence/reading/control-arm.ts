const CERTAIN =
  /\b(?:placebos?|controls?|sham|untreated|not treated|no (?:treatment|intervention|therapy|supplement\w*)|without|wait(?:ing)?[- ]?list|vehicle|dummy|usual|comparators?|comparison|did not|do not)\b/i;
/** Matches at the start of a name only: "standard" and "no" in the middle of a long name describe the care of both arms. */
const AT_THE_START = /^\W*(?:the )?(?:standard|conventional|routine|regular|traditional|no|not|non|never|none)\b/i;
const ALONE = /\b(?:alone|only)\W*$/i;
const LOOKED_AT = 400;

/** Scores how surely the name of an arm is that of a control, 0 to 3. */
const likeness = (name: string): number => {
  const text = name.slice(0, LOOKED_AT).trim();
  if (CERTAIN.test(text.replace(/\b(?:placebo|sham)[- ]controlled\b/gi, ' '))) return 3;
  if (AT_THE_START.test(text)) return 2;
  return ALONE.test(text) ? 1 : 0;
};

const BASELINE =
  /^(?:before|baseline|pre[- ]?(?:treatment|intervention|test)|initial)\b|\bbaseline (?:values?|levels?)$/i;

/** Returns which arm is the time before the treatment: +1 the intervention, -1 the comparator, 0 neither or both. */
export const findBaseline = (intervention: string, comparator: string): -1 | 0 | 1 => {
  const [given, other] = [BASELINE.test(intervention.trim()), BASELINE.test(comparator.trim())];
  if (given === other) return 0;
  return given ? 1 : -1;
};

/** Returns which arm is a control or the time before the treatment: +1 the intervention, -1 the comparator, 0 neither or both. */
export const findControl = (intervention: string, comparator: string): -1 | 0 | 1 => {
  const baseline = findBaseline(intervention, comparator);
  if (baseline !== 0) return baseline;
  const [given, other] = [likeness(intervention), likeness(comparator)];
  if (given === other) return 0;
  return given > other ? 1 : -1;
};
