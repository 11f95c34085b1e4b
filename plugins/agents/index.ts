import { definePlugin } from '#core/plugin.ts';
import { answersPlugin } from '#plugins/answers/index.ts';
import { evidencePlugin } from '#plugins/evidence/index.ts';
import { findingsPlugin } from '#plugins/findings/index.ts';
import { interactionsPlugin } from '#plugins/interactions/index.ts';
import { outcomesPlugin } from '#plugins/outcomes/index.ts';
import { productsPlugin } from '#plugins/products/index.ts';
import { vocabularyPlugin } from '#plugins/vocabulary/index.ts';
import { agentRoutes } from './route.ts';

/** Registers the MCP server, whose tools call routes of the other plugins. */
export const agentsPlugin = definePlugin<undefined>({
  name: 'agents',
  summary: 'MCP server at /mcp: read-only tools for agents',
  dependencies: [
    vocabularyPlugin,
    evidencePlugin,
    findingsPlugin,
    interactionsPlugin,
    outcomesPlugin,
    productsPlugin,
    answersPlugin,
  ],
  routes: agentRoutes as never,
  start: () => undefined,
});
