/** Figures of a text: what of it can be wrong in a way that a program sees. */

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

/** In digits or in words, commas in thousands gone; "one" is mostly no figure, and B12 is a name. */
export const figuresIn = (text: string): ReadonlySet<string> => {
  const digits = text.replace(/(?<=\d),(?=\d{3})/g, '').match(/(?<![A-Za-z][\d.]*)\d+(?:\.\d+)?/g) ?? [];
  const words = (text.toLowerCase().match(/[a-z]+/g) ?? []).flatMap((word) => {
    const n = WORDS.indexOf(word);
    return n > 1 ? [String(n)] : (TENS[word] ?? []);
  });
  return new Set([...digits, ...words]);
};
