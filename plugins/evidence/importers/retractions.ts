import { type TableRow, tableRows } from '#core/import/table-rows.ts';
import { UnreadableInput } from '#core/import/unreadable-input.ts';
import type { ImportEvent, RetractionStatus } from '../source-record.ts';
import { cleanList } from './clean-text.ts';
import { problem } from './events.ts';
import { fileImporter, readTextFile } from './file-importer.ts';
import { doiOf, pmidOf } from './identifiers.ts';

interface Columns {
  readonly pmid: number;
  readonly doi: number;
  readonly nature: number;
  readonly reason: number;
}

const columnsOf = (header: TableRow): Columns => {
  const names = header.cells.map((cell) => cell.toLowerCase().replace(/[^a-z]/g, ''));
  const find = (...wanted: string[]): number => names.findIndex((name) => wanted.includes(name));
  const columns = {
    pmid: find('pmid', 'originalpaperpubmedid', 'pubmedid'),
    doi: find('doi', 'originalpaperdoi'),
    nature: find('retractionnature', 'nature', 'status'),
    reason: find('reason', 'reasons'),
  };
  if (columns.pmid < 0 && columns.doi < 0) {
    throw new UnreadableInput('is no retraction list: its first line names neither a pmid nor a doi column');
  }
  return columns;
};

const statusByNature: Readonly<Record<string, RetractionStatus>> = {
  '': 'retracted',
  retraction: 'retracted',
  retracted: 'retracted',
  expressionofconcern: 'concern',
  concern: 'concern',
  correction: 'corrected',
  corrected: 'corrected',
  // The paper has been reinstated.
  reinstatement: 'none',
  none: 'none',
};

/** Normalizes the reasons of Retraction Watch: "+Duplication of Image;+Investigation by Journal/Publisher;". */
const reasonOf = (cell: string): string =>
  cleanList(cell.split(';').map((reason) => reason.trim().replace(/^\+/, ''))).join('; ');

const rowEvent = (row: TableRow, columns: Columns, at: string): ImportEvent => {
  const cell = (index: number): string => (index < 0 ? '' : (row.cells[index] ?? ''));
  const pmid = pmidOf(cell(columns.pmid));
  const doi = doiOf(cell(columns.doi));
  const nature = cell(columns.nature).trim();
  const status = statusByNature[nature.toLowerCase().replace(/[^a-z]/g, '')];
  if (status === undefined) return problem(at, `has a RetractionNature unknown here, "${nature.slice(0, 60)}"`);
  if (pmid === '' && doi === '') return problem(at, 'has neither PMID nor DOI');
  return { type: 'retraction', at, pmid, doi, status, reason: reasonOf(cell(columns.reason)) };
};

async function* readTable(chunks: AsyncIterable<string>, name: string): AsyncGenerator<ImportEvent> {
  let columns: Columns | undefined;
  for await (const row of tableRows(chunks)) {
    if (columns === undefined) columns = columnsOf(row);
    else yield rowEvent(row, columns, `${name} › line ${row.line}`);
  }
}

/** Imports lists of retracted papers: a PMID table, or the Retraction Watch data that Crossref publishes. */
export const retractions = fileImporter({
  kind: 'retractions',
  summary: 'retraction lists (.tsv or .csv with pmid and doi columns; Retraction Watch CSV)',
  wanted: /\.(?:tsv|csv)(?:\.gz)?$/i,
  read: readTextFile('lines', 'a retraction list', readTable),
});
