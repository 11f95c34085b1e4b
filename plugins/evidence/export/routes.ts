/** Route GET /api/export/…: every source that matches a filter, as one file. */
import { type Static, Type } from 'typebox';
import { defineRoute, type Route } from '#core/plugin.ts';
import { checkYears } from '../check-years.ts';
import { formats } from '../formats/index.ts';
import { SourcesRequest } from '../schemas.ts';
import type { EvidenceServices } from '../services.ts';
import { exportStream } from './export-stream.ts';
import { exportFileName } from './file-name.ts';

const { vertical, source_class, evidence_level, min_score, year_from, year_to, exclude_retracted } =
  SourcesRequest.properties;

const ExportRequest = Type.Object({
  vertical,
  source_class,
  evidence_level,
  min_score,
  year_from,
  year_to,
  exclude_retracted,
});

const WORDS = {
  csv: 'CSV, without abstracts; text that a spreadsheet would run as a formula has an apostrophe before it',
  bibtex: 'BibTeX; each key is unique, and the same in every export',
  ris: 'RIS, for reference managers',
  nbib: 'MEDLINE’s tagged format',
  csljson: 'CSL JSON, for citation processors',
  jsonl: 'JSON Lines, one evidence record a line',
} as const;

const DESCRIPTION =
  'Every source that meets the filter, ordered by `source_id` and sent while it is read, so there is no upper limit and no page. ' +
  'A source that is in the base all the while stands in the file exactly once; one that changes meanwhile stands there as ' +
  'it was when its part was read; one added after the beginning is left out. Retracted sources are left out unless ' +
  '`exclude_retracted=false`, and are then marked. Nothing found is an empty file with status 200. A failure on the way ' +
  'breaks the transfer off.';

const exportRoute = (name: keyof typeof WORDS) =>
  defineRoute<EvidenceServices, { query: typeof ExportRequest }>({
    id: `export.${name}`,
    method: 'GET',
    path: `/api/export/${name}`,
    summary: `Export sources as ${WORDS[name].split(/[,;]/)[0]}`,
    description: `${WORDS[name]}. ${DESCRIPTION}`,
    tag: 'Evidence',
    access: 'key',
    scope: 'export',
    request: { query: ExportRequest },
    replies: [{ status: 200, mediaType: formats[name].mediaType, description: 'The file' }],
    raises: ['validation_failed'],
    handle: async ({ services, db }, { query }) => {
      checkYears(query);
      const format = formats[name];
      const context = { indexVersion: services.index.state().version };
      const fileName = exportFileName(query.vertical, format.extension, new Date());
      return {
        type: `${format.mediaType}; charset=utf-8`,
        headers: { 'Content-Disposition': `attachment; filename="${fileName}"` },
        body: await exportStream(db, { format, context, filter: filterOf(query) }),
      };
    },
  });

const filterOf = (query: Static<typeof ExportRequest>) => ({
  vertical: query.vertical,
  sourceClass: query.source_class,
  evidenceLevel: query.evidence_level,
  minScore: query.min_score,
  yearFrom: query.year_from,
  yearTo: query.year_to,
  excludeRetracted: query.exclude_retracted,
});

export const exportRoutes = (Object.keys(WORDS) as (keyof typeof WORDS)[]).map(
  exportRoute,
) as readonly Route<EvidenceServices>[];
