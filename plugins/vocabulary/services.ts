import type { EntityManager } from '@mikro-orm/postgresql';
import { createVersionedCache } from '#core/db/versioned-cache.ts';
import type { Host } from '#core/plugin.ts';
import { buildResolver, type Kind, type Resolved, type Resolver } from './resolver.ts';
import { loadTerms, type SubstanceRow, type SupplementRow, type Terms, type TopicRow } from './terms.ts';

export interface VocabularyServices {
  /** Returns the terms. With `em` it reads inside that transaction, and does not cache the result. */
  terms(em?: EntityManager): Promise<Terms>;
  /** Returns the parts of a vertical ("Magnesium and sleep"); null if either part is unknown. */
  verticalName(vertical: string, terms: Terms): { supplement: SupplementRow; topic: TopicRow } | null;
  /** Resolves a name, slug, id (UNII, RxCUI, UMLS CUI, MeSH) or misspelling; null if there is no meaning or more than one. */
  resolve(input: string, kinds?: readonly Kind[]): Promise<Resolved | null>;
  /** Returns matches for "did you mean", best first. */
  near(input: string, limit: number, kinds?: readonly Kind[]): Promise<readonly Resolved[]>;
  /** Returns names that begin with the input, then those that contain it. */
  suggest(input: string, limit: number, kinds?: readonly Kind[]): Promise<readonly Resolved[]>;
  /** Returns the banned, restricted or otherwise warned substance with exactly this name; it may be a supplement with a page. */
  warned(input: string): Promise<SubstanceRow | null>;
  /** Returns the slug that replaced a merged or renamed one; null if it was neither. */
  replacedBy(kind: 'supplement' | 'condition', slug: string): Promise<string | null>;
  /** Returns the page for an address that has none: an old slug, a name, synonym or Latin name, upper case; never a typo. */
  pageFor(kind: 'supplement' | 'condition', text: string): Promise<string | null>;
  forget(): void;
}

const VERSION = 'select count(*)::int as files, max(synced_at)::text as at from content_file';

const SURE = new Set(['exact', 'synonym', 'latin']);

const verticalName: VocabularyServices['verticalName'] = (vertical, { supplements, topics }) => {
  for (let at = vertical.indexOf('-'); at > 0; at = vertical.indexOf('-', at + 1)) {
    const [supplement, topic] = [supplements.get(vertical.slice(0, at)), topics.get(vertical.slice(at + 1))];
    if (supplement && topic) return { supplement, topic };
  }
  return null;
};

export const startVocabulary = ({ db }: Host): VocabularyServices => {
  const { current, forget } = createVersionedCache(db, {
    version: VERSION,
    make: async (em): Promise<{ terms: Terms; resolver: Resolver }> => {
      const terms = await loadTerms(em);
      return { terms, resolver: buildResolver(terms) };
    },
  });
  const replacedBy: VocabularyServices['replacedBy'] = async (kind, slug) => {
    const { terms } = await current();
    const to = terms.redirects.get(slug);
    const pages = kind === 'supplement' ? terms.supplements : terms.conditions;
    return to && pages.has(to) ? to : null;
  };
  return {
    terms: async (em) => (em ? loadTerms(em) : (await current()).terms),
    verticalName,
    resolve: async (input, kinds) => (await current()).resolver.resolve(input, kinds),
    near: async (input, limit, kinds) => (await current()).resolver.near(input, limit, kinds),
    suggest: async (input, limit, kinds) => (await current()).resolver.suggest(input, limit, kinds),
    warned: async (input) => (await current()).resolver.warned(input),
    replacedBy,
    pageFor: async (kind, text) => {
      const old = await replacedBy(kind, text.toLowerCase());
      if (old) return old;
      const hit = (await current()).resolver.resolve(text, [kind]);
      return hit && SURE.has(hit.match_type) ? hit.slug : null;
    },
    forget,
  };
};
