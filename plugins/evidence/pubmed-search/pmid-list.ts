import { createReadStream } from 'node:fs';
import { UsageError } from '#core/errors.ts';
import { decodeText } from '#core/import/text-stream.ts';
import { reasonOf } from '#core/import/unreadable-input.ts';
import { pmidOf } from '../importers/identifiers.ts';

export interface PmidList {
  readonly pmids: readonly string[];
  /** Messages for a person on the lines without a PMID. */
  readonly wrongLines: readonly string[];
}

const readFirstCell = (line: string): string => (line.split('\t')[0] ?? '').trim().replace(/^"(.*)"$/, '$1');

/** Parses PMIDs, one per line or in the first column of a tab-separated table; `#` starts a comment. */
export const parsePmids = (text: string): PmidList => {
  const pmids = new Set<string>();
  const wrongLines: string[] = [];
  for (const [at, line] of text.split(/\r\n|\n|\r/).entries()) {
    const cell = readFirstCell(line.replace(/#.*/, ''));
    const pmid = pmidOf(cell);
    if (pmid) pmids.add(pmid);
    else if (line.replace(/#.*/, '').trim() && !(at === 0 && /^pmid$/i.test(cell)))
      wrongLines.push(`line ${at + 1}: "${cell.slice(0, 60)}" is no PMID`);
  }
  return { pmids: [...pmids], wrongLines };
};

/** Reads a list of PMIDs. Throws UsageError when the file cannot be read. */
export const readPmids = async (path: string): Promise<PmidList> => {
  let text = '';
  try {
    for await (const chunk of decodeText(createReadStream(path)).chunks) text += chunk;
  } catch (error) {
    throw new UsageError(`--pmids ${path}: the file ${reasonOf(error)}. Name a file with one PMID a line.`);
  }
  return parsePmids(text);
};
