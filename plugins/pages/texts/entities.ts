import { defineEntity, p } from '@mikro-orm/core';
import type { PolicyEntry } from './policy-content.ts';

/** A text of content/pages or content/docs as its file has it. */
export const PageText = defineEntity({
  name: 'PageText',
  tableName: 'page_text',
  properties: {
    /** Below content/. */
    path: p.string().primary(),
    /** `policy` or `document`. */
    kind: p.string(),
    title: p.string(),
    /** The front matter; {} for a document, which has none. */
    entry: p.json<PolicyEntry | Record<string, never>>(),
    body: p.text(),
    digest: p.string(),
  },
});
