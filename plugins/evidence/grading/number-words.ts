/** A number found in a text: its value, its position (`end` is exclusive), and whether it is written in words. */
export interface FoundNumber {
  readonly value: number;
  readonly start: number;
  readonly end: number;
  readonly inWords: boolean;
}

/** Number words up to nineteen, with their values. */
export const ONES: Readonly<Record<string, number>> = {
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  eleven: 11,
  twelve: 12,
  thirteen: 13,
  fourteen: 14,
  fifteen: 15,
  sixteen: 16,
  seventeen: 17,
  eighteen: 18,
  nineteen: 19,
};
const TENS: Readonly<Record<string, number>> = {
  twenty: 20,
  thirty: 30,
  forty: 40,
  fourty: 40,
  fifty: 50,
  sixty: 60,
  seventy: 70,
  eighty: 80,
  ninety: 90,
};

// One alternation matches digits (with grouped thousands) and single number words. It has no nested repetition, so it runs in
// linear time.
const TOKEN =
  /\d{1,3}(?:[, ]\d{3}){1,3}(?!\d)|\d+|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty|thirty|fou?rty|fifty|sixty|seventy|eighty|ninety|hundred|thousand)\b/g;

interface WordRun {
  total: number;
  current: number;
  start: number;
  end: number;
}

const addWord = (run: WordRun, word: string): void => {
  if (word === 'hundred') run.current = (run.current || 1) * 100;
  else if (word === 'thousand') {
    run.total += (run.current || 1) * 1000;
    run.current = 0;
  } else run.current += ONES[word] ?? TENS[word] ?? 0;
};

/** Returns whether `word` can continue the number in `run`: "two" may follow "twenty", but not "six". */
const continues = (run: WordRun, word: string, gap: string): boolean => {
  if (!/^(?:-| |, | and |-and-)$/.test(gap)) return false;
  if (word === 'hundred' || word === 'thousand')
    return run.current > 0 && (word === 'thousand' || run.current < 100) && gap.length === 1;
  const rest = run.current % 100;
  if (word in TENS) return rest === 0 && (run.current >= 100 || run.total > 0);
  const value = ONES[word] ?? 0;
  if (rest === 0) return run.current >= 100 || (run.total > 0 && run.current === 0);
  return rest % 10 === 0 && rest >= 20 && value < 10 && (gap === '-' || gap === ' ');
};

/** Finds whole numbers in lower-case text, in digits ("1,208", "1 208") or words ("one hundred and seventy-four"). */
export const findNumbers = (text: string): FoundNumber[] => {
  const found: FoundNumber[] = [];
  let run: WordRun | null = null;
  const flush = () => {
    if (run !== null) found.push({ value: run.total + run.current, start: run.start, end: run.end, inWords: true });
    run = null;
  };
  for (const match of text.matchAll(TOKEN)) {
    const token = match[0];
    const end = match.index + token.length;
    const first = token.charCodeAt(0);
    if (first >= 48 && first <= 57) {
      flush();
      const value = token.length > 15 ? Number.NaN : Number(token.replace(/[, ]/g, ''));
      found.push({ value, start: match.index, end, inWords: false });
      continue;
    }
    const open = run as WordRun | null;
    if (open === null || !continues(open, token, text.slice(open.end, match.index))) {
      flush();
      run = { total: 0, current: 0, start: match.index, end };
    }
    addWord(run as unknown as WordRun, token);
    (run as unknown as WordRun).end = end;
  }
  flush();
  return found;
};
