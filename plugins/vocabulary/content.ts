import type { EntityManager } from '@mikro-orm/postgresql';
import { lineOfField, readFrontMatter, readYaml } from '#core/content-file.ts';
import { ContentError } from '#core/errors.ts';
import type { ContentFile, ContentSource } from '#core/plugin.ts';
import { Supplement, Topic } from './entities.ts';
import { SupplementEntry, TopicList } from './schemas.ts';
import type { VocabularyServices } from './services.ts';

const SUPPLEMENT_FILE = /^supplements\/([a-z0-9-]+)\.md$/;

const saveSupplement = async (em: EntityManager, file: ContentFile): Promise<void> => {
  const slug = SUPPLEMENT_FILE.exec(file.path)?.[1] ?? '';
  const { data, body } = readFrontMatter(file, SupplementEntry);
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
  sync: async ({ services }, files, gone, em) => {
    for (const file of files) await saveSupplement(em, file);
    const slugs = gone.map((path) => SUPPLEMENT_FILE.exec(path)?.[1] ?? '');
    await em.nativeDelete(Supplement, { slug: { $in: slugs } });
    services.forget();
  },
};

export const topicContent: ContentSource<VocabularyServices> = {
  id: 'topics',
  matches: (path) => path === 'topics.yaml',
  sync: async ({ services }, [file], _gone, em) => {
    const topics = file ? readYaml(file, TopicList) : [];
    const doubled = topics.findIndex((topic, at) => topics.findIndex(({ slug }) => slug === topic.slug) !== at);
    if (doubled >= 0 && file) {
      const mistake = `field ${doubled}.slug: topic "${topics[doubled]?.slug}" stands there twice`;
      throw new ContentError(file.path, lineOfField(file, [doubled, 'slug']), mistake);
    }
    await em.nativeDelete(Topic, {});
    if (topics.length) await em.insertMany(Topic, topics);
    services.forget();
  },
};
