/** Resolves addresses below /interactions that have no page of their own: another name, or a pair with its names in any order. */
import type { InteractionBook } from '../book/interaction-book.ts';
import { isSure, type Named, type Names, namedJson } from '../checker/names.ts';

interface Elsewhere {
  readonly redirect: string;
  readonly status: 301 | 302;
}

const LONGEST = 120;
const JOINING = /^(?:and|with|plus|vs|x)-|-(?:and|with|plus|vs|x)$/;

const sureNamed = async (names: Names, slug: string): Promise<Named | null> => {
  const words = slug.replaceAll('-', ' ').trim().slice(0, LONGEST);
  const named = words ? await names.any(words, 'drug') : null;
  return named && isSure(named) ? named : null;
};

const hubOf = (book: InteractionBook, named: Named): string => {
  if (named.type === 'subject') return book.hubOf('subject', named.subject.slug);
  return named.type === 'drug' ? book.hubOf('drug', named.drug.slug) : book.hubOf('class', named.class.slug);
};

/**
 * Returns the page of the pair if there is one, in whichever order the names came; otherwise the checker's result for the two.
 */
const placeOfTwo = (book: InteractionBook, first: Named, second: Named): Elsewhere => {
  const isInOrder =
    first.type === second.type || (first.type !== 'subject' && second.type !== 'subject')
      ? namedJson(first).name < namedJson(second).name
      : first.type === 'subject';
  const [subject, other] = isInOrder ? [first, second] : [second, first];
  const pair =
    subject.type === 'subject' && other.type === 'drug' ? book.pair(subject.subject.slug, other.drug.slug) : null;
  if (pair) return { redirect: `/interactions/${pair.slug}`, status: 301 };
  const query = new URLSearchParams({ supplement: namedJson(subject).name, drug: namedJson(other).name });
  return { redirect: `/interactions?${query}`, status: 302 };
};

/** Returns the address of a pair; null unless both names are certain. A guess is only offered, and never followed. */
export const placeOfPair = async (
  book: InteractionBook,
  names: Names,
  [first, second]: readonly [string, string],
): Promise<Elsewhere | null> => {
  const [a, b] = [await sureNamed(names, first), await sureNamed(names, second)];
  return a && b ? placeOfTwo(book, a, b) : null;
};

/** Resolves an address: "coumadin" is a name of warfarin; "warfarin-ginkgo" and "ginkgo-and-warfarin" are the pair. */
export const placeOf = async (book: InteractionBook, names: Names, slug: string): Promise<Elsewhere | null> => {
  const named = await sureNamed(names, slug);
  if (named) return { redirect: `/interactions/${hubOf(book, named)}`, status: 301 };
  for (let at = slug.indexOf('-'); at > 0; at = slug.indexOf('-', at + 1)) {
    const halves = [slug.slice(0, at), slug.slice(at + 1)].map((half) => half.replace(JOINING, '')) as [string, string];
    const place = await placeOfPair(book, names, halves);
    if (place) return place;
  }
  return null;
};
