/** Determines the medicine of each trade name, and the existing combinations. */
import { isSaltWord, plainName } from './active-moiety.ts';
import type { NameRow } from './drug-names.ts';
import { withoutNumber } from './drug-words.ts';
import type { Moieties } from './moieties.ts';

/** A trade name and the moieties in it, by name, in alphabetical order. */
export interface Brand {
  readonly name: string;
  readonly moieties: readonly string[];
}

const LABEL_WORDS = new Set(
  `and w with in plastic container kit copackaged preservative free injection tablets capsules oral solution usp
  extended release delayed er xr sr acid apap hcl`.split(/\s+/),
);

const wordsOf = (text: string): string[] => plainName(text).match(/[a-z][a-z0-9]*/g) ?? [];

/** Returns whether a name is the text on the label of a generic ("ACETAMINOPHEN AND CODEINE PHOSPHATE") and not a trade name. */
const isGenericLabel = (row: NameRow, moieties: Moieties): boolean => {
  if (/\b(?:plastic container|in dextrose|in sodium chloride)\b/i.test(row.name)) return true;
  const own = new Set(row.ingredients.flatMap(wordsOf));
  if (wordsOf(row.name).every((word) => own.has(word) || LABEL_WORDS.has(word) || isSaltWord(word))) return true;
  // The name of one medicine on a row of another is an error in the list.
  return moieties.names.has(moieties.nameOf(withoutNumber(row.name)));
};

const moietiesIn = (rows: readonly NameRow[], moieties: Moieties): string[] =>
  [...new Set(rows.flatMap((row) => row.ingredients.map(moieties.nameOf)))].sort();

/** The origin of content/drugs/other-names.yaml, where editors decide what a trade name means. */
const EDITORS = 'content:other-names';

/**
 * Reads the trade names. If a name has stood for several medicines, those still sold count, and the result is all of them
 * together: a check of the name then covers each. What the editors say of a name takes precedence: the Orange Book lists
 * Mirena as levonorgestrel, although a hormonal coil does not interact as the tablets do.
 */
export const readBrands = (names: readonly NameRow[], moieties: Moieties): Brand[] => {
  const rowsByName = new Map<string, NameRow[]>();
  for (const row of names) {
    if (row.kind !== 'brand' || isGenericLabel(row, moieties)) continue;
    const key = plainName(withoutNumber(row.name));
    const rows = rowsByName.get(key);
    if (rows) rows.push(row);
    else rowsByName.set(key, [row]);
  }
  return [...rowsByName.values()].map((rows) => {
    const decided = rows.filter(({ origin }) => origin === EDITORS);
    const sold = rows.filter(({ onMarket }) => onMarket);
    const counted = [decided, sold].find(({ length }) => length > 0) ?? rows;
    return { name: withoutNumber(rows[0]!.name), moieties: moietiesIn(counted, moieties) };
  });
};

/** Returns every set of two or more moieties that some row names, in alphabetical order. */
export const combinationsIn = (
  names: readonly NameRow[],
  brands: readonly Brand[],
  moieties: Moieties,
): readonly (readonly string[])[] => {
  const sets = [...names.map((row) => moietiesIn([row], moieties)), ...brands.map((brand) => brand.moieties)];
  const found = new Map(sets.filter(({ length }) => length > 1).map((set) => [set.join('|'), set]));
  return [...found.values()];
};
