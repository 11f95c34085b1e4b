/** Loads content/docs/**: the glossary, the content format and the decision records, unchanged from the repository. */
import { bulkUpsert } from '#core/db/bulk.ts';
import { ContentError } from '#core/errors.ts';
import type { ContentFile, ContentSource } from '#core/plugin.ts';
import { PageText } from './entities.ts';

const FILE = /^docs\/(?:[A-Za-z0-9_-]+\/)*[A-Za-z0-9_-]+\.md$/;

/** Parses a document. Its first line must be its title, a heading of level 1; it has no front matter. */
const rowOf = ({ path, text, digest }: ContentFile) => {
  const [first = '', ...rest] = text.split('\n');
  const title = /^# (\S.*)$/.exec(first.trim())?.[1];
  if (!title) throw new ContentError(path, 1, 'the first line must be the title: # …');
  return { path, kind: 'document', title: title.replace(/[`*]/g, ''), entry: {}, body: rest.join('\n').trim(), digest };
};

export const documentContent: ContentSource = {
  id: 'documents',
  matches: (path) => FILE.test(path),
  sync: async (_context, files, gone, em) => {
    await bulkUpsert(em, 'page_text', ['path'], files.map(rowOf));
    await em.nativeDelete(PageText, { path: { $in: [...gone] } });
  },
};
