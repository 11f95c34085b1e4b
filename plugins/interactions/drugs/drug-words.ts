/** Formats and parses names of medicines. */

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase();

/** Formats "insulin-aspart" and "INSULIN ASPART" as "Insulin Aspart". */
export const displayName = (name: string): string =>
  name.replaceAll('-', ' ').replace(/\s+/g, ' ').trim().split(' ').map(capital).join(' ');

/** Release forms, which trade names write in capitals. */
const CAPITALS = /^(?!IN$|OF$|TO$|NO$|BY$)(?:[A-Z]{1,2}|HCT|PM|[IVX]+|XR|ODT|HFA|EC|FE|DHA)$/;

/** Formats a trade name as people write it: "GLUCOPHAGE XR" as "Glucophage XR"; a name in mixed case is unchanged. */
export const brandName = (name: string): string =>
  /[a-z]/.test(name)
    ? name
    : name
        .split(' ')
        .map((word, at) =>
          at > 0 && CAPITALS.test(word)
            ? word
            : word
                .split(/([-/])/)
                .map(capital)
                .join(''),
        )
        .join(' ');

/** Removes the strength from a trade name: "ADDERALL 10", "AUGMENTIN '125'", "DEMULEN 1/35-21", "TYLENOL W/ CODEINE NO. 3". */
export const withoutNumber = (name: string): string => {
  const bare = name
    .replace(/\s*\((?:copackaged|.*\d.*)\)$/i, '')
    .replace(/(?:(?:\s+no\.?)?\s+['"]?\d[\d/.'"-]*(?:\s*mg)?)+$/i, '')
    .trim();
  return /[a-z]{3}/i.test(bare) ? bare : name;
};

/** Returns the name in kebab case, without accents. */
export const slugOf = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');

/** Joins the ingredients of a combination, which are in alphabetical order. */
export const combinationName = (names: readonly string[]): string =>
  names.length <= 1 ? (names[0] ?? '') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;

const STRENGTH = /\b\d+(?:[.,]\d+)?\s*(?:mg|mcg|µg|ug|g|ml|iu|units?|%)(?:\/\S+)?(?:\s.*)?$/i;
const FORMS =
  /\b(?:tablets?|capsules?|caps?|tabs?|pills?|injection|solution|suspension|inhalation|spray|inhaler|cream|ointment|extended release|delayed release|er|xr|sr|cr|oral|generic)\b/gi;

/** The liquid in which a medicine is dissolved: "in dextrose", "in sodium chloride". */
const VEHICLE = /\s+in (?:dextrose|sodium chloride|water)\b.*$/i;
/** The four-letter suffix of the names of biological medicines in the United States: "cemiplimab-rwlc". */
const BIOLOGIC_SUFFIX = /-[a-z]{4}$/i;

/** Removes the vehicle, and the suffix that only distinguishes biological products. */
export const withoutAdditions = (input: string): string =>
  input.trim().replace(VEHICLE, '').replace(BIOLOGIC_SUFFIX, '');

/** Removes strength and form: "Lipitor 20 mg tablets" becomes "Lipitor". */
export const withoutStrength = (input: string): string =>
  input.replace(STRENGTH, ' ').replace(FORMS, ' ').replace(/\s+/g, ' ').trim();

/** Returns the parts of a combination such as "aspirin / dipyridamole" or "aspirin and dipyridamole". */
export const partsOf = (input: string): readonly string[] =>
  input
    .split(/\s*(?:[/+;&,]|\band\b|\bwith\b)\s*/i)
    .map((part) => part.trim())
    .filter((part) => part !== '');
