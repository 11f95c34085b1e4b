/** Converts a file of FHIR in JSON to reports, or returns a problem. Runs in a separate process: see process.ts. */
import { createHash } from 'node:crypto';
import type { Book } from '../reading/book.ts';
import {
  type Imported,
  MOST_PARTS,
  MOST_RESOURCES,
  observationsToReport,
  partCount,
  resourcesIn,
  tallyInWords,
} from './observations-to-report.ts';

export interface FhirProblem {
  /** Type of the problem in a 422 response. */
  readonly type: 'json_invalid' | 'too_long' | 'value_error';
  readonly msg: string;
}

export interface FhirFile extends Imported {
  /** Hash of the file's bytes, in hex. */
  readonly sha256: string;
}

/** Maximum number of objects, lists and members. Each takes a hundred bytes of memory, and no person's record has more. */
const MOST_NODES = 2_000_000;
const [COMMA, BRACKET, BRACE] = [0x2c, 0x5b, 0x7b];

/** Counts nodes before parsing; commas within strings count, too. */
const countNodes = (bytes: Uint8Array): number => {
  let nodes = 0;
  for (const byte of bytes) if (byte === COMMA || byte === BRACKET || byte === BRACE) nodes += 1;
  return nodes;
};

const parsed = (bytes: Buffer): unknown => {
  try {
    return JSON.parse(bytes.toString('utf8').replace(/^\uFEFF/, ''));
  } catch {
    return undefined;
  }
};

export const readFhir = (bytes: Buffer, book: Book): FhirFile | FhirProblem => {
  if (countNodes(bytes) > MOST_NODES)
    return { type: 'too_long', msg: 'The file has more than two million parts. Export a shorter time.' };
  const json = parsed(bytes);
  if (json === undefined)
    return { type: 'json_invalid', msg: 'The file is not readable JSON. Export it again, as FHIR in JSON.' };
  const resources = resourcesIn(json);
  if (resources.length >= MOST_RESOURCES)
    return { type: 'too_long', msg: `The file has ${MOST_RESOURCES} resources or more. Export a shorter time.` };
  if (!resources.some(({ resourceType }) => typeof resourceType === 'string'))
    return { type: 'value_error', msg: 'The file is JSON and not FHIR: nothing in it says its resourceType.' };
  if (resources.some((resource) => partCount(resource) > MOST_PARTS))
    return { type: 'too_long', msg: `An observation in the file has more than ${MOST_PARTS} components.` };
  const imported = observationsToReport(resources, book);
  if (!imported.reports.length)
    return { type: 'value_error', msg: `No laboratory value was found. ${tallyInWords(imported.tally).join(' ')}` };
  return { ...imported, sha256: createHash('sha256').update(bytes).digest('hex') };
};
