/**
 * Shortens tool results to a size that an agent can read. The size is that of the JSON text, at three characters per token,
 * which overestimates the tokens that the tokenizers of large models produce for English JSON. Pure.
 */

/** Maximum size of one tool result, in tokens (conventions, section 16). */
export const TOKEN_BUDGET = 4_000;
const CHARACTERS_PER_TOKEN = 3;
/** Characters reserved for the list of what was left out. */
const ENVELOPE = 600;
const ROOM = TOKEN_BUDGET * CHARACTERS_PER_TOKEN - ENVELOPE;

/** Texts of at most this length, in characters, are never shortened. */
const SHORT_TEXT = 240;

type Plain = Record<string, unknown>;

export interface Fitted<T> {
  readonly value: T;
  /** Paths that were shortened: `/findings: 3 of 9`, `/abstract: 900 of 4,000`. */
  readonly leftOut: readonly string[];
}

export const sizeOf = (value: unknown): number => JSON.stringify(value)?.length ?? 0;

/** A part of a value that can be shortened. `gain` is the number of characters that this saves. */
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
          // The end is removed, because lists are sorted with the most important items first.
          apply: () => void member.splice(Math.floor(member.length / 2)),
        },
        ...cutsIn(member, at, kept),
      ];
    return cutsIn(member, at, kept);
  });
};

/** Cuts a text to at most `length` characters, at the end of a word if possible, and appends an ellipsis. */
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
 * Returns a copy of the value that fits the budget: the part with the largest gain is halved repeatedly until the value fits
 * or nothing is left to shorten.
 * @param kept paths that are never shortened, such as the advice for an emergency
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
      // The path is inside a part that was removed completely.
      if (had === null || has === null || had === has) return [];
      return [`${path}: ${words(has)} of ${words(had)}`];
    }),
  };
};
