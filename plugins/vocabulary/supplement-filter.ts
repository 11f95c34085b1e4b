/** What the `supplement` of a list means, for every route that filters by one. */
import { resolvedRecord } from './records.ts';
import type { Resolved } from './resolver.ts';
import type { VocabularyServices } from './services.ts';

export interface SupplementFilter {
  /** Null without a filter; "" for a name that is not known, which no row has: an unknown name never means every row. */
  readonly slug: string | null;
  /** What the name was read as, for the answer to echo; at most one. */
  readonly resolved: readonly Resolved[];
}

/** By slug, name, synonym, id or misspelling; a blank name is no filter. */
export const supplementFilter = async (
  vocabulary: Pick<VocabularyServices, 'resolve'>,
  input = '',
): Promise<SupplementFilter> => {
  const name = input.trim();
  if (!name) return { slug: null, resolved: [] };
  const hit = await vocabulary.resolve(name, ['supplement']);
  return { slug: hit?.slug ?? '', resolved: hit ? [hit] : [] };
};

/** The echo as answers have it, with the page of each. */
export const echoOf = ({ resolved }: SupplementFilter, baseUrl: string) =>
  resolved.map((hit) => resolvedRecord(hit, baseUrl));
