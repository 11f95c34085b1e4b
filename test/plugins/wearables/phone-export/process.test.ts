/** Tests reading a health export in a separate process. */
import { deepEqual, equal, rejects } from 'node:assert/strict';
import { createExportReader } from '#plugins/wearables/phone-export/process.ts';
import { unreadFile } from '#plugins/wearables/phone-export/reading.ts';
import { madeZip } from '../../../support/zip.ts';
import { daysOf, element, record, withFile, xmlOf } from './made-export.ts';

const zipOf = (value: string): Buffer =>
  madeZip({
    'export.xml': xmlOf(
      record({ type: 'StepCount', unit: 'count', value, start: '2024-05-01 08:00:00 +0200' }),
      element('ClinicalRecord', {
        type: 'Observation',
        identifier: '1',
        sourceName: 'Clinic',
        receivedDate: '2024-05-01 08:00:00 +0200',
        resourceFilePath: '/clinical-records/a.json',
      }),
    ),
    'clinical-records/a.json': '{"resourceType":"Observation"}',
  });

const wanted = (steps: number) => ({ '2024-05-01 Anna’s Watch': { steps } });

describe('createExportReader', () => {
  it('reads one file after another, and reports its progress', async () => {
    const reader = createExportReader({ atOnce: 1 });
    const stages: string[] = [];
    const options = { onProgress: ({ stage }: { stage: string }) => void (stage === 'records' || stages.push(stage)) };
    await withFile(zipOf('10'), (first) =>
      withFile(zipOf('20'), async (second) => {
        const readings = await Promise.all([reader.read(first, options), reader.read(second, options)]);
        deepEqual(readings.map(daysOf), [wanted(10), wanted(20)]);
        deepEqual(
          readings.map(({ clinical }) => [clinical.found, clinical.words.at(-1)]),
          [
            [1, '1 left out: without a name or code.'],
            [1, '1 left out: without a name or code.'],
          ],
        );
        await reader.stop();
        await rejects(reader.read(first), /stopped/);
      }),
    );
    deepEqual(stages, ['opening', 'clinical', 'days', 'opening', 'clinical', 'days']);
  });

  it('aborts a file that takes too long or too much memory, and reports a missing file as damaged', async () => {
    await withFile(zipOf('10'), async (file) => {
      deepEqual(await createExportReader({ seconds: 0.001 }).read(file), unreadFile('took_too_long'));
      deepEqual(await createExportReader({ heapMegabytes: 2 }).read(file), unreadFile('too_much_memory'));
      deepEqual(await createExportReader({ residentMegabytes: 10 }).read(file), unreadFile('too_much_memory'));
      deepEqual(await createExportReader().read({ ...file, path: `${file.path}-gone` }), unreadFile('damaged'));
    });
  });

  it('rejects with the reason of an abort, also while it waits', async () => {
    const reader = createExportReader({ atOnce: 1 });
    const stopping = new AbortController();
    await withFile(zipOf('10'), async (file) => {
      const reading = reader.read(file, { signal: stopping.signal });
      const waiting = reader.read(file, { signal: stopping.signal });
      stopping.abort(new Error('the import was deleted'));
      await rejects(reading, /the import was deleted/);
      await rejects(waiting, /the import was deleted/);
      equal((await reader.read(file)).outcome, 'read');
    });
    await reader.stop();
  });
});
