/**
 * Groups whose results do not carry over to other people: infants, children, pregnancy, breastfeeding. Read from the few
 * words that an editor or a record has on who was studied, so a rule of words is enough. Pure.
 */

/** With the words a reader gets after "in". */
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

/** Men, or adults named beside children, are studied too: then the group does not stand alone. */
const EVERYBODY = /\b(adults?|grown-ups|men|elderly|all ages|older people|older women)\b/i;
const DENIED = /\b(?:non-?|not )(?:pregnan|lactat|breast-?feed)\w+/gi;

/** The groups that a text on who was studied is about alone; none where others were studied as well, or nothing is said. */
export const groupsIn = (text: string): readonly Group[] => {
  const said = text.replace(DENIED, '');
  if (EVERYBODY.test(said)) return [];
  return (Object.keys(WORDS) as Group[]).filter((group) => WORDS[group].test(said));
};

/** "infants", "infants and children", "infants, children and pregnancy". */
export const groupsInWords = (groups: readonly Group[]): string =>
  new Intl.ListFormat('en-GB', { type: 'conjunction' }).format(
    (Object.keys(GROUPS) as Group[]).filter((group) => groups.includes(group)).map((group) => GROUPS[group]),
  );
