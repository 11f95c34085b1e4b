/** Finds the special groups, seen from an outcome, whose results do not apply to other people. Pure functions. */
import { type Group, groupsIn } from '#plugins/evidence/index.ts';

/** Outcomes that only these groups can have, so that the group is the population of the outcome. */
const OWN_GROUPS: Readonly<Record<string, readonly Group[]>> = {
  'child-growth': ['infants', 'children'],
  'necrotising-enterocolitis': ['infants'],
  'pregnancy-outcomes': ['pregnancy'],
  'pre-eclampsia': ['pregnancy'],
  'gestational-diabetes': ['pregnancy'],
};

/** Returns the groups that a text is about exclusively; empty when the outcome itself is about one of them. */
export const groupsApart = (topic: string, text: string): readonly Group[] => {
  const own = OWN_GROUPS[topic] ?? [];
  const groups = groupsIn(text);
  return groups.some((group) => own.includes(group)) ? [] : groups;
};
