import { definePlugin } from '#core/plugin.ts';
import { evidencePlugin } from '#plugins/evidence/index.ts';
import { vocabularyPlugin } from '#plugins/vocabulary/index.ts';

export const pagesPlugin = definePlugin({
  name: 'pages',
  summary: 'pages',
  dependencies: [vocabularyPlugin, evidencePlugin],
  start: () => undefined,
});
