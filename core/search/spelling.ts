/**
 * Converts British to American spelling, mainly for medical words. Documents and queries go through the same rules, so
 * that a rule only has to avoid merging two different words; `exercise` may become `exercize`.
 */
const RULES: readonly (readonly [RegExp, string])[] = [
  [/haem/, 'hem'],
  [/aem(?=i|$)/, 'em'],
  [/anaesth/, 'anesth'],
  [/paed(?=i|o)/, 'ped'],
  [/gynaec/, 'gynec'],
  [/^aetiol/, 'etiol'],
  [/^aesth/, 'esth'],
  [/^faec/, 'fec'],
  [/^caec/, 'cec'],
  [/^caesar/, 'cesar'],
  [/oestr/, 'estr'],
  [/oedem/, 'edem'],
  [/oesoph/, 'esoph'],
  [/^foet/, 'fet'],
  [/^coeli/, 'celi'],
  [/rrhoe(?=a|i)/, 'rrhe'],
  [/homoeo/, 'homeo'],
  [/amoeb/, 'ameb'],
  [/manoeuv(?:re)?/, 'maneuver'],
  [/leuco/, 'leuko'],
  [/sulph/, 'sulf'],
  [/alumini/, 'alumin'],
  [/^(tum|hum|rum|behavi|col|fav|flav|lab|od|vap|vig|neighb|harb|hon|rig)our/, '$1or'],
  [/(fib|cent|lit|theat|met)res?$/, '$1er'],
  [/^(label|model|counsel|travel|signal|channel|level|fuel|total|equal|tunnel)l(?=ed|ing|er)/, '$1'],
  [/^programme(?=s?$)/, 'program'],
  [/^ageing$/, 'aging'],
  [/^grey/, 'gray'],
  [/^(m|sm)ould(?=s|y|$|er)/, '$1old'],
  [/^dietician/, 'dietitian'],
  [/^skilful/, 'skillful'],
  [/isation/, 'ization'],
  [/is(?=(?:e|es|ed|er|ers|ing)$)/, 'iz'],
  [/ys(?=(?:e|ed|er|ers|ing)$)/, 'yz'],
];

/** Matches every word that a rule above can change, so that most words are skipped with a single test. */
const MAY_CHANGE =
  /ae|oe|our|res?$|lled|lling|ller|leuco|sulph|alumini|gramme|ageing|grey|ould|ician|lful|isation|is(?:e|ed|es|er|ers|ing)$|ys(?:e|ed|er|ers|ing)$/;

/** Returns the American form of one lower-case word of letters (anaemia, oestrogen, fibre, randomised), or the word itself. */
export function americanise(word: string): string {
  if (word.length < 4 || !MAY_CHANGE.test(word)) return word;
  let folded = word;
  for (const [pattern, replacement] of RULES) folded = folded.replace(pattern, replacement);
  return folded;
}
