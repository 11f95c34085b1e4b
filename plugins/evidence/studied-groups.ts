/**
 * Detects special groups whose results do not apply to other people: infants, children, pregnancy, breastfeeding. The input is
 * the short description of the population by an editor or a record, for which regular expressions are sufficient. Pure functions.
 */

/** Names of the groups as they read after "in". */
export const GROUPS = {
  infants: 'infants',
  children: 'children',
  pregnancy: 'pregnancy',
  breastfeeding: 'breastfeeding women',
} as const;
export type Group = keyof typeof GROUPS;

const WORDS: Readonly<Record<Group, RegExp>> = {
  infants:
    /\b(infants?|infancy|newborns?|neonat\w+|bab(?:y|ies)|toddlers?|preterms?|breast-?fed|under (?:one|two) years?)\b/i,
  children:
    /\b(child|child's|children|children's|school-?child\w*|p(?:a)?ediatric|boys?|girls?|adolescen\w+|teenage\w*)\b/i,
  pregnancy: /\b(pregnan\w+|gestation\w*|until (?:delivery|birth)|antenatal|prenatal|trimester)\b/i,
  breastfeeding: /\b(lactati\w+|breast-?feeding|nursing mothers)\b/i,
};

/** Words that show that men or adults were studied too, so that the group was not studied alone. */
const EVERYBODY = /\b(adults?|grown-ups|men|elderly|all ages|older people|older women)\b/i;
const DENIED = /\b(?:non-?|not )(?:pregnan|lactat|breast-?feed)\w+/gi;

/**
 * Returns the groups that a description is about exclusively; empty when other people were studied as well or no group is named.
 */
export const groupsIn = (text: string): readonly Group[] => {
  const said = text.replace(DENIED, '');
  if (EVERYBODY.test(said)) return [];
  return (Object.keys(WORDS) as Group[]).filter((group) => WORDS[group].test(said));
};

/** Returns "infants", "infants and children" or "infants, children and pregnancy". */
export const groupsInWords = (groups: readonly Group[]): string =>
  new Intl.ListFormat('en-GB', { type: 'conjunction' }).format(
    (Object.keys(GROUPS) as Group[]).filter((group) => groups.includes(group)).map((group) => GROUPS[group]),
  );
