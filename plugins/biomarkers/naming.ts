/**
 * Finds the markers that a printed name may mean. Unknown words are never dropped, so the name of another analyte never matches
 * one of these markers.
 */
import type { Marker, Specimen } from './marker.ts';
import { blurred, isOneOff, joined, orderless, wordsOf } from './names.ts';

export interface NamedMarker {
  readonly marker: Marker;
  /**
   * 1: the name is one of the marker's names; less: it matches after replacing letters that OCR confuses, or one misread letter.
   */
  readonly certainty: number;
}

export interface Hints {
  readonly specimen?: Specimen | null;
  /** UCUM code of the printed unit. */
  readonly ucum?: string | null;
}

type Index = Map<string, Set<Marker>>;

/**
 * Certainty of a match after replacing letters that OCR confuses (BLURRED), and of one misread letter in a long word (ONE_OFF).
 */
const BLURRED = 0.8;
const ONE_OFF = 0.6;
/**
 * Length limits of words: fuzzy matching is too ambiguous for short words, and one misread letter is accepted only in long ones.
 */
const SHORT = 3;
const LONG = 9;

const add = (index: Index, key: string, marker: Marker): void => {
  const known = index.get(key);
  if (known) known.add(marker);
  else index.set(key, new Set([marker]));
};

/** Words for other analytes that differ in one letter from one of the markers' names. */
const OTHERS = new Set(['homocystine', 'prostatin', 'cystathionine']);

interface Names {
  readonly exact: Index;
  readonly blurry: Index;
  readonly long: readonly { readonly key: string; readonly marker: Marker }[];
}

const namesOf = (markers: readonly Marker[]): Names => {
  const [exact, blurry]: [Index, Index] = [new Map(), new Map()];
  const long: { key: string; marker: Marker }[] = [];
  for (const marker of markers) {
    for (const name of [...marker.names, marker.name, ...marker.loinc.map((code) => code.name)]) {
      const { words } = wordsOf(name);
      add(exact, orderless(words), marker);
      add(exact, `=${joined(words)}`, marker);
      if (joined(words).length >= SHORT) add(blurry, blurred(joined(words)), marker);
      if (words.length === 1 && joined(words).length >= LONG) long.push({ key: joined(words), marker });
    }
  }
  return { exact, blurry, long };
};

const exactly = ({ exact }: Names, words: readonly string[]): ReadonlySet<Marker> =>
  exact.get(orderless(words)) ?? exact.get(`=${joined(words)}`) ?? new Set();

/** Maximum number of words in a name; longer texts, such as parts of an address, are not names. */
const MOST_WORDS = 14;

/** Matches several names of one marker in sequence, such as "Alanine aminotransferase (ALT)". */
const repeatedly = (names: Names, words: readonly string[]): ReadonlySet<Marker> => {
  const reached: (Set<Marker> | 'start' | null)[] = ['start'];
  for (let to = 1; to <= words.length; to += 1) {
    const found = new Set<Marker>();
    for (let from = 0; from < to; from += 1) {
      const before = reached[from];
      if (!before) continue;
      // A slash may separate two names: "GPT/ALAT".
      if (before !== 'start' && to - from === 1 && words[from] === '/') for (const marker of before) found.add(marker);
      for (const marker of exactly(names, words.slice(from, to)))
        if (before === 'start' || before.has(marker)) found.add(marker);
    }
    reached.push(found.size ? found : null);
  }
  const all = reached.at(-1);
  return all instanceof Set ? all : new Set();
};

const misread = ({ long }: Names, words: readonly string[]): ReadonlySet<Marker> => {
  const [word = ''] = words;
  if (words.length !== 1 || word.length < LONG || OTHERS.has(word)) return new Set();
  return new Set(long.flatMap(({ key, marker }) => (isOneOff(word, key) ? [marker] : [])));
};

const found = (names: Names, words: readonly string[]): readonly NamedMarker[] => {
  const ways: readonly [number, () => ReadonlySet<Marker>][] = [
    [1, () => exactly(names, words)],
    [1, () => repeatedly(names, words)],
    [BLURRED, () => names.blurry.get(blurred(joined(words))) ?? new Set()],
    [ONE_OFF, () => misread(names, words)],
  ];
  for (const [certainty, find] of ways) {
    const markers = [...find()];
    if (markers.length) return markers.map((marker) => ({ marker, certainty }));
  }
  return [];
};

/** Returns the markers that fit a hint, or all markers when none fits. */
const prefer = (all: readonly NamedMarker[], fits: (marker: Marker) => boolean): readonly NamedMarker[] => {
  const fitting = all.filter(({ marker }) => fits(marker));
  return fitting.length ? fitting : all;
};

/** @param measures returns whether a marker is reported in a unit. */
export const createNaming = (
  markers: readonly Marker[],
  measures: (marker: Marker, ucum: string) => boolean,
): ((text: string, hints?: Hints) => readonly NamedMarker[]) => {
  const names = namesOf(markers);
  return (text, { specimen = null, ucum = null } = {}) => {
    const said = wordsOf(text);
    if (!said.words.length || said.words.length > MOST_WORDS) return [];
    const all = found(names, said.words);
    // A specimen in the name itself is binding, not a hint: urine glucose never means blood glucose.
    const sure = said.specimen === 'urine' ? all.filter(({ marker }) => marker.specimen === 'urine') : all;
    const where = said.specimen ?? specimen;
    const placed = where ? prefer(sure, (marker) => marker.specimen === where) : sure;
    const measured = ucum ? prefer(placed, (marker) => measures(marker, ucum)) : placed;
    return measured.toSorted((a, b) => Number(a.marker.specimen === 'urine') - Number(b.marker.specimen === 'urine'));
  };
};
