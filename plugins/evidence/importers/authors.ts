import { cleanText, trimEnd } from './clean-text.ts';

/** Returns the initials of given names: "Paul M." and "Paul M" give "PM", "Jean-Paul" gives "JP", "PM" is unchanged. */
export const initialsOf = (givenNames: string): string => {
  const given = cleanText(givenNames).replaceAll('.', ' ').trim();
  if (/^\p{Lu}{1,4}$/u.test(given)) return given;
  return given
    .split(/[\s\-‐]+/)
    .map((part) => [...part][0] ?? '')
    .filter((letter) => /\p{L}/u.test(letter))
    .join('')
    .toUpperCase();
};

/** Formats "Family Initials" from the two parts of a name. */
export const authorOf = (family: string, givenNames: string): string =>
  [cleanText(family), initialsOf(givenNames)].filter((part) => part !== '').join(' ');

/**
 * Formats "Family Initials" from one field: "Smith, John A." gives "Smith JA"; a field without a comma is returned as written.
 */
export const authorFromField = (field: string): string => {
  const name = trimEnd(cleanText(field), ',;');
  const comma = name.indexOf(',');
  // A name with more than six words belongs to a group ("Magnesium Trial Group, Oslo").
  if (comma < 0 || name.split(' ').length > 6) return name;
  return authorOf(name.slice(0, comma), name.slice(comma + 1).replace(/,? ?(?:Jr|Sr|I{2,3})\.?$/i, ''));
};
