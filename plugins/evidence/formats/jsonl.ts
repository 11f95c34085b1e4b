import { toRecord } from '../source-view.ts';
import type { BibliographicFormat } from './bibliographic-format.ts';

const escapes: Readonly<Record<string, string>> = { '\u0085': '\\u0085', '\u2028': '\\u2028', '\u2029': '\\u2029' };

/** One evidence record per line, as the API returns it, with the version of the index. */
export const jsonl: BibliographicFormat = {
  name: 'jsonl',
  mediaType: 'application/x-ndjson',
  extension: 'jsonl',
  head: () => '',
  // Readers that follow Unicode also treat these characters as line ends, and JSON.stringify does not escape them.
  row: (source, { indexVersion }) =>
    `${JSON.stringify({ ...toRecord(source), index_version: indexVersion }).replace(/[\u0085\u2028\u2029]/g, (end) => escapes[end] ?? '')}\n`,
  tail: () => '',
};
