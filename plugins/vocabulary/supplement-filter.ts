/** Resolves the `supplement` filter of every route that has one. */
import { resolvedRecord } from './records.ts';
import type { Resolved } from './resolver.ts';
import type { VocabularyServices } from './services.ts';

export interface SupplementFilter {
  /** Null without a filter; "" for an unknown name, which matches no row: an unknown name never means every row. */
  readonly slug: string | null;
  /** The resolved name, which the response echoes; at most one. */
  readonly resolved: readonly Resolved[];
}

/** Resolves a slug, name, synonym, id or misspelling; a blank name means no filter. */
export const supplementFilter = async (
  vocabulary: Pick<VocabularyServices, 'resolve'>,
  input = '',
): Promise<SupplementFilter> => {
  const name = input.trim();
  if (!name) return { slug: null, resolved: [] };
  const hit = await vocabulary.resolve(name, ['supplement']);
  return { slug: hit?.slug ?? '', resolved: hit ? [hit] : [] };
};

/** Builds the echo for a response, with the page of each name. */
export const echoOf = ({ resolved }: SupplementFilter, baseUrl: string) =>
  resolved.map((hit) => resolvedRecord(hit, baseUrl));
