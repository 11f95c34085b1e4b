/** Which markers a printed name may mean. A name of another thing is never taken for one of ours: words that are not known are never left out. */
import type { Marker, Specimen } from './marker.ts';
import { blurred, isOneOff, joined, orderless, wordsOf } from './names.ts';

export interface NamedMarker {
  readonly marker: Marker;
  /** 1: the name is one of its names; less: by letters that OCR confuses or a letter that was misread. */
  readonly certainty: number;
}

export interface Hints {
  readonly specimen?: Specimen | null;
  /** Of the printed unit. */
  readonly ucum?: string | null;
}

type Index = Map<string, Set<Marker>>;

/** What OCR may have made of a name; one letter that was misread in a long word. */
const BLURRED = 0.8;
const ONE_OFF = 0.6;
/** Words that are too short to be told apart by less than all their letters. */
const SHORT = 3;
const LONG = 9;

const add = (index: Index, key: string, marker: Marker): void => {
  const known = index.get(key);
  if (known) known.add(marker);
  else index.set(key, new Set([marker]));
};

/** Words of other analytes that are one letter from one of ours. */
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

/** Parts of an address of more words than this are no name. */
const MOST_WORDS = 14;

/** "Alanine aminotransferase (ALT)": several names of one marker, one after the other. */
const repeatedly = (names: Names, words: readonly string[]): ReadonlySet<Marker> => {
  const reached: (Set<Marker> | 'start' | null)[] = ['start'];
  for (let to = 1; to <= words.length; to += 1) {
    const found = new Set<Marker>();
    for (let from = 0; from < to; from += 1) {
      const before = reached[from];
      if (!before) continue;
      // "GPT/ALAT": a stroke between two names.
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

/** Those that a hint speaks for, where it speaks for any. */
const prefer = (all: readonly NamedMarker[], fits: (marker: Marker) => boolean): readonly NamedMarker[] => {
  const fitting = all.filter(({ marker }) => fits(marker));
  return fitting.length ? fitting : all;
};

/** @param measures whether a marker is given in a unit. */
export const createNaming = (
  markers: readonly Marker[],
  measures: (marker: Marker, ucum: string) => boolean,
): ((text: string, hints?: Hints) => readonly NamedMarker[]) => {
  const names = namesOf(markers);
  return (text, { specimen = null, ucum = null } = {}) => {
    const said = wordsOf(text);
    if (!said.words.length || said.words.length > MOST_WORDS) return [];
    const all = found(names, said.words);
    // What the name says of the specimen is no mere hint: urine glucose is never the blood's.
    const sure = said.specimen === 'urine' ? all.filter(({ marker }) => marker.specimen === 'urine') : all;
    const where = said.specimen ?? specimen;
    const placed = where ? prefer(sure, (marker) => marker.specimen === where) : sure;
    const measured = ucum ? prefer(placed, (marker) => measures(marker, ucum)) : placed;
    return measured.toSorted((a, b) => Number(a.marker.specimen === 'urine') - Number(b.marker.specimen === 'urine'));
  };
};
