import type { EntityManager } from '@mikro-orm/postgresql';
import { readFrontMatter, readYaml } from '#core/content-file.ts';
import type { ContentFile, ContentSource } from '#core/plugin.ts';
import { refuse, refuseDoubles } from './content-mistakes.ts';
import { Supplement, Topic } from './entities.ts';
import { reviewSupplement, reviewTopics } from './review.ts';
import { SupplementEntry, TopicList } from './schemas.ts';
import type { VocabularyServices } from './services.ts';

const SUPPLEMENT_FILE = /^supplements\/([a-z0-9-]+)\.md$/;

const saveSupplement = async (em: EntityManager, file: ContentFile): Promise<void> => {
  const slug = SUPPLEMENT_FILE.exec(file.path)?.[1] ?? '';
  const { data, body } = readFrontMatter(file, SupplementEntry);
  for (const [at, { amount }] of data.dosing.entries()) {
    if (amount && amount.min > amount.max) refuse(file, ['dosing', at, 'amount'], 'min is more than max');
  }
  await em.upsert(Supplement, {
    slug,
    name: data.name,
    latinName: data.latin_name ?? '',
    category: data.category,
    traditions: data.traditions,
    synonyms: data.synonyms,
    entry: data,
    body,
    digest: file.digest,
    changedAt: new Date(`${data.updated_at}T00:00:00Z`),
  });
};

export const supplementContent: ContentSource<VocabularyServices> = {
  id: 'supplements',
  matches: (path) => SUPPLEMENT_FILE.test(path),
  review: reviewSupplement,
  sync: async (_context, files, gone, em) => {
    for (const file of files) await saveSupplement(em, file);
    const slugs = gone.map((path) => SUPPLEMENT_FILE.exec(path)?.[1] ?? '');
    await em.nativeDelete(Supplement, { slug: { $in: slugs } });
  },
  committed: (services) => services.forget(),
};

export const topicContent: ContentSource<VocabularyServices> = {
  id: 'topics',
  matches: (path) => path === 'topics.yaml',
  review: reviewTopics,
  sync: async (_context, [file], _gone, em) => {
    const topics = file ? readYaml(file, TopicList) : [];
    if (file) refuseDoubles(file, topics, { field: 'slug', noun: 'topic' });
    await em.nativeDelete(Topic, {});
    if (topics.length) await em.insertMany(Topic, topics);
  },
  committed: (services) => services.forget(),
};
