/** Loads content/conditions into the database. */
import { readFrontMatter } from '#core/content-file.ts';
import { bulkUpsert } from '#core/db/bulk.ts';
import type { ContentSource } from '#core/plugin.ts';
import { ConditionEntry } from './condition-schema.ts';
import { refuse } from './content-mistakes.ts';
import { Condition, Topic } from './entities.ts';
import { reviewCondition } from './review.ts';
import type { VocabularyServices } from './services.ts';

const CONDITION_FILE = /^conditions\/([a-z0-9]+(?:-[a-z0-9]+)*)\.md$/;

const slugOf = (path: string): string => CONDITION_FILE.exec(path)?.[1] ?? '';

export const conditionContent: ContentSource<VocabularyServices> = {
  id: 'conditions',
  matches: (path) => CONDITION_FILE.test(path),
  review: reviewCondition,
  sync: async (_context, files, gone, em) => {
    const topics = new Set((await em.find(Topic, {}, { fields: ['slug'] })).map(({ slug }) => slug));
    const rows = files.map((file) => {
      const { data, body } = readFrontMatter(file, ConditionEntry);
      for (const [at, topic] of data.topics.entries()) {
        if (!topics.has(topic)) refuse(file, ['topics', at], `no topic is called "${topic}"`);
      }
      const { name, category, synonyms, updated_at } = data;
      const changedAt = new Date(`${updated_at}T00:00:00Z`);
      const { digest } = file;
      return {
        slug: slugOf(file.path),
        name,
        category,
        synonyms,
        topics: data.topics,
        entry: data,
        body,
        digest,
        changedAt,
      };
    });
    await bulkUpsert(em, 'condition', ['slug'], rows);
    await em.nativeDelete(Condition, { slug: { $in: gone.map(slugOf) } });
  },
  committed: (services) => services.forget(),
};
