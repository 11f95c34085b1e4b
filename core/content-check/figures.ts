/** Extracts the figures of a text, which a program can compare with those of its sources. */

const WORDS =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty'.split(
    ' ',
  );
const TENS: Readonly<Record<string, string>> = {
  thirty: '30',
  forty: '40',
  fifty: '50',
  sixty: '60',
  seventy: '70',
  eighty: '80',
  ninety: '90',
};

/**
 * Returns the figures in digits or words, without thousands separators. "one" is skipped, because it is rarely a figure, and so
 * are digits in names such as B12.
 */
export const figuresIn = (text: string): ReadonlySet<string> => {
  const digits = text.replace(/(?<=\d),(?=\d{3})/g, '').match(/(?<![A-Za-z][\d.]*)\d+(?:\.\d+)?/g) ?? [];
  const words = (text.toLowerCase().match(/[a-z]+/g) ?? []).flatMap((word) => {
    const n = WORDS.indexOf(word);
    return n > 1 ? [String(n)] : (TENS[word] ?? []);
  });
  return new Set([...digits, ...words]);
};
