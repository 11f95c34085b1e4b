/** Converts a row of the change log to an event. Only the members named here are published, whatever the row contains. */
import type { ChangeKind } from '#core/db/change-log.ts';
import type { EventType } from './event-types.ts';

export interface ChangeRow {
  readonly id: string;
  readonly at: string | Date;
  readonly kind: string;
  readonly subjectType: string;
  readonly subjectId: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface EventParts {
  readonly type: EventType;
  readonly data: Readonly<Record<string, unknown>>;
}

type Maker = (change: ChangeRow, baseUrl: string) => EventParts;
type Plain = Readonly<Record<string, unknown>>;

/** Maximum length of a text in an event, in characters. The texts of a change are arbitrary, and events must be small. */
const MOST_CHARS = 300;
const textOf = (value: unknown): string => (typeof value === 'string' ? value.slice(0, MOST_CHARS) : '');
const partOf = (value: unknown): Plain => (typeof value === 'object' && value !== null ? (value as Plain) : {});
const flagOf = (value: unknown): boolean | null => (typeof value === 'boolean' ? value : null);
const idOf = (value: unknown): number | null => (typeof value === 'number' ? value : null);

const ofSource =
  (type: EventType): Maker =>
  ({ subjectId, data: { pmid, doi, old, new: now } }, base) => ({
    type,
    data: {
      source_id: subjectId,
      pmid: textOf(pmid),
      doi: textOf(doi),
      ...(old !== undefined && { old }),
      ...(now !== undefined && { new: now }),
      url: `${base}/v1/evidence/${encodeURIComponent(subjectId)}`,
    },
  });

const removedSource: Maker = (change, base) =>
  ofSource('evidence.updated')({ ...change, data: { ...change.data, new: { removed: true } } }, base);

const ofInteraction =
  (type: EventType): Maker =>
  ({ subjectId, data: { supplement, old, new: now } }, base) => ({
    type,
    data: {
      interaction_id: subjectId,
      supplement_slug: textOf(supplement),
      ...(old !== undefined && { old }),
      ...(now !== undefined && { new: now }),
      url: `${base}/interactions/${encodeURIComponent(textOf(supplement))}`,
    },
  });

const productOf = (id: unknown, base: string) => ({ dsld_id: Number(id), url: `${base}/product/${Number(id)}` });

const published =
  (part: 'corpus' | 'catalogue'): Maker =>
  ({ subjectId, data }, base) => ({
    type: 'index.published',
    data: {
      part,
      source: textOf(subjectId),
      counts: Object.fromEntries(Object.entries(data).filter(([, value]) => Number.isInteger(value))),
      url: `${base}/api/stats`,
    },
  });

/**
 * Targets with a public address. The id of an answer gives access to its permalink, and other ids are a reader's own words.
 */
const NAMED_TARGETS = ['source', 'supplement', 'interaction', 'product', 'condition', 'article', 'biomarker'];
const PLAIN_ID = /^[a-z0-9][a-z0-9-]{0,99}$/;

const feedback: Maker = ({ subjectType, subjectId, data: { category, target_type, target_id, rating } }) => {
  const id = textOf(target_id);
  const isNamed = NAMED_TARGETS.includes(textOf(target_type)) && PLAIN_ID.test(id);
  const isVote = subjectType === 'answer_feedback';
  return {
    type: 'feedback.created',
    data: {
      feedback_id: subjectId,
      category: isVote ? '' : textOf(category),
      target_type: isVote ? 'answer' : textOf(target_type),
      target_id: isNamed ? id : '',
      ...(isVote && { rating: rating === 'up' ? 'up' : 'down' }),
    },
  };
};

const makers: Readonly<Partial<Record<ChangeKind, Maker>>> = {
  'evidence.created': ofSource('evidence.created'),
  'evidence.updated': ofSource('evidence.updated'),
  'evidence.retracted': ofSource('evidence.retracted'),
  'evidence.tier_changed': ofSource('evidence.tier_changed'),
  'evidence.removed': removedSource,
  'interaction.created': ofInteraction('interaction.created'),
  'interaction.severity_changed': ofInteraction('interaction.severity_changed'),
  'product.imported': published('catalogue'),
  'index.published': published('corpus'),
  'product.created': ({ subjectId, data: { name, brand } }, base) => ({
    type: 'product.created',
    data: { ...productOf(subjectId, base), name: textOf(name), brand: textOf(brand) },
  }),
  'product.market_status_changed': ({ subjectId, data: { name, brand, from, to, as_of } }, base) => ({
    type: 'product.market_status_changed',
    data: {
      ...productOf(subjectId, base),
      name: textOf(name),
      brand: textOf(brand),
      old: { on_market: flagOf(from) },
      new: { on_market: flagOf(to) },
      as_of: textOf(as_of) || null,
    },
  }),
  'product.recalled': ({ subjectId, data: { recall_number, classification, status } }, base) => ({
    type: 'product.recalled',
    data: {
      ...productOf(subjectId, base),
      recall_number: textOf(recall_number),
      classification: textOf(classification),
      status: textOf(status),
    },
  }),
  'label_image.created': ({ subjectId, data: { dsld_id, kind, source } }, base) => ({
    type: 'label_image.created',
    data: { image_id: Number(subjectId), ...productOf(dsld_id, base), kind: textOf(kind), source: textOf(source) },
  }),
  'label_image.primary_changed': ({ subjectId, data: { old, new: now } }, base) => ({
    type: 'label_image.primary_changed',
    data: {
      ...productOf(subjectId, base),
      old: { primary_image_id: idOf(partOf(old).primary_image_id) },
      new: { primary_image_id: idOf(partOf(now).primary_image_id) },
    },
  }),
  'pipeline.failed': ({ subjectId }, base) => ({
    type: 'pipeline.failed',
    data: { job: subjectId, url: `${base}/api/pipeline/status` },
  }),
  'feedback.created': feedback,
  'key.created': ({ subjectId, data: { plan, is_admin } }) => ({
    type: 'key.created',
    data: { key_id: subjectId, plan: textOf(plan), is_admin: is_admin === true },
  }),
  'key.deactivated': ({ subjectId }) => ({ type: 'key.deactivated', data: { key_id: subjectId } }),
  'key.quota_warning': ({ subjectId, data: { bucket, used, limit } }) => ({
    type: 'key.quota_warning',
    data: {
      key_id: subjectId,
      ...(typeof bucket === 'string' && { bucket }),
      ...(Number.isInteger(used) && { used }),
      ...(Number.isInteger(limit) && { limit }),
    },
  }),
};

/** Returns the event of a change, or null for changes without one, such as a new text of a page. */
export const eventOf = (change: ChangeRow, baseUrl: string): EventParts | null =>
  makers[change.kind as ChangeKind]?.(change, baseUrl) ?? null;
