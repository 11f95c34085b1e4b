/** All terms of the vocabulary as the database stores them. */

import { createHash } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { findRows } from '#core/db/find-rows.ts';
import type { ConditionEntry } from './condition-schema.ts';
import { Condition, Redirect, ReferenceIntake, Substance, Supplement, Topic } from './entities.ts';
import type { RecommendedIntake, SubstanceKind, UpperLimit } from './list-schemas.ts';
import type { Authority, StandardIds } from './schema-parts.ts';
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

export interface ConditionRow {
  readonly slug: string;
  readonly name: string;
  readonly category: string;
  readonly synonyms: readonly string[];
  /** Slugs of topics that exist. */
  readonly topics: readonly string[];
  readonly entry: ConditionEntry;
  readonly body: string;
  readonly digest: string;
  readonly changedAt: Date;
}

export interface SubstanceRow {
  readonly slug: string;
  readonly name: string;
  readonly kind: SubstanceKind;
  readonly synonyms: readonly string[];
  readonly ids: StandardIds;
  /** Reason why it is a warning and not a page; for a food or supplement, what it is. */
  readonly statement: string;
  /** Null only for foods and supplements. */
  readonly authority: Authority | null;
  /** `2026-01`, or "". */
  readonly statusAsOf: string;
}

/** Daily amounts in `unit`. `upperLimit` null: no limit was set, which does not mean that any amount is safe. */
export interface IntakeRow {
  readonly supplement: string;
  readonly unit: string;
  readonly upperLimit: UpperLimit | null;
  readonly recommended: readonly RecommendedIntake[];
  readonly authority: Authority;
}

/** Small enough to be cached in memory until content changes: the same object means the same content. */
export interface Terms {
  readonly supplements: ReadonlyMap<string, SupplementRow>;
  readonly topics: ReadonlyMap<string, TopicRow>;
  readonly conditions: ReadonlyMap<string, ConditionRow>;
  /** Banned, restricted, additive, food. One with the slug of a supplement is the legal status of that supplement. */
  readonly substances: ReadonlyMap<string, SubstanceRow>;
  /** Old slug to current slug, for supplements and conditions that exist. */
  readonly redirects: ReadonlyMap<string, string>;
  /** Intakes by slug of the supplement. */
  readonly intakes: ReadonlyMap<string, IntakeRow>;
  /** Changes whenever anything that links a text to a supplement or topic changes, and only then. */
  readonly digest: string;
}

/** Returns the legal status of a supplement that is banned or restricted; null for all others. */
export const legalStatusOf = ({ supplements, substances }: Terms, slug: string): SubstanceRow | null =>
  supplements.has(slug) ? (substances.get(slug) ?? null) : null;

/**
 * Returns the additional names of a supplement: those under which it is banned or restricted. Sources are not matched by them.
 */
export const statusNamesOf = (terms: Terms, slug: string): readonly string[] => {
  const status = legalStatusOf(terms, slug);
  return status ? [status.name, ...status.synonyms] : [];
};

/** Returns whether the statement of a substance of this kind explains what it is; that of any other kind is a warning. */
export const isExplained = (kind: string): boolean => kind === 'food' || kind === 'supplement';

/** Kinds of substances that are no reason to warn of a product that holds them. */
const HARMLESS_KINDS: ReadonlySet<SubstanceKind> = new Set<SubstanceKind>(['food', 'additive', 'supplement']);

/** Returns whether a product that holds a substance of this kind is shown with a warning. */
export const isWarnedKind = (kind: SubstanceKind): boolean => !HARMLESS_KINDS.has(kind);

/** Returns the substances that have no page as a supplement. */
export const pagelessSubstances = ({ supplements, substances }: Terms): readonly SubstanceRow[] =>
  [...substances.values()].filter(({ slug }) => !supplements.has(slug));

type Named<T extends string, R> = R & { readonly [key in T]: string };

const bySlug = <R extends Named<'slug', unknown>>(rows: readonly R[]): ReadonlyMap<string, R> =>
  new Map(rows.map((row) => [row.slug, row]));

const digestOf = (supplements: readonly SupplementRow[], topics: readonly TopicRow[]): string => {
  const names = supplements.map((row) => [
    row.slug,
    row.name,
    row.latinName,
    row.synonyms,
    row.entry.forms.map((form) => form.name),
  ]);
  const hash = createHash('sha256').update(JSON.stringify([names, topics.map((row) => [row.slug, row.terms])]));
  return hash.digest('hex').slice(0, 16);
};

export const loadTerms = async (em: EntityManager): Promise<Terms> => {
  const options = { orderBy: { slug: 'asc' } } as const;
  const supplements = await findRows<SupplementRow>(em, Supplement, {}, options);
  const topics = await findRows<TopicRow>(em, Topic, {}, options);
  const conditions = await findRows<ConditionRow>(em, Condition, {}, options);
  const substances = await findRows<SubstanceRow>(em, Substance, {}, options);
  const intakes = await findRows<IntakeRow>(em, ReferenceIntake, {});
  const redirects = await findRows<{ fromSlug: string; toSlug: string; kind: string }>(em, Redirect, {});
  const pages = { supplement: bySlug(supplements), condition: bySlug(conditions) };
  const topicsBySlug = bySlug(topics);
  return {
    supplements: pages.supplement,
    topics: topicsBySlug,
    conditions: bySlug(
      conditions.map((row) => ({ ...row, topics: row.topics.filter((slug) => topicsBySlug.has(slug)) })),
    ),
    substances: bySlug(substances),
    redirects: new Map(
      redirects.flatMap(({ fromSlug, toSlug, kind }): [string, string][] => {
        const there = pages[kind as keyof typeof pages];
        return there.has(toSlug) && !there.has(fromSlug) ? [[fromSlug, toSlug]] : [];
      }),
    ),
    intakes: new Map(intakes.map((row) => [row.supplement, row])),
    digest: digestOf(supplements, topics),
  };
};
