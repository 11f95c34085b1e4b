/**
 * Entry point of the process that reads one export and ends. It has no settings, no secrets and no network, and a crash affects
 * only this process.
 */
import { lowerPriority, tell } from '#core/readers/child.ts';
import type { ClinicalReading, ReadClinicalRecords } from '#plugins/labs/index.ts';
import type { ClinicalMeans, FromChild, ToChild } from './messages.ts';
import { readExport } from './read-export.ts';
import type { ClinicalRecord } from './reading.ts';

lowerPriority();

const ROWS_AT_ONCE = 500;

const say = (message: FromChild): Promise<void> => tell(message);

const readRecords = async (
  records: readonly ClinicalRecord[],
  { module, ...context }: ClinicalMeans,
): Promise<ClinicalReading> => {
  if (!records.length) return { reports: [], known: 0, words: [] };
  const { readClinicalRecords } = (await import(module)) as { readClinicalRecords: ReadClinicalRecords };
  return readClinicalRecords(records, context);
};

const read = async ({ file, limits, clinical: means }: ToChild): Promise<void> => {
  const { rows, clinical, ...rest } = await readExport(file, {
    limits,
    onProgress: (progress) => void say({ kind: 'progress', progress }),
  });
  const { reports, known, words } = await readRecords(clinical, means);
  for (let at = 0; at < rows.length; at += ROWS_AT_ONCE)
    await say({ kind: 'rows', rows: rows.slice(at, at + ROWS_AT_ONCE) });
  for (const report of reports) await say({ kind: 'report', report });
  await say({ kind: 'done', rest, counts: { found: clinical.length, known, words } });
};

process.once('message', (message: ToChild) => {
  // The site ends this process after the last message, because a process that exits on its own could do so before its messages
  // are sent.
  read(message).catch(() => say({ kind: 'failed' }));
});
