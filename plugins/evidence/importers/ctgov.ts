import { UnreadableInput } from '#core/import/unreadable-input.ts';
import type { ImportEvent } from '../source-record.ts';
import { studyRecord } from './ctgov-record.ts';
import { problem, recordEvent } from './events.ts';
import { fileImporter, readTextFile } from './file-importer.ts';
import { studyPieces } from './json-studies.ts';

const studyEvent = (json: string, place: string): ImportEvent => {
  try {
    const record = studyRecord(JSON.parse(json));
    if (record === undefined) return problem(place, 'is no study of ClinicalTrials.gov: it has no protocolSection');
    return recordEvent(place, record, true);
  } catch (error) {
    const nctId = /"nctId"\s*:\s*"(NCT\d{8})"/.exec(json)?.[1];
    const reason = error instanceof Error ? error.message.replace(/\s*\(line.*|, ".*|\n.*/s, '') : String(error);
    return problem(place, `${nctId === undefined ? '' : `(${nctId}) `}is malformed JSON and was left out: ${reason}`);
  }
};

async function* readStudies(chunks: AsyncIterable<string>, name: string): AsyncGenerator<ImportEvent> {
  let number = 0;
  let head = '';
  async function* noting(): AsyncGenerator<string> {
    for await (const chunk of chunks) {
      if (head.length < 500) head += chunk.slice(0, 500);
      yield chunk;
    }
  }
  for await (const piece of studyPieces(noting())) {
    number += 1;
    const place = `${name} › study ${number}`;
    yield piece.type === 'broken' ? problem(place, piece.reason) : studyEvent(piece.json, place);
  }
  // An empty list of studies is a valid result; any other input without a study is unreadable.
  if (number === 0 && !/^\s*\[\s*\]|"studies"\s*:\s*\[\s*\]/.test(head)) throw new UnreadableInput('holds no studies');
}

/** Imports trials in the format of ClinicalTrials.gov's API version 2. */
export const ctgov = fileImporter({
  kind: 'ctgov',
  summary: 'ClinicalTrials.gov API v2 JSON (a list, API pages, JSON lines or one study; a file or a folder)',
  wanted: /\.(?:json|jsonl|ndjson)(?:\.gz)?$/i,
  read: readTextFile('json', 'ClinicalTrials.gov JSON', readStudies),
});
