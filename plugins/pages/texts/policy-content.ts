/** Loads content/pages/*.md: the pages about the operator, the editorial policy, privacy and terms. */
import type { EntityManager } from '@mikro-orm/postgresql';
import { type Static, Type } from 'typebox';
import { readFrontMatter } from '#core/content-file.ts';
import { bulkUpsert } from '#core/db/bulk.ts';
import { ContentError } from '#core/errors.ts';
import type { ContentFile, ContentSource } from '#core/plugin.ts';
import { PageText } from './entities.ts';
import { mistakeIn } from './fill-in.ts';
import { FACT_NAMES } from './policy-facts.ts';

/** Slugs of the policies: each is a page at this address. A file with another name is rejected. */
export const POLICIES = [
  'about',
  'editorial-policy',
  'disclaimer',
  'privacy',
  'cookies',
  'terms',
  'accessibility',
  'sources-and-licenses',
  'contact',
] as const;
export type Policy = (typeof POLICIES)[number];

export const PolicyEntry = Type.Object(
  {
    title: Type.String({ minLength: 3, maxLength: 80 }),
    /** Description for search engines and lists. */
    description: Type.String({ minLength: 40, maxLength: 200 }),
    /** Summary of the page in two or three sentences, shown first. */
    answer: Type.String({ minLength: 40, maxLength: 500 }),
    last_changed: Type.String({ format: 'date' }),
  },
  { additionalProperties: false },
);
export type PolicyEntry = Static<typeof PolicyEntry>;

const FILE = /^pages\/([a-z0-9-]+)\.md$/;

export const pathOf = (policy: string): string => `pages/${policy}.md`;

/** Returns the line number in the file of a character of the body. `at` is the offset within the body, from 0. */
export const lineInBody = ({ text }: ContentFile, body: string, at: number): number =>
  text.slice(0, text.lastIndexOf(body) + at).split('\n').length;

const rowOf = (file: ContentFile) => {
  const slug = FILE.exec(file.path)?.[1] ?? '';
  if (!POLICIES.some((policy) => policy === slug))
    throw new ContentError(file.path, null, `no page has that name: ${POLICIES.join(', ')}`);
  const { data, body } = readFrontMatter(file, PolicyEntry);
  const wrong = mistakeIn(body, FACT_NAMES);
  if (wrong) throw new ContentError(file.path, lineInBody(file, body, wrong.at), wrong.words);
  return { path: file.path, kind: 'policy', title: data.title, entry: data, body, digest: file.digest };
};

const dropGone = (em: EntityManager, gone: readonly string[]) =>
  em.nativeDelete(PageText, { path: { $in: [...gone] } });

export const policyContent: ContentSource = {
  id: 'policies',
  matches: (path) => FILE.test(path),
  sync: async (_context, files, gone, em) => {
    await bulkUpsert(em, 'page_text', ['path'], files.map(rowOf));
    await dropGone(em, gone);
  },
};
