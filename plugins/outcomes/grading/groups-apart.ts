/** Whether those who were studied are a group whose results do not carry over, seen from an outcome. Pure. */
import { type Group, groupsIn } from '#plugins/evidence/index.ts';

/** Outcomes that only these groups can have: there, the group is whom the outcome is about. */
const OWN_GROUPS: Readonly<Record<string, readonly Group[]>> = {
  'child-growth': ['infants', 'children'],
  'necrotising-enterocolitis': ['infants'],
  'pregnancy-outcomes': ['pregnancy'],
  'pre-eclampsia': ['pregnancy'],
  'gestational-diabetes': ['pregnancy'],
};

/** The groups that a text is about alone, unless the outcome is about one of them anyway. */
export const groupsApart = (topic: string, text: string): readonly Group[] => {
  const own = OWN_GROUPS[topic] ?? [];
  const groups = groupsIn(text);
  return groups.some((group) => own.includes(group)) ? [] : groups;
};
