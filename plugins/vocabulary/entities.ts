import { defineEntity, p } from '@mikro-orm/core';
import type { ConditionEntry } from './condition-schema.ts';
import type { RecommendedIntake, UpperLimit } from './list-schemas.ts';
import type { Authority, StandardIds } from './schema-parts.ts';
import type { SupplementEntry } from './schemas.ts';

/** A supplement, as given in its file in content/. */
export const Supplement = defineEntity({
  name: 'Supplement',
  tableName: 'supplement',
  properties: {
    slug: p.string().primary(),
    name: p.string(),
    latinName: p.string(),
    category: p.string(),
    traditions: p.json<string[]>(),
    synonyms: p.json<string[]>(),
    entry: p.json<SupplementEntry>(),
    body: p.text(),
    digest: p.string(),
    changedAt: p.datetime(),
  },
});

/** An outcome or condition that sources can be about. */
export const Topic = defineEntity({
  name: 'Topic',
  tableName: 'topic',
  properties: {
    slug: p.string().primary(),
    name: p.string(),
    kind: p.string(),
    terms: p.json<string[]>(),
  },
});

/** A condition, as given in its file in content/. */
export const Condition = defineEntity({
  name: 'Condition',
  tableName: 'condition',
  properties: {
    slug: p.string().primary(),
    name: p.string(),
    category: p.string(),
    synonyms: p.json<string[]>(),
    topics: p.json<string[]>(),
    entry: p.json<ConditionEntry>(),
    body: p.text(),
    digest: p.string(),
    changedAt: p.datetime(),
  },
});

/** A substance that is a warning, an additive or a food, and never a supplement page. */
export const Substance = defineEntity({
  name: 'Substance',
  tableName: 'substance',
  properties: {
    slug: p.string().primary(),
    name: p.string(),
    kind: p.string(),
    synonyms: p.json<string[]>(),
    ids: p.json<StandardIds>(),
    statement: p.text(),
    authority: p.json<Authority>().nullable(),
    statusAsOf: p.string(),
  },
});

/** Recommended amounts and upper limits of a supplement, as set by an authority. */
export const ReferenceIntake = defineEntity({
  name: 'ReferenceIntake',
  tableName: 'reference_intake',
  properties: {
    supplement: p.string().primary(),
    unit: p.string(),
    upperLimit: p.json<UpperLimit>().nullable(),
    recommended: p.json<RecommendedIntake[]>(),
    authority: p.json<Authority>(),
  },
});

/** A slug that was merged into another or renamed. */
export const Redirect = defineEntity({
  name: 'Redirect',
  tableName: 'redirect',
  properties: {
    fromSlug: p.string().primary(),
    toSlug: p.string(),
    kind: p.string(),
    reason: p.string(),
  },
});
