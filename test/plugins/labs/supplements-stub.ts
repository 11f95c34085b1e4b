import { definePlugin } from '../../../core/plugin.ts';
import { biomarkersPlugin } from '../../../plugins/biomarkers/index.ts';
import { devicesPlugin } from '../../../plugins/devices/index.ts';
import { evidencePlugin } from '../../../plugins/evidence/index.ts';
import { interactionsPlugin } from '../../../plugins/interactions/index.ts';
import { outcomesPlugin } from '../../../plugins/outcomes/index.ts';
import { vocabularyPlugin } from '../../../plugins/vocabulary/index.ts';

const { supplementRoutes } = await import('../../../plugins/labs/supplements/routes.ts');
const { supplementPages } = await import('../../../plugins/labs/supplements/page.ts');
const more: { routes: unknown[]; pages: unknown[] } = { routes: [], pages: [] };
for (const [path, routes, pages] of [
  ['trends/page.ts', '', 'trendPages'],
  ['insights/routes.ts', 'insightRoutes', ''],
  ['documents/routes.ts', 'documentRoutes', ''],
  ['fhir/routes.ts', 'fhirRoutes', ''],
] as const) {
  const module = await import(`../../../plugins/labs/${path}`).catch((error) => {
    if (error.code !== 'ERR_MODULE_NOT_FOUND' || !error.message.includes(path)) throw error;
    return {};
  });
  more.routes.push(...(module[routes] ?? []));
  more.pages.push(...(module[pages] ?? []));
}
export const stub = definePlugin({
  name: 'labs-visit',
  summary: 'stub',
  dependencies: [biomarkersPlugin, devicesPlugin, interactionsPlugin, vocabularyPlugin, evidencePlugin, outcomesPlugin],
  routes: [...supplementRoutes, ...(more.routes as never[])],
  pages: [...supplementPages, ...(more.pages as never[])],
  start: (host: { use: (p: unknown) => { book(): unknown } }) => ({ book: () => host.use(biomarkersPlugin).book() }),
} as never);
