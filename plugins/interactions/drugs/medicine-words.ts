/** Single-word names of medicines, for the parsers of queries: generic and brand names, in lower case. */
import type { DrugBook } from './drug-book.ts';

const made = new WeakMap<DrugBook, ReadonlySet<string>>();

const build = (book: DrugBook): ReadonlySet<string> => {
  const words = new Set<string>();
  for (const { name, brands } of book.all())
    for (const text of [name, ...brands]) if (/^[a-z]{4,}$/i.test(text)) words.add(text.toLowerCase());
  return words;
};

/** Returns the words, built once for each state of the book. */
export const medicineWords = (book: DrugBook): ReadonlySet<string> => {
  const words = made.get(book) ?? build(book);
  made.set(book, words);
  return words;
};
