import type { BibliographicFormat } from './bibliographic-format.ts';
import { bibtex } from './bibtex.ts';
import { cslJson } from './csl-json.ts';
import { csv } from './csv.ts';
import { jsonl } from './jsonl.ts';
import { nbib } from './nbib.ts';
import { ris } from './ris.ts';

export type { BibliographicFormat, FormatContext } from './bibliographic-format.ts';

/** Export formats, by the name that a request uses. */
export const formats: Readonly<Record<'csv' | 'jsonl' | 'bibtex' | 'ris' | 'nbib' | 'csljson', BibliographicFormat>> = {
  csv,
  jsonl,
  bibtex,
  ris,
  nbib,
  csljson: cslJson,
};
