/** Reads changes from the database and describes them for readers. */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Context } from '#core/plugin.ts';
import { interactionsPlugin } from '#plugins/interactions/index.ts';
import { vocabularyPlugin } from '#plugins/vocabulary/index.ts';
import { PageText } from '../texts/entities.ts';
import { type ChangeGroup, readChanges, readChangesOf, readSources } from './change-rows.ts';
import { type ToldChange, toldChange } from './change-words.ts';

const readTexts = async (em: EntityManager): Promise<ReadonlyMap<string, string>> => {
  const rows = await em.find(PageText, {}, { fields: ['path', 'title'], disableIdentityMap: true });
  return new Map(rows.map(({ path, title }) => [path, title]));
};

const inWords = async (
  { db, use }: Context,
  read: (em: EntityManager) => Promise<readonly ChangeGroup[]>,
): Promise<readonly ToldChange[]> => {
  const terms = await use(vocabularyPlugin).terms();
  const book = await use(interactionsPlugin).book();
  return db.read(async (em) => {
    const groups = await read(em);
    const known = { terms, book, sources: await readSources(em, groups), texts: await readTexts(em) };
    return groups.map((group) => toldChange(group, known)).filter((change) => change !== null);
  });
};

/** Returns the changes of the whole base, newest first, at most 100. */
export const changesOfAll = (context: Context): Promise<readonly ToldChange[]> => inWords(context, readChanges);

/** Returns the changes of one supplement, newest first, at most 100. */
export const changesOfSupplement = (context: Context, slug: string): Promise<readonly ToldChange[]> =>
  inWords(context, (em) => readChangesOf(em, slug));
