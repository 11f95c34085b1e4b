import type { Importer } from '../source-record.ts';
import { jats } from './jats.ts';
import { pubmed } from './pubmed.ts';

/** Every importer, in reading order. */
export const importers: readonly Importer[] = [pubmed, jats];

/** The importer for a word of the command line. */
export const importerOf = (kind: string): Importer | undefined => importers.find((importer) => importer.kind === kind);
