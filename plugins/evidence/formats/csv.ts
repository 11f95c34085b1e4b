/** CSV by RFC 4180 with a header line, in UTF-8 without a byte order mark. */
import { addressOf, type SourceRow } from '../source-view.ts';
import type { BibliographicFormat, FormatContext } from './bibliographic-format.ts';
import { singleLine } from './citation-parts.ts';

type Cell = (source: SourceRow, context: FormatContext) => string | number | null;

// Abstracts are excluded, because most belong to their publishers.
const columns: Readonly<Record<string, Cell>> = {
  source_id: ({ sourceId }) => sourceId,
  pmid: ({ pmid }) => pmid,
  doi: ({ doi }) => doi,
  nct_id: ({ nctId }) => nctId,
  title: ({ title }) => title,
  authors: ({ authors }) => authors.filter((author) => author.trim() !== '').join('; '),
  journal: ({ journal }) => journal,
  year: ({ year }) => year,
  source_class: ({ sourceClass }) => sourceClass,
  evidence_level: ({ evidenceLevel }) => evidenceLevel,
  quality_score: ({ qualityScore }) => qualityScore,
  quality_tier: ({ qualityTier }) => qualityTier,
  vertical: ({ verticals }) => verticals[0] ?? '',
  sample_size: ({ sampleSize }) => sampleSize,
  population: ({ population }) => population,
  // The file has no column for the reader, and a direction that no editor has read is not a verdict.
  effect_direction: ({ read, effectDirection }) => (read ? effectDirection : 'unclear'),
  retraction_status: ({ retractionStatus }) => retractionStatus,
  url: addressOf,
  license: ({ license }) => license,
  index_version: (_, { indexVersion }) => indexVersion,
};

const startsFormula = (text: string): boolean => /^[=+\-@\t]/.test(text);

/**
 * Formats a cell. Spreadsheets execute text that looks like a formula, so an apostrophe is put before it; numbers are unchanged.
 */
const cell = (value: string | number | null): string => {
  if (typeof value !== 'string') return value === null ? '' : String(value);
  const line = singleLine(value);
  const text = startsFormula(value) || startsFormula(line) ? `'${line}` : line;
  return /[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

export const csv: BibliographicFormat = {
  name: 'csv',
  mediaType: 'text/csv',
  extension: 'csv',
  head: () => `${Object.keys(columns).join(',')}\r\n`,
  row: (source, context) =>
    `${Object.values(columns)
      .map((column) => cell(column(source, context)))
      .join(',')}\r\n`,
  tail: () => '',
};
