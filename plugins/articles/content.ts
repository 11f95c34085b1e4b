/** Loads content/articles/*.md into the database; rejects articles that name unknown pages, sources or rules. */
import type { EntityManager } from '@mikro-orm/postgresql';
import { readFrontMatter } from '#core/content-file.ts';
import { bulkUpsert } from '#core/db/bulk.ts';
import { ContentError } from '#core/errors.ts';
import type { ContentFile, ContentSource } from '#core/plugin.ts';
import { readCited, sourceFinder } from '#plugins/evidence/index.ts';
import { readEntries } from '#plugins/interactions/index.ts';
import { vocabularyPlugin } from '#plugins/vocabulary/index.ts';
import { Article } from './entities.ts';
import { reviewArticle } from './review.ts';
import { ARTICLE_CITATIONS, ArticleEntry, ruleOfRef } from './schemas.ts';
import type { ArticleServices } from './services.ts';

const FILE = /^articles\/([a-z0-9]+(?:-[a-z0-9]+)*)\.md$/;
const slugOf = (path: string): string => FILE.exec(path)?.[1] ?? '';

interface Known {
  readonly slugs: Readonly<Record<'supplements' | 'conditions' | 'interactions', { has(slug: string): boolean }>>;
  hasRef(ref: string): boolean;
}

/** Returns the line number of the character at offset `at`; `lineOf` returns that of the first occurrence of some words. */
const lineAt = (text: string, at: number): number => text.slice(0, Math.max(0, at)).split('\n').length;
const lineOf = (text: string, words: string): number => lineAt(text, text.indexOf(words));

const refuseUnknownPages = ({ path, text }: ContentFile, { about }: ArticleEntry, { slugs }: Known): void => {
  for (const kind of ['supplements', 'conditions', 'interactions'] as const) {
    const wrong = (about[kind] ?? []).find((slug) => !slugs[kind].has(slug));
    if (wrong) throw new ContentError(path, lineOf(text, `  ${kind}:`), `field about.${kind}: there is no "${wrong}"`);
  }
};

const refuseUnknownRefs = ({ path, text }: ContentFile, body: string, known: Known): void => {
  const wrong = ARTICLE_CITATIONS.refsInText(body).find(({ ref }) => !known.hasRef(ref));
  if (!wrong) return;
  const noun = ruleOfRef(wrong.ref) === null ? 'source' : 'rule';
  throw new ContentError(
    path,
    lineAt(text, text.lastIndexOf(body) + wrong.at),
    `no ${noun} of the base is ${wrong.ref}`,
  );
};

const rowOf = (file: ContentFile, known: Known) => {
  const { data, body } = readFrontMatter(file, ArticleEntry);
  const { path, text, digest } = file;
  if (data.updated < data.published)
    throw new ContentError(path, lineOf(text, 'updated:'), 'field updated: is before it was published');
  refuseUnknownPages(file, data, known);
  refuseUnknownRefs(file, body, known);
  return { slug: slugOf(path), title: data.title, entry: data, body, digest };
};

const readKnown = async (em: EntityManager, files: readonly ContentFile[], terms: Terms): Promise<Known> => {
  const entries = await readEntries(em);
  const rules = new Set(entries.flatMap(({ kind, id }) => (kind === 'rule' ? [id] : [])));
  const refs = files.flatMap(({ text }) => ARTICLE_CITATIONS.refsInText(text).map(({ ref }) => ref));
  const find = sourceFinder(
    await readCited(
      em,
      refs.filter((ref) => ruleOfRef(ref) === null),
    ),
  );
  const { supplements, conditions } = terms;
  return {
    slugs: { supplements, conditions, interactions: new Set(entries.map(({ subject }) => subject)) },
    hasRef: (ref) => {
      const rule = ruleOfRef(ref);
      return rule === null ? find(ref) !== null : rules.has(rule);
    },
  };
};

type Terms = Readonly<Record<'supplements' | 'conditions', ReadonlyMap<string, unknown>>>;

export const articleContent: ContentSource<ArticleServices> = {
  id: 'articles',
  matches: (path) => FILE.test(path),
  review: reviewArticle,
  sync: async ({ use }, files, gone, em) => {
    const known = await readKnown(em, files, await use(vocabularyPlugin).terms(em));
    const rows = files.map((file) => rowOf(file, known));
    await bulkUpsert(em, 'article', ['slug'], rows);
    await em.nativeDelete(Article, { slug: { $in: gone.map(slugOf) } });
  },
  committed: (services) => services.forget(),
};
