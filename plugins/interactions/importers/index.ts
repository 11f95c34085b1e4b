import type { Importer } from '#core/plugin.ts';
import { fdaLabelImporter } from '../labels/import-labels.ts';
import type { InteractionServices } from '../services.ts';
import { nameImporter } from './import-names.ts';
import { ndc } from './ndc.ts';
import { orangebook } from './orangebook.ts';
import { rxnorm } from './rxnorm.ts';

/** Importers of every file format with names of medicines, in reading order, and of the labels of medicines. */
export const drugImporters: readonly Importer<InteractionServices>[] = [
  ...[orangebook, rxnorm, ndc].map((file) => nameImporter<InteractionServices>(file)),
  fdaLabelImporter,
];
