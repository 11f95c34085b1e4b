/** Tests the clinical records of a health export. */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LIMITS } from '#plugins/wearables/phone-export/limits.ts';
import { madeZip } from '../../../support/zip.ts';
import { element, lineOf, readBytes, xmlOf } from './made-export.ts';

const SHARED = process.env.SHARED_DATA ?? join(import.meta.dirname, '../../../../../shared/data');
const SAMPLE = join(SHARED, 'apple-health/export-with-clinical-records.zip');

interface Named {
  readonly identifier: string;
  readonly path: string;
  readonly source?: string;
  readonly type?: string;
  readonly received?: string;
}

const named = ({
  identifier,
  path,
  source = 'Clinic A',
  type = 'Observation',
  received = '2024-05-01',
}: Named): string =>
  element('ClinicalRecord', {
    type,
    identifier,
    sourceName: source,
    sourceURL: 'https://localhost/1',
    fhirVersion: '4.0.1',
    receivedDate: `${received} 08:00:00 +0200`,
    resourceFilePath: path,
  });

const glucose = (value: number, more: object = {}): string =>
  JSON.stringify({
    resourceType: 'Observation',
    code: { coding: [{ system: 'http://loinc.org', code: '2339-0' }] },
    valueQuantity: { value, unit: 'mg/dL' },
    ...more,
  });

const zipOf = (xml: string, files: Readonly<Record<string, string>>): Buffer =>
  madeZip(
    Object.fromEntries(
      Object.entries({ 'export.xml': xml, ...files }).map(([name, content]) => [
        `apple_health_export/${name}`,
        content,
      ]),
    ),
  );

describe('clinical records of a health export', () => {
  it('include each of the 17 observations of the sample, with unique keys', async function () {
    if (!existsSync(SAMPLE)) {
      console.log(`      the sample is not there: ${SAMPLE}`);
      return this.skip();
    }
    const reading = await readBytes(await readFile(SAMPLE));
    equal(reading.outcome, 'read');
    const observations = reading.clinical.filter(({ resource }) => resource.resourceType === 'Observation');
    equal(observations.length, 17);
    equal(new Set(reading.clinical.map(({ key }) => key)).size, reading.clinical.length);
    ok(observations.every(({ resource }) => resource.code));
    deepEqual(
      reading.tally.map(({ type, read, used, left, why }) => `${type} ${read} ${used} ${left} ${why}`),
      [
        'AllergyIntolerance 2 0 2 of a kind that tells no measured value',
        'Condition 4 0 4 of a kind that tells no measured value',
        'Immunization 2 0 2 of a kind that tells no measured value',
        'MedicationOrder 4 0 4 of a kind that tells no measured value',
        'Observation 17 17 0 ',
        'Patient 3 3 0 ',
        'Procedure 3 0 3 of a kind that tells no measured value',
      ],
    );
    deepEqual(
      [reading.exportedAt, reading.sex, reading.birthYear, reading.rows.length],
      ['2018-12-19T09:58:25-06:00', 'female', 1983, 0],
    );
    ok(observations.some(({ key }) => key === '["Observation","Sample Location B","72354778"]'));
  });

  it('are identified by type, provider and identifier, not by file', async () => {
    const first = zipOf(
      xmlOf(
        named({ identifier: '2', path: '/clinical-records/Observation-AAAA.json' }),
        named({ identifier: '2', path: '/clinical-records/Observation-BBBB.json', source: 'Clinic B' }),
      ),
      { 'clinical-records/Observation-AAAA.json': glucose(90), 'clinical-records/Observation-BBBB.json': glucose(95) },
    );
    const second = zipOf(
      xmlOf(
        named({
          identifier: '2',
          path: 'clinical-records/Observation-CCCC.json',
          type: 'HKClinicalTypeIdentifierLabResultRecord',
        }),
      ),
      { 'clinical-records/Observation-CCCC.json': glucose(90) },
    );
    const keys = async (zip: Buffer) => (await readBytes(zip)).clinical.map(({ key }) => key);
    deepEqual(await keys(first), ['["Observation","Clinic A","2"]', '["Observation","Clinic B","2"]']);
    deepEqual(await keys(second), ['["Observation","Clinic A","2"]']);
  });

  it('use the most recently received of two records with one key, in any order', async () => {
    const files = { 'clinical-records/a.json': glucose(90), 'clinical-records/b.json': glucose(99) };
    const old = named({ identifier: '2', path: '/clinical-records/a.json', received: '2024-05-01' });
    const recent = named({ identifier: '2', path: '/clinical-records/b.json', received: '2024-05-02' });
    for (const xml of [xmlOf(old, recent), xmlOf(recent, old)]) {
      const reading = await readBytes(zipOf(xml, files));
      deepEqual(
        reading.clinical.map(({ resource }) => resource.valueQuantity),
        [{ value: 99, unit: 'mg/dL' }],
      );
      equal(lineOf(reading, 'Observation'), '2, 1, 1: 1 in the file twice');
    }
  });

  it('are returned unchanged when they have no date', async () => {
    const xml = xmlOf(named({ identifier: '7', path: '/clinical-records/a.json' }));
    const { clinical } = await readBytes(zipOf(xml, { 'clinical-records/a.json': glucose(90) }));
    deepEqual(
      clinical.map(({ resource }) => resource),
      [JSON.parse(glucose(90))],
    );
  });

  it('are skipped when the file is missing, broken, too long or outside the folder', async () => {
    const xml = xmlOf(
      named({ identifier: '1', path: '/clinical-records/missing.json' }),
      named({ identifier: '2', path: '/clinical-records/broken.json' }),
      named({ identifier: '3', path: '/clinical-records/../clinical-records/fine.json' }),
      named({ identifier: '4', path: '/etc/passwd' }),
      named({ identifier: '5', path: '/clinical-records/list.json' }),
      named({ identifier: '6', path: '/clinical-records/long.json' }),
      named({ identifier: '7', path: '/clinical-records/fine.json' }),
    );
    const zip = zipOf(xml, {
      'clinical-records/broken.json': '{"resourceType": "Obs',
      'clinical-records/list.json': '[]',
      'clinical-records/fine.json': glucose(90),
      'clinical-records/long.json': glucose(90, { note: Array.from({ length: 400 }, (_, at) => at * 7_919) }),
    });
    const reading = await readBytes(zip, { limits: { ...LIMITS, clinicalRecordBytes: 1_000 } });
    deepEqual(
      reading.clinical.map(({ key }) => key),
      ['["Observation","Clinic A","7"]'],
    );
    equal(
      lineOf(reading, 'Observation'),
      '7, 1, 6: 3 without its file in the export; 2 with a file that cannot be read; 1 beyond what is read of one export',
    );
  });

  it('are reported as missing for an XML file without an archive', async () => {
    const reading = await readBytes(xmlOf(named({ identifier: '1', path: '/clinical-records/a.json' })));
    deepEqual(reading.clinical, []);
    equal(lineOf(reading, 'Observation'), '1, 0, 1: without its file in the export');
  });
});
