import { definePlugin } from '../../../core/plugin.ts';
import { biomarkersPlugin } from '../../../plugins/biomarkers/index.ts';
import { devicesPlugin } from '../../../plugins/devices/index.ts';
import { evidencePlugin } from '../../../plugins/evidence/index.ts';
import { interactionsPlugin } from '../../../plugins/interactions/index.ts';
import { labsPlugin } from '../../../plugins/labs/index.ts';
import { outcomesPlugin } from '../../../plugins/outcomes/index.ts';
import { vocabularyPlugin } from '../../../plugins/vocabulary/index.ts';

const more: { routes: unknown[]; pages: unknown[] } = { routes: [], pages: [] };
for (const [path, routes, pages] of [
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
const isNew = ({ id }: { id: string }) =>
  ![...(labsPlugin.routes ?? []), ...(labsPlugin.pages ?? [])].some((one) => one.id === id);
more.routes = (more.routes as never[]).filter(isNew);
export const isNeeded = more.routes.length > 0;
export const stub = definePlugin({
  name: 'labs-visit',
  summary: 'stub',
  dependencies: [biomarkersPlugin, devicesPlugin, interactionsPlugin, vocabularyPlugin, evidencePlugin, outcomesPlugin],
  routes: more.routes,
  start: (host: { use: (p: unknown) => { book(): unknown } }) => ({ book: () => host.use(biomarkersPlugin).book() }),
} as never);
