/** Names of medicines that are one word, for those who read queries: generic and brand names, in lower case. */
import type { DrugBook } from './drug-book.ts';

const made = new WeakMap<DrugBook, ReadonlySet<string>>();

const build = (book: DrugBook): ReadonlySet<string> => {
  const words = new Set<string>();
  for (const { name, brands } of book.all())
    for (const text of [name, ...brands]) if (/^[a-z]{4,}$/i.test(text)) words.add(text.toLowerCase());
  return words;
};

/** Made once for each state of the book. */
export const medicineWords = (book: DrugBook): ReadonlySet<string> => {
  const words = made.get(book) ?? build(book);
  made.set(book, words);
  return words;
};
