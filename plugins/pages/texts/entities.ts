import { defineEntity, p } from '@mikro-orm/core';
import type { PolicyEntry } from './policy-content.ts';

/** A text of content/pages or content/docs, as in its file. */
export const PageText = defineEntity({
  name: 'PageText',
  tableName: 'page_text',
  properties: {
    /** Path relative to content/. */
    path: p.string().primary(),
    /** `policy` or `document`. */
    kind: p.string(),
    title: p.string(),
    /** The front matter; {} for a document, because documents have none. */
    entry: p.json<PolicyEntry | Record<string, never>>(),
    body: p.text(),
    digest: p.string(),
  },
});
