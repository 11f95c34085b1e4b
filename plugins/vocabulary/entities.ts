import { defineEntity, p } from '@mikro-orm/core';
import type { SupplementEntry } from './schemas.ts';

/** A supplement as its file in content/ has it. */
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
