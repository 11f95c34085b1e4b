import { findBaseline, findControl } from './control-arm.ts';
import { findGroupNames, readGroupNames } from './group-names.ts';
import { stem, type Token, tokenize } from './tokens.ts';

/** Bit flags for the part of the prompt that a token belongs to; a token may have several roles. */
export const ROLE = { intervention: 1, comparator: 2, outcome: 4 } as const;

export interface Prompt {
  readonly intervention: string;
  readonly comparator: string;
  readonly outcome: string;
}

const STOP = new Set(
  'a an the of in on to at for and or with without by from as per than versus vs is are was were be been this that these those it its their our group groups arm arms both either all each after before during patients participants subjects women men children mg g ml kg day daily week weeks month months year years once twice times time level levels mean score scores rate rates number total change changes study trial treatment therapy using use used plus only alone'.split(
    ' ',
  ),
);
/** Words that name an arm only as parts of longer names, and words of negation that name no arm. */
const ARM_STOP = new Set(
  'who whom which whose their his her they not no non none did does do receiv minute hour half side time first second then other same mother part without'.split(
    ' ',
  ),
);
const CONTROL_IN_TEXT = new Set(['placebo', 'control', 'sham', 'untreat', 'usual', 'cg', 'comparator']);
const TREATED_IN_TEXT = new Set([
  'intervention',
  'experimental',
  'treat',
  'supplement',
  'supplementation',
  'supplemented',
  'active',
  'ig',
]);

const BASELINE_IN_TEXT = new Set(['baseline', 'before', 'pre', 'pretreat', 'pretreatment', 'initial']);
const SHORTEST_PREFIX = 3;

/** Returns whether a word is a short form of a longer one, as "lac" is of "lactalbumin". */
const abbreviates = (short: string, words: ReadonlySet<string>): boolean =>
  short.length >= SHORTEST_PREFIX &&
  [...words].some((word) => word.length >= short.length + 3 && word.startsWith(short));

const PROMPT_LIMIT = 400;

const contentStems = (text: string): Set<string> => {
  const found = new Set<string>();
  for (const { text: word } of tokenize(text.slice(0, PROMPT_LIMIT))) {
    const lower = word.toLowerCase();
    if (!/[\p{L}\d]/u.test(lower) || STOP.has(lower)) continue;
    if (lower.length === 1 && !/[A-Z\d]/.test(word)) continue;
    found.add(stem(lower));
  }
  return found;
};

/** Returns the initials of every run of two to six words: "usual care group" gives uc, ucg, cg. */
const initials = (text: string): Set<string> => {
  const words = text.slice(0, PROMPT_LIMIT).match(/\p{L}+/gu) ?? [];
  const found = new Set<string>();
  for (let from = 0; from < words.length && from < 30; from += 1) {
    let letters = '';
    for (const word of words.slice(from, from + 6)) {
      if (/^(?:of|and|the|with|in|for)$/i.test(word)) continue;
      letters += word[0]!.toLowerCase();
      if (letters.length > 1) found.add(letters);
    }
  }
  return found;
};

const without = (left: ReadonlySet<string>, right: ReadonlySet<string>): Set<string> =>
  new Set([...left].filter((word) => !right.has(word)));

export interface RoleMarker {
  /** Returns the roles of each token. */
  readonly mark: (tokens: readonly Token[]) => number[];
  /** The arm that is a control according to its name: +1 the intervention, -1 the comparator, 0 neither or both. */
  readonly control: -1 | 0 | 1;
  /** Whether the control is the time before the treatment. */
  readonly hasBaseline: boolean;
}

const GROUP = /^(?:group|arm|patient|participant|subject)s?$/i;
const ONE_GROUP = /^(?:group|arm|patients|participants|subjects)$/i;
const ARMS = ROLE.intervention | ROLE.comparator;
const TREATED_GROUP = /^(?:treatment|study|test|case|verum|trial)$/i;

const lastWord = (tokens: readonly Token[], index: number): string => {
  const before = tokens[index - 1]?.text ?? '';
  return before === '-' ? (tokens[index - 2]?.text ?? '') : before;
};

const DENIED_ARM = /^\W*(?:(?:did|do|does|were|was) not|no|non|not|without|never)\b/i;
const DENIES = /^(?:no|non|not|without|never|un)$/i;

/** Returns whether the text negates a word of an arm: "without coaching", "non-coached". */
const isDenied = (tokens: readonly Token[], index: number): boolean =>
  tokens.slice(Math.max(0, index - 3), index).some(({ text }) => DENIES.test(text));

/** Builds a function that returns the roles of the tokens of a passage under one prompt. */
export const markRoles = ({ intervention, comparator, outcome }: Prompt): RoleMarker => {
  const [given, other] = [without(contentStems(intervention), ARM_STOP), without(contentStems(comparator), ARM_STOP)];
  const measured = contentStems(outcome);
  const [onlyGiven, onlyOther] = [without(given, other), without(other, given)];
  const [givenShort, otherShort, measuredShort] = [initials(intervention), initials(comparator), initials(outcome)];
  const hasBaseline = findBaseline(intervention, comparator) !== 0;
  const control = findControl(intervention, comparator);
  // When the arms are swapped, the control is the intervention of the prompt, and the generic words swap their roles too.
  const swapped = control > 0;
  const [treatedRole, controlRole] = swapped
    ? [ROLE.comparator, ROLE.intervention]
    : [ROLE.intervention, ROLE.comparator];
  // In "A" against "A with B", the shared words name the arm that has no words of its own.
  const shared =
    !hasBaseline && (onlyGiven.size === 0 || onlyOther.size === 0) ? given.intersection(other) : new Set<string>();
  const sharedRole = onlyGiven.size === 0 ? ROLE.intervention : ROLE.comparator;
  const groupNames = readGroupNames(intervention, comparator);
  const single = (token: Token): number => {
    const word = stem(token.text.toLowerCase());
    let roles = 0;
    if (onlyGiven.has(word)) roles |= ROLE.intervention;
    if (onlyOther.has(word)) roles |= ROLE.comparator;
    if (measured.has(word)) roles |= ROLE.outcome;
    if (roles === 0 && /^[A-Z]{2,6}s?$/.test(token.text)) {
      const short = token.text.toLowerCase().replace(/s$/, '');
      if (givenShort.has(short) && !otherShort.has(short)) roles |= ROLE.intervention;
      else if (otherShort.has(short) && !givenShort.has(short)) roles |= ROLE.comparator;
      if (measuredShort.has(short)) roles |= ROLE.outcome;
    }
    if (roles === 0 && /^[A-Z]{3,6}$|^\p{L}{4,7}$/u.test(token.text)) {
      const short = token.text.toLowerCase();
      const [first, second] = [abbreviates(short, onlyGiven), abbreviates(short, onlyOther)];
      if (first !== second) roles |= first ? ROLE.intervention : ROLE.comparator;
    }
    if (roles !== 0) return roles;
    if (hasBaseline) {
      if (BASELINE_IN_TEXT.has(word)) return control > 0 ? ROLE.intervention : ROLE.comparator;
      return 0;
    }
    return 0;
  };
  /**
   * Returns the role of a generic word: "control", "treated" and "intervention" name an arm unless a word of an arm is adjacent,
   * as in "drug-treated".
   */
  const generic = (tokens: readonly Token[], index: number, near: readonly number[]): number => {
    const { text } = tokens[index]!;
    const word = stem(text.toLowerCase());
    const next = tokens[index + 1]?.text ?? '';
    if (CONTROL_IN_TEXT.has(word)) return controlRole;
    if (word === 'comparison') return GROUP.test(next) ? controlRole : 0;
    const isTreated = TREATED_IN_TEXT.has(word)
      ? !/^interventions$/i.test(text)
      : TREATED_GROUP.test(text) && ONE_GROUP.test(next);
    if (!isTreated || near.some((role) => role & ARMS)) return 0;
    if (/^(?:non|not|un|never)$/i.test(lastWord(tokens, index))) return controlRole;
    // In "delayed-treatment arm" and "drug-treated", the word before the hyphen names the arm, which is not one of the prompt's.
    return tokens[index - 1]?.text === '-' ? 0 : treatedRole;
  };
  // In "no coaching" against "coaching" or "training", the bare word names the arm with the treatment.
  const deniedRole =
    DENIED_ARM.test(intervention) === DENIED_ARM.test(comparator)
      ? 0
      : DENIED_ARM.test(intervention)
        ? ROLE.intervention
        : ROLE.comparator;
  const mark = (tokens: readonly Token[]): number[] => {
    const named = tokens.map(single);
    for (const [index, role] of named.entries())
      if (deniedRole !== 0 && (role & ARMS) === deniedRole && !isDenied(tokens, index)) named[index] = role ^ ARMS;
    for (const index of hasBaseline ? [] : findGroupNames(tokens)) {
      const arm = groupNames(tokens[index]!.text);
      if (arm !== 0) named[index] = arm > 0 ? ROLE.intervention : ROLE.comparator;
    }
    const roles = hasBaseline
      ? named
      : named.map((role, index) => role || generic(tokens, index, named.slice(Math.max(0, index - 2), index + 4)));
    if (shared.size === 0) return roles;
    const own = ARMS;
    return roles.map((role, index) => {
      if (role !== 0 || !shared.has(stem(tokens[index]!.text.toLowerCase()))) return role;
      return roles.slice(Math.max(0, index - 4), index + 5).some((near) => near & own) ? role : sharedRole;
    });
  };
  return { mark, control, hasBaseline };
};
