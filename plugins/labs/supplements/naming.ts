/** Resolves the name in a log entry: an exact match, a guess, or none. */
import type { InteractionServices } from '#plugins/interactions/index.ts';
import type { VocabularyServices } from '#plugins/vocabulary/index.ts';
import type { KeptEntry } from './kept-entry.ts';

export type Meaning = Pick<KeptEntry, 'kind' | 'slug' | 'slugKind' | 'name' | 'given' | 'isGuess'>;

export interface Words {
  readonly interactions: InteractionServices;
  readonly vocabulary: VocabularyServices;
}

/** Resolves the slug of a supplement or a substance, current or replaced; null if there is none. */
export const meaningOfSlug = async ({ interactions, vocabulary }: Words, slug: string): Promise<Meaning | null> => {
  const { subjects, medicineOf } = await interactions.book();
  const known = subjects.get(slug) ?? subjects.get((await vocabulary.replacedBy('supplement', slug)) ?? '');
  if (!known) return null;
  const medicine = medicineOf(known.slug);
  if (medicine)
    return { kind: 'medicine', slug: medicine.slug, slugKind: 'drug', name: medicine.name, given: '', isGuess: false };
  return { kind: 'supplement', slug: known.slug, slugKind: known.kind, name: known.name, given: '', isGuess: false };
};

/** Resolves a name, whichever list it was entered in: a medicine entered as a supplement has the interactions of a medicine. */
export const meaningOfName = async (
  { interactions }: Words,
  given: string,
  kind: KeptEntry['kind'],
): Promise<Meaning> => {
  const book = await interactions.book();
  const named = await interactions.names(book).any(given, kind === 'medicine' ? 'drug' : 'subject');
  if (!named) return { kind, slug: '', slugKind: '', name: given, given, isGuess: false };
  const isGuess = named.matchType === 'typo';
  if (named.type === 'subject') {
    const { slug, name, kind: slugKind } = named.subject;
    return { kind: 'supplement', slug, slugKind, name, given, isGuess };
  }
  if (named.type === 'class')
    return { kind: 'medicine', slug: named.class.slug, slugKind: 'class', name: named.class.name, given, isGuess };
  return { kind: 'medicine', slug: named.drug.slug, slugKind: 'drug', name: named.name, given, isGuess };
};
