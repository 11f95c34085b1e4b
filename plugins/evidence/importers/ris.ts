import { UnreadableInput } from '#core/import/unreadable-input.ts';
import type { ImportEvent } from '../source-record.ts';
import { problem, recordEvent } from './events.ts';
import { fileImporter, readTextFile } from './file-importer.ts';
import { isRegistryRecord, risRecord } from './ris-record.ts';
import { type TagSyntax, taggedRecords } from './tagged-records.ts';

const syntax: TagSyntax = {
  line: /^([A-Z][A-Z0-9])\s{1,2}-(?:\s(.*))?$/,
  begins: 'TY',
  ends: 'ER',
  blankEnds: false,
  isContinuation: (line) => line.trim() !== '',
};

async function* readRis(chunks: AsyncIterable<string>, name: string): AsyncGenerator<ImportEvent> {
  let number = 0;
  for await (const piece of taggedRecords(chunks, syntax)) {
    if (piece.type === 'stray') {
      if (number > 0)
        yield problem(`${name} › line ${piece.line}`, 'belongs to no record: a record begins with "TY  - "');
      continue;
    }
    number += 1;
    yield recordEvent(`${name} › record ${number}`, risRecord(piece.record), isRegistryRecord(piece.record));
  }
  if (number === 0) throw new UnreadableInput('holds no RIS record: no line begins with "TY  - "');
}

/** Imports RIS exports of PubMed, Ovid, Cochrane, Web of Science, Scopus and reference managers. */
export const ris = fileImporter({
  kind: 'ris',
  summary: 'RIS export (.ris, .txt; a file or a folder)',
  wanted: /\.(?:ris|txt)(?:\.gz)?$/i,
  read: readTextFile('lines', 'a RIS export', readRis),
});
