/**
 * Defines every type of event with its body and an example. Bodies are small: ids, the changes, and where to read the rest.
 */
import { Type } from 'typebox';
import type { EventDefinition } from '#core/plugin.ts';
import { DataOf, dataTypes } from './event-data.ts';

const HEADERS = {
  'webhook-id': 'Names the event: the same with each try, so that an event that comes twice is known.',
  'webhook-timestamp': 'When this try was made, in seconds since 1970.',
  'webhook-signature':
    '`v1,` and the base64 of the HMAC-SHA256 of `id.timestamp.body`, by Standard Webhooks 1.0.0; then `v1a,` with an ed25519 signature of the same. Several, separated by spaces, while a secret is being changed.',
} as const;

const SUMMARIES: Readonly<Record<EventType, string>> = {
  'evidence.created': 'A source came in. An import of many says so by one index.published instead.',
  'evidence.updated': 'What is said of a source changed, or it left the base (`new.removed`).',
  'evidence.retracted': 'A source was retracted: it no longer counts, and no answer may rest on it.',
  'evidence.tier_changed': 'The quality tier of a source changed.',
  'interaction.created': 'A rule on a supplement and a medicine, or a caution, came in.',
  'interaction.severity_changed': 'An interaction or a caution is graver, or less grave, than it was.',
  'product.created': 'A product came in. An import of many says so by one index.published instead.',
  'product.market_status_changed': 'A product came onto the market or left it.',
  'product.recalled': 'A recall of the authority names a product.',
  'label_image.created': 'A picture of a product came in.',
  'label_image.primary_changed': 'Another picture stands for a product, or none.',
  'index.published': 'An import ended: how many records were added, changed and removed.',
  'pipeline.failed': 'A scheduled job failed.',
  'feedback.created': 'Somebody wrote back. Neither the words nor who wrote are in the event.',
  'key.created': 'An API key was made.',
  'key.deactivated': 'An API key was switched off.',
  'key.quota_warning': 'An API key has used most of its quota.',
  'webhook.test': 'Sent on request, to try an address.',
};

const EXAMPLE_ENVELOPE = { timestamp: '2026-11-20T22:00:00.000Z', index_version: '1a2b3c4d' };

export const EVENT_TYPES = [
  'evidence.created',
  'evidence.updated',
  'evidence.retracted',
  'evidence.tier_changed',
  'interaction.created',
  'interaction.severity_changed',
  'product.created',
  'product.market_status_changed',
  'product.recalled',
  'label_image.created',
  'label_image.primary_changed',
  'index.published',
  'pipeline.failed',
  'feedback.created',
  'key.created',
  'key.deactivated',
  'key.quota_warning',
  'webhook.test',
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

const bodyOf = (type: EventType) =>
  Type.Object({
    type: Type.String({ enum: [type] }),
    timestamp: Type.String({ format: 'date-time', description: 'When it happened.' }),
    data: DataOf(type),
    index_version: Type.String({ description: 'The search index when the event was made.' }),
  });

/** Returns the definitions, with addresses at `baseUrl` in the examples. */
export const eventDefinitions = (baseUrl: string): readonly EventDefinition[] =>
  EVENT_TYPES.map((type) => ({
    type,
    summary: SUMMARIES[type],
    body: bodyOf(type),
    example: { type, ...EXAMPLE_ENVELOPE, data: dataTypes[type].example(baseUrl) },
    headers: HEADERS,
  }));
