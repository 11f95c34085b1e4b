/** The English stemmer Porter2, after Martin Porter's description (snowballstem.org/algorithms/english). */

const IRREGULAR = new Map(
  Object.entries({
    skis: 'ski',
    skies: 'sky',
    dying: 'die',
    lying: 'lie',
    tying: 'tie',
    idly: 'idl',
    gently: 'gentl',
    ugly: 'ugli',
    early: 'earli',
    only: 'onli',
    singly: 'singl',
  }),
);
for (const word of ['sky', 'news', 'howe', 'atlas', 'cosmos', 'bias', 'andes']) IRREGULAR.set(word, word);

const KEPT_AFTER_PLURAL = new Set('inning outing canning herring earring proceed exceed succeed'.split(' '));

const HAS_VOWEL = /[aeiouy]/;
const ENDS_SHORT = /(?:^[aeiouy][^aeiouy]|[^aeiouy][aeiouy][^aeiouywxY])$/;
const REGION = /^(?:gener|commun|arsen|[^aeiouy]*[aeiouy]+[^aeiouy])/;
const REGION_AGAIN = /^[^aeiouy]*[aeiouy]+[^aeiouy]/;

/** Endings of step 2 with their replacements, longest first. */
const STEP2: readonly (readonly [string, string])[] = [
  ['ational', 'ate'],
  ['ization', 'ize'],
  ['fulness', 'ful'],
  ['ousness', 'ous'],
  ['iveness', 'ive'],
  ['tional', 'tion'],
  ['biliti', 'ble'],
  ['lessli', 'less'],
  ['entli', 'ent'],
  ['ation', 'ate'],
  ['alism', 'al'],
  ['aliti', 'al'],
  ['ousli', 'ous'],
  ['iviti', 'ive'],
  ['fulli', 'ful'],
  ['enci', 'ence'],
  ['anci', 'ance'],
  ['abli', 'able'],
  ['izer', 'ize'],
  ['ator', 'ate'],
  ['alli', 'al'],
  ['bli', 'ble'],
];

const STEP3: readonly (readonly [string, string])[] = [
  ['ational', 'ate'],
  ['tional', 'tion'],
  ['alize', 'al'],
  ['icate', 'ic'],
  ['iciti', 'ic'],
  ['ical', 'ic'],
  ['ness', ''],
  ['ful', ''],
];

const STEP4 = 'ement ance ence able ible ment ant ent ism ate iti ous ive ize ion al er ic'.split(' ');

/** Returns the stem of one lower-case English word of letters; words of up to two letters do not change. */
export function stem(word: string): string {
  if (word.length <= 2) return word;
  const irregular = IRREGULAR.get(word);
  if (irregular !== undefined) return irregular;
  // A capital Y marks a consonant, as in Porter's description.
  let w = word.replace(/^y|(?<=[aeiouy])y/g, 'Y');
  const r1 = REGION.exec(w)?.[0].length ?? w.length;
  const r2 = r1 + (REGION_AGAIN.exec(w.slice(r1))?.[0].length ?? w.length);
  w = plural(w);
  if (KEPT_AFTER_PLURAL.has(w)) return w;
  w = participle(w, r1);
  if (w.length > 2 && /[^aeiouy][yY]$/.test(w)) w = `${w.slice(0, -1)}i`;
  w = derivation(w, r1);
  w = derivationAgain(w, r1, r2);
  w = suffix(w, r2);
  return finalLetter(w, r1, r2).toLowerCase();
}

function plural(w: string): string {
  if (w.endsWith('sses')) return w.slice(0, -2);
  if (w.endsWith('ied') || w.endsWith('ies')) return w.slice(0, w.length > 4 ? -2 : -1);
  if (w.endsWith('us') || w.endsWith('ss') || !w.endsWith('s')) return w;
  return HAS_VOWEL.test(w.slice(0, -2)) ? w.slice(0, -1) : w;
}

function participle(w: string, r1: number): string {
  const eed = /eed(?:ly)?$/.exec(w);
  if (eed) return eed.index >= r1 ? `${w.slice(0, eed.index)}ee` : w;
  const end = /(?:ed|ing)(?:ly)?$/.exec(w);
  if (!end || !HAS_VOWEL.test(w.slice(0, end.index))) return w;
  const base = w.slice(0, end.index);
  if (/(?:at|bl|iz)$/.test(base)) return `${base}e`;
  if (/(?:bb|dd|ff|gg|mm|nn|pp|rr|tt)$/.test(base)) return base.slice(0, -1);
  return base.length <= r1 && ENDS_SHORT.test(base) ? `${base}e` : base;
}

function derivation(w: string, r1: number): string {
  for (const [ending, replacement] of STEP2) {
    if (w.endsWith(ending)) return replaceFrom(w, ending, replacement, r1);
  }
  if (w.endsWith('logi')) return w.length - 3 >= r1 ? w.slice(0, -1) : w;
  return /[cdeghkmnrt]li$/.test(w) && w.length - 2 >= r1 ? w.slice(0, -2) : w;
}

function derivationAgain(w: string, r1: number, r2: number): string {
  for (const [ending, replacement] of STEP3) {
    if (w.endsWith(ending)) return replaceFrom(w, ending, replacement, r1);
  }
  return w.endsWith('ative') ? replaceFrom(w, 'ative', '', r2) : w;
}

function suffix(w: string, r2: number): string {
  const ending = STEP4.find((candidate) => w.endsWith(candidate));
  if (ending === undefined || w.length - ending.length < r2) return w;
  const base = w.slice(0, -ending.length);
  return ending === 'ion' && !/[st]$/.test(base) ? w : base;
}

function finalLetter(w: string, r1: number, r2: number): string {
  const base = w.slice(0, -1);
  if (w.endsWith('e')) {
    return base.length >= r2 || (base.length >= r1 && !ENDS_SHORT.test(base)) ? base : w;
  }
  return w.endsWith('ll') && base.length >= r2 ? base : w;
}

function replaceFrom(w: string, ending: string, replacement: string, region: number): string {
  const at = w.length - ending.length;
  return at >= region ? w.slice(0, at) + replacement : w;
}
