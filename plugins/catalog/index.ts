import { definePlugin } from '#core/plugin.ts';
import { evidencePlugin } from '#plugins/evidence/index.ts';
import { vocabularyPlugin } from '#plugins/vocabulary/index.ts';
import { supplementPage } from './supplement-page.ts';
import { supplementsPage } from './supplements-page.ts';

/** Supplements for readers: the directory and one page each. */
export const catalogPlugin = definePlugin({
  name: 'catalog',
  summary: 'Supplement pages',
  dependencies: [vocabularyPlugin, evidencePlugin],
  pages: [supplementsPage, supplementPage],
  start: () => ({}),
});

export { CATEGORY_WORDS } from './words.ts';
