import { definePlugin } from '#core/plugin.ts';
import { supplementContent, topicContent } from './content.ts';
import { Supplement, Topic } from './entities.ts';
import { startVocabulary, type VocabularyServices } from './services.ts';

/** The words of the field: supplements and topics as content/ has them. Evidence and catalog both build on it. */
export const vocabularyPlugin = definePlugin<VocabularyServices>({
  name: 'vocabulary',
  summary: 'Supplements and topics: names, synonyms, entries',
  dependencies: [],
  entities: [Supplement, Topic],
  content: [topicContent, supplementContent],
  start: startVocabulary,
});

export type { SupplementEntry } from './schemas.ts';
export { Direction, SourceRef } from './schemas.ts';
export type { SupplementRow, Terms, TopicRow, VocabularyServices } from './services.ts';
