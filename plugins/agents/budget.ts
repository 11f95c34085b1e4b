/**
 * Answers of a size that an agent can read. Counted is the JSON text; a token is taken for three characters, which is more
 * tokens than the tokenizers of large models make of English JSON. Pure.
 */

/** Of one answer of a tool (conventions, section 16). */
export const TOKEN_BUDGET = 4_000;
const CHARACTERS_PER_TOKEN = 3;
/** Room for what says that something was left out. */
const ENVELOPE = 600;
const ROOM = TOKEN_BUDGET * CHARACTERS_PER_TOKEN - ENVELOPE;

/** A text shorter than this stays whole as long as there is anything else to shorten. */
const SHORT_TEXT = 240;

type Plain = Record<string, unknown>;

export interface Fitted<T> {
  readonly value: T;
  /** What was shortened: `/findings: 3 of 9`, `/abstract: 900 of 4,000 characters`. */
  readonly leftOut: readonly string[];
}

export const sizeOf = (value: unknown): number => JSON.stringify(value)?.length ?? 0;

/** A part that can be made smaller, and how. */
interface Cut {
  readonly path: string;
  readonly gain: number;
  apply(): void;
}

const cutsIn = (value: unknown, path: string, kept: ReadonlySet<string>): readonly Cut[] => {
  if (kept.has(path) || typeof value !== 'object' || value === null) return [];
  const entries = Object.entries(value as Plain);
  return entries.flatMap(([name, member]): readonly Cut[] => {
    const at = `${path}/${name}`;
    if (kept.has(at)) return [];
    if (typeof member === 'string' && member.length > SHORT_TEXT)
      return [
        {
          path: at,
          gain: Math.ceil(member.length / 2),
          apply: () => {
            (value as Plain)[name] = shortened(member, Math.floor(member.length / 2));
          },
        },
      ];
    if (Array.isArray(member) && member.length)
      return [
        {
          path: at,
          gain: sizeOf(member.slice(Math.floor(member.length / 2))),
          // The last ones go first: lists come with what matters most in front.
          apply: () => void member.splice(Math.floor(member.length / 2)),
        },
        ...cutsIn(member, at, kept),
      ];
    return cutsIn(member, at, kept);
  });
};

/** At the end of a word. */
export const shortened = (text: string, length: number): string => {
  if (text.length <= length) return text;
  const cut = text.slice(0, length);
  const end = cut.lastIndexOf(' ');
  return `${cut.slice(0, end > length / 2 ? end : length)}…`;
};

const lengthAt = (value: unknown, path: string): number | null => {
  const found = path
    .split('/')
    .slice(1)
    .reduce<unknown>((at, name) => (at as Plain | undefined)?.[name], value);
  return typeof found === 'string' || Array.isArray(found) ? found.length : null;
};

const words = (count: number): string => count.toLocaleString('en-GB');

/**
 * The value, made smaller where it is larger than the budget: the part that gains most is halved, until it fits.
 * @param kept paths that stay whole, such as what to do in an emergency
 */
export const withinBudget = <T extends object>(value: T, kept: readonly string[] = []): Fitted<T> => {
  const copy = structuredClone(value);
  const whole = new Set(kept);
  const paths = new Set<string>();
  while (sizeOf(copy) > ROOM) {
    const cuts = cutsIn(copy, '', whole);
    const best = cuts.toSorted((a, b) => b.gain - a.gain)[0];
    if (!best) break;
    best.apply();
    paths.add(best.path);
  }
  return {
    value: copy,
    leftOut: [...paths].flatMap((path) => {
      const [had, has] = [lengthAt(value, path), lengthAt(copy, path)];
      // Inside of what went as a whole.
      if (had === null || has === null || had === has) return [];
      return [`${path}: ${words(has)} of ${words(had)}`];
    }),
  };
};
