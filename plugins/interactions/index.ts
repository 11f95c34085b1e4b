import { definePlugin } from '#core/plugin.ts';
import { evidencePlugin } from '#plugins/evidence/index.ts';
import { vocabularyPlugin } from '#plugins/vocabulary/index.ts';

/** Drugs and what supplements do to them: names, classes, rules, the checker, its pages. */
export const interactionsPlugin = definePlugin({
  name: 'interactions',
  summary: 'Drugs, interaction rules and the checker',
  dependencies: [vocabularyPlugin, evidencePlugin],
  start: () => ({}),
});
