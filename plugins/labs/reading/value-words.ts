/** Recognises words in the place of a number: dipstick results, flags, and the state of a row. */

export type Direction = 'low' | 'high' | 'normal' | 'critical' | 'abnormal';

const flags: Readonly<Record<Direction, readonly string[]>> = {
  high: 'h high hi ↑ ▲ ⬆ hh erhöht hoch élevé elevé haut alto elevado above above-range oor-high abnormal-high'.split(
    ' ',
  ),
  low: 'l low lo ↓ ▼ ⬇ ll erniedrigt niedrig tief bas abaissé bajo below below-range'.split(' '),
  normal: 'n normal ok in-range norm wnl within-range'.split(' '),
  critical: 'critical crit panic c hh! ll! kritisch alert'.split(' '),
  abnormal: 'a abn abnormal * ** *** ! !! out-of-range anormal auffällig pathologisch'.split(' '),
};

const directions = new Map(
  Object.entries(flags).flatMap(([direction, words]) => words.map((word) => [word, direction as Direction])),
);

/** Phrases of several words that are one flag. */
const phrases: readonly (readonly [RegExp, Direction])[] = [
  [/^(?:above|over) (?:high )?(?:normal|range)$/i, 'high'],
  [/^(?:below|under) (?:low )?(?:normal|range)$/i, 'low'],
  [/^out of range$/i, 'abnormal'],
  [/^(?:in|within) (?:normal )?(?:range|limits)$/i, 'normal'],
  [/^(?:critical|very|panic) high$/i, 'critical'],
  [/^(?:critical|very|panic) low$/i, 'critical'],
];

/**
 * Returns the direction of a flag; null when the text is not a flag. With `hasNumber`, plus and minus beside a number are flags
 * too, as German reports print them.
 */
export const flagOf = (text: string, hasNumber: boolean): Direction | null => {
  const bare = text
    .trim()
    .replace(/^[([](.+)[)\]]$/, '$1')
    .toLowerCase();
  if (hasNumber && /^\++$/.test(bare)) return 'high';
  if (hasNumber && /^[-−–]{1,3}$/.test(bare)) return 'low';
  const star = /^([hl]{1,2})[*!]$|^[*!]([hl]{1,2})$/.exec(bare);
  if (star) return (star[1] ?? star[2])!.startsWith('h') ? 'high' : 'low';
  return directions.get(bare) ?? phrases.find(([pattern]) => pattern.test(bare))?.[1] ?? null;
};

/** Results in words, by meaning, in ascending order, with the spellings of each language, with and without a full stop. */
const results: Readonly<Record<string, readonly string[]>> = {
  negative: [
    'negative',
    'neg',
    'neg.',
    'negativ',
    'négatif',
    'negatif',
    'négative',
    'negativo',
    'negativa',
    'not detected',
    'non detected',
    'undetected',
    'none detected',
    'nicht nachweisbar',
    'nicht nachgewiesen',
    'n.n.',
    'non détecté',
    'no detectado',
    'nil',
    'none',
    'none seen',
    'not seen',
    'absent',
    'absence',
    'ausente',
    'no growth',
    'non-reactive',
    'nonreactive',
    'non reactive',
    'nicht reaktiv',
    '(-)',
  ],
  normal: ['normal', 'norm.', 'norm', 'normale'],
  trace: ['trace', 'traces', 'tr', 'tr.', 'spur', 'spuren', 'trazas', 'indicios', '+/-', '+-', '±', '(+)'],
  '1+': ['1+', '+', '+1', 'small', 'few', 'rare', 'occasional', 'wenig', 'schwach positiv', 'light'],
  '2+': ['2+', '++', '+2', 'moderate', 'mod', 'mod.', 'mässig', 'mäßig'],
  '3+': ['3+', '+++', '+3', 'large', 'many', 'viele', 'stark positiv', 'heavy'],
  '4+': ['4+', '++++', '+4', 'very large'],
  positive: [
    'positive',
    'pos',
    'pos.',
    'positiv',
    'positif',
    'positivo',
    'positiva',
    'détecté',
    'nachweisbar',
    'nachgewiesen',
    'detected',
    'present',
    'presente',
    'présence',
    'reactive',
    'reaktiv',
  ],
};

const meanings = new Map(Object.entries(results).flatMap(([meaning, words]) => words.map((word) => [word, meaning])));

/** Words for colour and appearance, which are results only in the result column of a table. */
const looks =
  /^(?:(?:pale |light |dark |straw |hell|dunkel)?(?:yellow|straw|amber|gelb|jaune|amarillo|colou?rless|red|brown|orange)|clear|klar|claire?|claro|cloudy|hazy|turbid|slightly (?:cloudy|hazy)|trüb)$/i;

/** Returns the meaning of a result in words: `negative`, `trace`, `2+` …; null when it is none of them. */
export const meaningOf = (text: string): string | null =>
  meanings.get(text.trim().toLowerCase().replace(/\s+/g, ' ')) ?? null;

export const isLook = (text: string): boolean => looks.test(text.trim());

/** Words for a result that is not available yet, or cannot be given. */
const pendings =
  /^(?:pending|see (?:note|notes|below|comments?|report)|tnp|qns|cancelled|canceled|not (?:performed|done|reported|measured|calculated|tested|applicable)|n\/a|folgt|ausstehend|en cours|pendiente|insufficient|hemoly[sz]ed|test not performed|to follow|in progress|in arbeit)[.,*]?$/i;

export const isPending = (text: string): boolean => pendings.test(text.trim());

/** Returns whether the text in the place of a range says that none is established. */
export const isNoRange = (text: string): boolean =>
  /^(?:not estab(?:lished|\.)?|n\/?e|none established|no ref(?:erence)?(?: range)?|see (?:note|below|comment)|siehe (?:text|unten|kommentar)|-{1,3}|–|n\/a)$/i.test(
    text.trim(),
  );
