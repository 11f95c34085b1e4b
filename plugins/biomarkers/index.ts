import { definePlugin } from '#core/plugin.ts';
import { evidencePlugin } from '#plugins/evidence/index.ts';
import { interactionsPlugin } from '#plugins/interactions/index.ts';
import { outcomesPlugin } from '#plugins/outcomes/index.ts';
import { vocabularyPlugin } from '#plugins/vocabulary/index.ts';
import { biomarkerPage } from './biomarker-page.ts';
import { biomarkersPage } from './biomarkers-page.ts';
import { biomarkerContent } from './content.ts';
import { Biomarker } from './entities.ts';
import { type BiomarkerServices, startBiomarkers } from './services.ts';

/**
 * Registers biomarkers: the names, units and sourced ranges of laboratory values, and the factors that are known to change them.
 */
export const biomarkersPlugin = definePlugin<BiomarkerServices>({
  name: 'biomarkers',
  summary: 'Biomarkers: names, units, ranges with their source',
  dependencies: [vocabularyPlugin, evidencePlugin, outcomesPlugin, interactionsPlugin],
  entities: [Biomarker],
  pages: [biomarkersPage, biomarkerPage],
  content: [biomarkerContent],
  start: startBiomarkers,
});

export { type Book, createBook, type Hints, type NamedMarker } from './book.ts';
export type { BiomarkerRow } from './entities.ts';
export type * from './marker.ts';
export { CATEGORY_WORDS } from './schemas.ts';
export type { BiomarkerServices } from './services.ts';
export { readUnit, unitText } from './units.ts';
