/** The process that reads one export and ends. It has no settings, no secrets, no network; what breaks it breaks only it. */
import { constants, setPriority } from 'node:os';
import type { FromChild, ToChild } from './messages.ts';
import { readExport } from './read-export.ts';

// Before any thread begins: threads inherit it. Refused in some containers, and then it reads at the site's own priority.
try {
  setPriority(constants.priority.PRIORITY_LOW);
} catch {}

const ROWS_AT_ONCE = 500;
const CLINICAL_AT_ONCE = 50;

/** Resolves when it is on its way, so that parts do not pile up here. */
const tell = (message: FromChild): Promise<void> =>
  new Promise((resolve) => {
    if (process.send) process.send(message, () => resolve());
    else resolve();
  });

const read = async ({ file, limits }: ToChild): Promise<void> => {
  const { rows, clinical, ...rest } = await readExport(file, {
    limits,
    onProgress: (progress) => void tell({ kind: 'progress', progress }),
  });
  for (let at = 0; at < rows.length; at += ROWS_AT_ONCE)
    await tell({ kind: 'rows', rows: rows.slice(at, at + ROWS_AT_ONCE) });
  for (let at = 0; at < clinical.length; at += CLINICAL_AT_ONCE)
    await tell({ kind: 'clinical', clinical: clinical.slice(at, at + CLINICAL_AT_ONCE) });
  await tell({ kind: 'done', rest });
};

process.once('message', (message: ToChild) => {
  // The site ends this process when it has heard the last of it: one that ended by itself could be faster than its words.
  read(message).catch(() => tell({ kind: 'failed' }));
});
// The site is gone, and nobody waits for what would be read.
process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'));
