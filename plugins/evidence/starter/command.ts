/** Command `npm run evidence -- pack`: builds the file of the starter corpus. */
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { findRows } from '#core/db/find-rows.ts';
import type { Command } from '#core/plugin.ts';
import { Source } from '../entities.ts';
import { READER_VERSION } from '../grading/reading.ts';
import type { EvidenceServices } from '../services.ts';
import { readEditorsTables } from './editors-tables.ts';
import { type KnownPaper, makePack, type PackReport } from './pack.ts';

const summaryOf = (file: string, bytes: number, report: PackReport): readonly string[] => [
  `${file}: ${report.kept.toLocaleString('en-GB')} sources, ${(bytes / 1e6).toFixed(2)} MB`,
  `  ${report.inPeople.toLocaleString('en-GB')} studied people; ${report.withoutAbstract.toLocaleString('en-GB')} were read from the title alone`,
  `  left out: ${report.offTopic} about no supplement of the vocabulary, ${report.retracted} retracted or notices of it, ${report.suspect} on the list of suspect PMIDs, ${report.doubles} that came twice`,
  `  from ${report.read.toLocaleString('en-GB')} records of ${report.papers.toLocaleString('en-GB')} papers; ${report.problems.length} records could not be read`,
];

const PROBLEMS_SHOWN = 5;

/** Exit status: 0 success, 2 invalid usage. */
export const evidenceCommand: Command<EvidenceServices> = {
  id: 'evidence',
  summary: 'make the starter corpus from files of bibliographic records',
  usage: 'evidence -- pack <out-file> <file or folder …>',
  run: async ({ services, db, signal }, [action, file, ...paths], out) => {
    if (action !== 'pack' || !file || !paths.length) {
      out(`usage: npm run ${evidenceCommand.usage}`);
      return 2;
    }
    const grader = await services.grader();
    const known = await db.read((em) =>
      findRows<KnownPaper>(
        em,
        Source,
        { origins: { $contains: ['content'] }, removedAt: null },
        { fields: ['pmid', 'doi', 'title'] },
      ),
    );
    // The editors' tables are next to the output file.
    const editors = await readEditorsTables(dirname(file), signal);
    const { bytes, report } = await makePack(paths, {
      grader,
      readBy: READER_VERSION,
      known,
      editors,
      signal,
      onProgress: out,
    });
    await mkdir(dirname(file), { recursive: true });
    // Write to a temporary file, so that an interrupted run leaves the previous file intact.
    await writeFile(`${file}.new`, bytes);
    await rename(`${file}.new`, file);
    for (const line of summaryOf(file, bytes.length, report)) out(line);
    for (const problem of report.problems.slice(0, PROBLEMS_SHOWN)) out(`  not read: ${problem}`);
    return 0;
  },
};
