/** Made-up health exports for tests, in the form in which phones write them. */
import { PassThrough } from 'node:stream';
import { ZipArchive } from 'archiver';

export const record = (type: string, value: string, rest: Readonly<Record<string, string>> = {}): string => {
  const attributes = {
    type: `HKQuantityTypeIdentifier${type}`,
    sourceName: 'iPhone',
    unit: 'count',
    startDate: '2026-03-01 08:00:00 +0100',
    endDate: '2026-03-01 08:10:00 +0100',
    value,
    ...rest,
  };
  return `<Record ${Object.entries(attributes)
    .map(([name, text]) => `${name}="${text}"`)
    .join(' ')}/>`;
};

export const exportXml = (...parts: readonly string[]): string => `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE HealthData [
<!ELEMENT HealthData (ExportDate,Me,(Record|Correlation|Workout|ActivitySummary|ClinicalRecord)*)>
<!ATTLIST Record type CDATA #REQUIRED>
]>
<HealthData locale="en_GB">
 <ExportDate value="2026-03-10 09:00:00 +0100"/>
 <Me HKCharacteristicTypeIdentifierDateOfBirth="1980-04-17" HKCharacteristicTypeIdentifierBiologicalSex="HKBiologicalSexFemale"/>
 ${parts.join('\n ')}
</HealthData>
`;

export const zipOf = async (files: Readonly<Record<string, string | Buffer>>): Promise<Buffer> => {
  const archive = new ZipArchive({ zlib: { level: 6 } });
  const out = archive.pipe(new PassThrough());
  for (const [name, content] of Object.entries(files)) archive.append(content, { name });
  void archive.finalize();
  const chunks: Buffer[] = [];
  for await (const chunk of out) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
};

/** An observation of a provider, and the element that names its file. */
export const clinical = (identifier: string, file: string): string =>
  `<ClinicalRecord type="Observation" identifier="${identifier}" sourceName="Hill Clinic" sourceURL="https://clinic.test/" fhirVersion="4.0.1" receivedDate="2026-03-05 10:00:00 +0100" resourceFilePath="/clinical-records/${file}"/>`;

export const observation = (id: string, code: string, value: number, unit: string): string =>
  JSON.stringify({
    resourceType: 'Observation',
    id,
    status: 'final',
    category: [{ coding: [{ code: 'laboratory' }] }],
    code: { text: 'Ferritin', coding: [{ system: 'http://loinc.org', code }] },
    effectiveDateTime: '2026-03-04',
    valueQuantity: { value, unit, code: unit, system: 'http://unitsofmeasure.org' },
  });
