/** Defines the `data` of each type of event: its schema and an example. */
import { type TSchema, Type } from 'typebox';
import type { EventType } from './event-types.ts';

const text = (description = '') => Type.String(description ? { description } : {});
const url = Type.String({ format: 'uri', description: 'Where to read the rest.' });
const severity = Type.String({ enum: ['contraindicated', 'major', 'moderate', 'minor', 'unknown'] });
const tier = Type.String({ enum: ['A', 'B', 'C', 'D'] });
const nullableId = Type.Union([Type.Integer(), Type.Null()]);
const nullableFlag = Type.Union([Type.Boolean(), Type.Null()]);
const dsldId = Type.Integer({ description: 'The product.' });

const source = { source_id: text(), pmid: text('"" when there is none.'), doi: text('"" when there is none.') };
const sourceExample = { source_id: 'pmid-12345678', pmid: '12345678', doi: '10.1000/example' };
const sourceUrl = (base: string): string => `${base}/v1/evidence/pmid-12345678`;
const interaction = { interaction_id: text(), supplement_slug: text() };
const interactionExample = (base: string) => ({
  interaction_id: 'ginkgo-warfarin',
  supplement_slug: 'ginkgo',
  url: `${base}/interactions/ginkgo`,
});
const productUrl = (base: string): string => `${base}/product/19279`;
const key = { key_id: text('Never the key itself.') };

interface DataType {
  readonly schema: TSchema;
  example(baseUrl: string): Readonly<Record<string, unknown>>;
}

export const dataTypes: Readonly<Record<EventType, DataType>> = {
  'evidence.created': {
    schema: Type.Object({ ...source, new: Type.Object({ quality_tier: tier, retraction_status: text() }), url }),
    example: (base) => ({
      ...sourceExample,
      new: { quality_tier: 'B', retraction_status: 'none' },
      url: sourceUrl(base),
    }),
  },
  'evidence.updated': {
    schema: Type.Object({
      ...source,
      new: Type.Optional(Type.Object({ removed: Type.Boolean({ description: 'It left the base.' }) })),
      url,
    }),
    example: (base) => ({ ...sourceExample, url: sourceUrl(base) }),
  },
  'evidence.retracted': {
    schema: Type.Object({
      ...source,
      old: Type.Object({ quality_tier: tier, retraction_status: text() }),
      new: Type.Object({ quality_tier: tier, retraction_status: Type.String({ enum: ['retracted'] }) }),
      url,
    }),
    example: (base) => ({
      ...sourceExample,
      old: { quality_tier: 'B', retraction_status: 'none' },
      new: { quality_tier: 'D', retraction_status: 'retracted' },
      url: sourceUrl(base),
    }),
  },
  'evidence.tier_changed': {
    schema: Type.Object({
      ...source,
      old: Type.Object({ quality_tier: tier }),
      new: Type.Object({ quality_tier: tier }),
      url,
    }),
    example: (base) => ({
      ...sourceExample,
      old: { quality_tier: 'C' },
      new: { quality_tier: 'B' },
      url: sourceUrl(base),
    }),
  },
  'interaction.created': {
    schema: Type.Object({ ...interaction, new: Type.Object({ severity }), url }),
    example: (base) => ({ ...interactionExample(base), new: { severity: 'major' } }),
  },
  'interaction.severity_changed': {
    schema: Type.Object({ ...interaction, old: Type.Object({ severity }), new: Type.Object({ severity }), url }),
    example: (base) => ({
      ...interactionExample(base),
      old: { severity: 'moderate' },
      new: { severity: 'major' },
    }),
  },
  'product.created': {
    schema: Type.Object({ dsld_id: dsldId, name: text(), brand: text(), url }),
    example: (base) => ({ dsld_id: 19279, name: 'Magnesium', brand: 'Example', url: productUrl(base) }),
  },
  'product.market_status_changed': {
    schema: Type.Object({
      dsld_id: dsldId,
      name: text(),
      brand: text(),
      old: Type.Object({ on_market: nullableFlag }),
      new: Type.Object({ on_market: nullableFlag }),
      as_of: Type.Union([text(), Type.Null()], { description: 'The day that the status is of.' }),
      url,
    }),
    example: (base) => ({
      dsld_id: 19279,
      name: 'Magnesium',
      brand: 'Example',
      old: { on_market: true },
      new: { on_market: false },
      as_of: '2026-02-03',
      url: productUrl(base),
    }),
  },
  'product.recalled': {
    schema: Type.Object({
      dsld_id: dsldId,
      recall_number: text(),
      classification: text('As the authority says it, such as "Class II".'),
      status: text(),
      url,
    }),
    example: (base) => ({
      dsld_id: 19279,
      recall_number: 'F-0001-2026',
      classification: 'Class II',
      status: 'Ongoing',
      url: productUrl(base),
    }),
  },
  'label_image.created': {
    schema: Type.Object({ image_id: Type.Integer(), dsld_id: dsldId, kind: text(), source: text(), url }),
    example: (base) => ({ image_id: 7, dsld_id: 19279, kind: 'front', source: 'upload', url: productUrl(base) }),
  },
  'label_image.primary_changed': {
    schema: Type.Object({
      dsld_id: dsldId,
      old: Type.Object({ primary_image_id: nullableId }),
      new: Type.Object({ primary_image_id: nullableId }),
      url,
    }),
    example: (base) => ({
      dsld_id: 19279,
      old: { primary_image_id: null },
      new: { primary_image_id: 7 },
      url: productUrl(base),
    }),
  },
  'index.published': {
    schema: Type.Object({
      part: Type.String({ enum: ['corpus', 'catalogue'] }),
      source: text('What was imported, such as `pubmed` or `dsld`.'),
      counts: Type.Record(Type.String(), Type.Integer()),
      url,
    }),
    example: (base) => ({
      part: 'corpus',
      source: 'pubmed',
      counts: { read: 120, added: 80, changed: 12, unchanged: 28, removed: 0, skipped: 0 },
      url: `${base}/api/stats`,
    }),
  },
  'pipeline.failed': {
    schema: Type.Object({ job: text(), url }),
    example: (base) => ({ job: 'ingest_pubmed', url: `${base}/api/pipeline/status` }),
  },
  'feedback.created': {
    schema: Type.Object({
      feedback_id: text(),
      category: text('Of a message; "" for a vote on an answer.'),
      target_type: text('What it is about; "" when that was not said.'),
      target_id: text('Where it names something public of the base; "" otherwise.'),
      rating: Type.Optional(Type.String({ enum: ['up', 'down'], description: 'Of a vote on an answer.' })),
    }),
    example: () => ({
      feedback_id: 'fb_m1x2y3z4',
      category: 'outdated',
      target_type: 'supplement',
      target_id: 'magnesium',
    }),
  },
  'key.created': {
    schema: Type.Object({ ...key, plan: text(), is_admin: Type.Boolean() }),
    example: () => ({ key_id: 'key_0123456789abcdef0123', plan: 'free', is_admin: false }),
  },
  'key.deactivated': {
    schema: Type.Object(key),
    example: () => ({ key_id: 'key_0123456789abcdef0123' }),
  },
  'key.quota_warning': {
    schema: Type.Object({
      ...key,
      bucket: Type.Optional(Type.String({ enum: ['minute', 'day'] })),
      used: Type.Optional(Type.Integer()),
      limit: Type.Optional(Type.Integer()),
    }),
    example: () => ({ key_id: 'key_0123456789abcdef0123', bucket: 'day', used: 4000, limit: 5000 }),
  },
  'webhook.test': {
    schema: Type.Object({ webhook_id: text() }),
    example: () => ({ webhook_id: 'wh_0123456789abcdef0123' }),
  },
};

export const DataOf = (type: EventType): TSchema => dataTypes[type].schema;
