import type { Importer } from '../source-record.ts';
import { ctgov } from './ctgov.ts';
import { jats } from './jats.ts';
import { nbib } from './nbib.ts';
import { pubmed } from './pubmed.ts';
import { retractions } from './retractions.ts';
import { ris } from './ris.ts';

/** All importers, in the order in which they are listed to users. */
export const importers: readonly Importer[] = [pubmed, jats, ctgov, nbib, ris, retractions];

/** Returns the importer with the given kind, as named on the command line. */
export const importerOf = (kind: string): Importer | undefined => importers.find((importer) => importer.kind === kind);
