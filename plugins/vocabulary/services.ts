import { createHash } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Host } from '#core/plugin.ts';
import { Supplement, Topic } from './entities.ts';
import type { SupplementEntry } from './schemas.ts';

export interface SupplementRow {
  readonly slug: string;
  readonly name: string;
  readonly latinName: string;
  readonly category: string;
  readonly traditions: readonly string[];
  readonly synonyms: readonly string[];
  readonly entry: SupplementEntry;
  readonly body: string;
  readonly digest: string;
  readonly changedAt: Date;
}

export interface TopicRow {
  readonly slug: string;
  readonly name: string;
  readonly kind: 'outcome' | 'condition';
  readonly terms: readonly string[];
}

/** All supplements and topics: small, so kept in memory until content changes. */
export interface Terms {
  readonly supplements: ReadonlyMap<string, SupplementRow>;
  readonly topics: ReadonlyMap<string, TopicRow>;
  /** Changes with anything that ties a text to a supplement or topic. */
  readonly digest: string;
}

export interface VocabularyServices {
  /** `em`: reads inside that transaction, and is not kept. */
  terms(em?: EntityManager): Promise<Terms>;
  /** A vertical in words: "Magnesium and sleep"; null when either half is unknown. */
  verticalName(vertical: string, terms: Terms): { supplement: SupplementRow; topic: TopicRow } | null;
  forget(): void;
}

const load = async (em: EntityManager): Promise<Terms> => {
  const supplements = (await em.find(Supplement, {}, { orderBy: { slug: 'asc' } })) as unknown as SupplementRow[];
  const topics = (await em.find(Topic, {}, { orderBy: { slug: 'asc' } })) as unknown as TopicRow[];
  const names = supplements.map((row) => [
    row.slug,
    row.name,
    row.latinName,
    row.synonyms,
    row.entry.forms.map((form) => form.name),
  ]);
  const digest = createHash('sha256')
    .update(JSON.stringify([names, topics.map((row) => [row.slug, row.terms])]))
    .digest('hex');
  return {
    supplements: new Map(supplements.map((row) => [row.slug, row])),
    topics: new Map(topics.map((row) => [row.slug, row])),
    digest: digest.slice(0, 16),
  };
};

/** How long another process's change of content may go unseen, in milliseconds. */
const TTL = 2_000;

export const startVocabulary = ({ db }: Host): VocabularyServices => {
  let kept: { terms: Terms; until: number } | null = null;
  return {
    terms: async (em) => {
      if (em) return load(em);
      if (kept && Date.now() < kept.until) return kept.terms;
      const terms = await db.read(load);
      kept = { terms, until: Date.now() + TTL };
      return terms;
    },
    verticalName: (vertical, { supplements, topics }) => {
      for (let at = vertical.indexOf('-'); at > 0; at = vertical.indexOf('-', at + 1)) {
        const [supplement, topic] = [supplements.get(vertical.slice(0, at)), topics.get(vertical.slice(at + 1))];
        if (supplement && topic) return { supplement, topic };
      }
      return null;
    },
    forget: () => {
      kept = null;
    },
  };
};
