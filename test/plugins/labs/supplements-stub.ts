import { definePlugin } from '../../../core/plugin.ts';
import { createBook } from '../../../plugins/biomarkers/book.ts';
import { devicesPlugin } from '../../../plugins/devices/index.ts';
import { evidencePlugin } from '../../../plugins/evidence/index.ts';
import { interactionsPlugin } from '../../../plugins/interactions/index.ts';
import { outcomesPlugin } from '../../../plugins/outcomes/index.ts';
import { vocabularyPlugin } from '../../../plugins/vocabulary/index.ts';

const source = { name: 'Test source', url: 'https://example.org/ranges' };
const marker = (slug: string, name: string, ucum: string, more: object = {}) => ({
  slug, name, names: [name], category: 'Iron', specimen: 'blood', kind: 'quantity', ucum, units: [{ ucum, factor: 1 }],
  digits: 1, loinc: [], scale: [], plausible: null, critical: null, ranges: [], ...more,
});
export const stubMarkers = [
  marker('ferritin', 'Ferritin', 'ng/mL', { units: [{ ucum: 'ng/mL', factor: 1 }, { ucum: 'ug/L', factor: 1 }], loinc: [{ code: '2276-4', name: 'Ferritin [Mass/volume] in Serum or Plasma' }] }),
  marker('ldl-cholesterol', 'LDL cholesterol', 'mg/dL', { category: 'Lipids', digits: 0, units: [{ ucum: 'mg/dL', factor: 1 }, { ucum: 'mmol/L', factor: 38.67 }], loinc: [{ code: '13457-7', name: 'LDL calc' }, { code: '2089-1', name: 'LDL' }] }),
  marker('glucose', 'Glucose', 'mg/dL', { category: 'Sugar', digits: 0, units: [{ ucum: 'mg/dL', factor: 1 }, { ucum: 'mmol/L', factor: 18.016 }], loinc: [{ code: '2339-0', name: 'Glucose in Blood' }] , ranges: [{low: 70, high: 99, sex: 'any', ageFrom: 18, ageTo: null, isPregnant: false, kind: 'interval', note: 'fasting', source}]}),
  marker('potassium', 'Potassium', 'mmol/L', { category: 'Electrolytes', critical: { low: 2.5, high: 6.5, source }, loinc: [{ code: '2823-3', name: 'K' }] }),
];
const { supplementRoutes } = await import('../../../plugins/labs/supplements/routes.ts');
const { supplementPages } = await import('../../../plugins/labs/supplements/page.ts');
const more: { routes: unknown[]; pages: unknown[] } = { routes: [], pages: [] };
for (const [path, routes, pages] of [
  ['trends/page.ts', '', 'trendPages'],
  ['insights/routes.ts', 'insightRoutes', ''],
  ['documents/routes.ts', 'documentRoutes', ''],
  ['fhir/routes.ts', 'fhirRoutes', ''],
] as const) {
  const module = await import(`../../../plugins/labs/${path}`).catch((error) => { if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error; return {}; });
  more.routes.push(...(module[routes] ?? []));
  more.pages.push(...(module[pages] ?? []));
}
export const stub = definePlugin({
  name: 'labs', summary: 'stub', dependencies: [devicesPlugin, interactionsPlugin, vocabularyPlugin, evidencePlugin, outcomesPlugin],
  routes: [...supplementRoutes, ...(more.routes as never[])], pages: [...supplementPages, ...(more.pages as never[])],
  start: () => ({ book: async () => createBook(stubMarkers as never) }),
} as never);
