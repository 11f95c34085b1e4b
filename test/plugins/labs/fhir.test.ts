import { strict as assert } from 'node:assert';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { zipMembers } from '../../../core/import/zip-members.ts';
import { type BiomarkerServices, type Book, biomarkersPlugin } from '../../../plugins/biomarkers/index.ts';
import { observationsToReport, resourcesIn } from '../../../plugins/labs/fhir/observations-to-report.ts';
import { readResources } from '../../../plugins/labs/fhir/resources.ts';
import type { TestService } from '../../support/service.ts';
import { sharedService } from '../../support/shared.ts';
import { confirmed, Visitor } from './supplements-support.ts';

const SHARED = process.env.SHARED_DATA ?? join(import.meta.dirname, '../../../../shared/data');
const PHONE = join(SHARED, 'apple-health/export-with-clinical-records.zip');

/** Returns an observation as a current patient portal exports it. */
const observation = (more: object = {}) => ({
  resourceType: 'Observation',
  status: 'final',
  category: [
    { coding: [{ system: 'http://terminology.hl7.org/CodeSystem/observation-category', code: 'laboratory' }] },
  ],
  code: { text: 'Ferritin', coding: [{ system: 'http://loinc.org', code: '2276-4' }] },
  effectiveDateTime: '2026-05-04T08:30:00+02:00',
  performer: [{ display: 'North Laboratory' }],
  valueQuantity: { value: 33.99999999999999, unit: 'ng/mL', system: 'http://unitsofmeasure.org', code: 'ng/mL' },
  referenceRange: [{ low: { value: 15, unit: 'ng/mL' }, high: { value: 150, unit: 'ng/mL' } }],
  ...more,
});
const bundle = (...resources: object[]) => ({
  resourceType: 'Bundle',
  type: 'collection',
  entry: resources.map((resource) => ({ resource })),
});

interface Resource {
  readonly resourceType: string;
  readonly id: string;
  // biome-ignore lint/suspicious/noExplicitAny: members of a FHIR resource differ by its type
  readonly [member: string]: any;
}

describe('FHIR', () => {
  let service: TestService;
  let book: Book;
  before(async function () {
    this.timeout(300_000);
    service = await sharedService();
    book = await (service.runtime.servicesOf(biomarkersPlugin) as BiomarkerServices).book();
  });
  const someone = (name: string) => new Visitor(service, name);
  const reportsOf = async (person: Visitor) => (await person.get('/api/account/export').expect(200)).body.reports;
  const resourcesOf = (person: Visitor) =>
    service.runtime.db.read(
      async (em) =>
        (await readResources(
          { em, secrets: service.runtime.secrets, device: person.device },
          book,
        )) as readonly Resource[],
    );

  describe('import', () => {
    const send = (person: Visitor, content: object | string) =>
      person
        .upload('/blood-test/import', typeof content === 'string' ? content : JSON.stringify(content))
        .set('Accept', 'application/json');

    it('maps a bundle by LOINC and UCUM, creates one report per day, and returns counts', async () => {
      const person = someone('a');
      const { body } = await send(
        person,
        bundle(
          { resourceType: 'Patient', gender: 'female', birthDate: '1980-02-03' },
          observation(),
          observation({
            effectiveDateTime: '2025-01-02',
            code: { coding: [{ system: 'http://loinc.org', code: '3016-3' }] },
            valueQuantity: { value: 2.5, unit: 'µU/mL', code: 'u[IU]/mL', system: 'http://unitsofmeasure.org' },
            referenceRange: undefined,
          }),
          observation({ code: { text: 'Mystery factor' } }),
        ),
      ).expect(200);
      assert.deepEqual([body.observations, body.mapped, body.unmapped, body.skipped], [3, 2, 1, {}]);
      assert.deepEqual(
        body.reports.map((report: { collected_at: string; markers: number }) => [report.collected_at, report.markers]),
        [
          ['2026-05-04', 2],
          ['2025-01-02', 1],
        ],
      );
      const report = (await reportsOf(person)).find(
        ({ report_id }: { report_id: string }) => report_id === body.reports[0].report_id,
      );
      assert.deepEqual(
        [report.source_type, report.lab_name, report.sex, report.birth_year, report.read_by],
        ['lab_upload', 'North Laboratory', 'female', 1980, 'fhir'],
      );
      const [ferritin, mystery] = report.markers;
      assert.deepEqual(
        [
          ferritin.slug,
          ferritin.value,
          ferritin.value_text,
          ferritin.ucum,
          ferritin.confirmed,
          ferritin.lab_range,
          ferritin.loinc,
        ],
        ['ferritin', 34, '34', 'ng/mL', false, { low: 15, high: 150, text: '15 - 150' }, '2276-4'],
      );
      assert.deepEqual(
        [mystery.slug, mystery.raw_name, mystery.doubts.includes('unknown_marker')],
        ['', 'Mystery factor', true],
      );
      assert.match(report.warnings[0], /3 observations were read: 2 recognised, 1 kept under the name in the file/);
    });

    it('takes the collection date from the sample, never from the date of the result', async () => {
      const person = someone('b');
      await send(
        person,
        bundle(
          observation({ effectiveDateTime: undefined, effectivePeriod: { start: '2026-02-01T07:00:00Z' } }),
          observation({ effectiveDateTime: undefined, issued: '2026-03-01T09:00:00Z' }),
        ),
      ).expect(200);
      const days = (await reportsOf(person)).map((report: { collected_at: string; reported_at: string }) => [
        report.collected_at,
        report.reported_at,
      ]);
      assert.deepEqual(
        days.sort(),
        [
          ['2026-02-01', null],
          [null, '2026-03-01'],
        ].sort(),
      );
    });

    it('skips and counts vital signs, withdrawn observations, missing values and duplicates', async () => {
      const { body } = await send(someone('c'), [
        observation(),
        observation(),
        observation({ status: 'entered-in-error' }),
        observation({ category: { coding: [{ code: 'vital-signs' }] } }),
        observation({ valueQuantity: undefined, dataAbsentReason: { text: 'unknown' } }),
        observation({ valueQuantity: { value: 'many' } }),
        { resourceType: 'Condition', code: { text: 'secret' } },
      ] as never).expect(200);
      assert.deepEqual(
        [body.observations, body.mapped, body.skipped],
        [6, 1, { twice: 1, withdrawn: 1, vital_sign: 1, no_value: 2 }],
      );
    });

    it('stores "less than", words, and bounds in another unit as text', async () => {
      const person = someone('d');
      await send(
        person,
        bundle(
          observation({ valueQuantity: { value: 5, comparator: '<', unit: 'ng/mL' } }),
          observation({
            code: { coding: [{ system: 'http://loinc.org', code: '3016-3' }] },
            valueQuantity: undefined,
            valueString: 'not detected',
          }),
          observation({
            code: { coding: [{ system: 'http://loinc.org', code: '2339-0' }] },
            valueQuantity: { value: 90, unit: 'mg/dL' },
            referenceRange: [{ high: { value: 5.6, unit: 'mmol/L' }, text: 'up to 5.6 mmol/L' }],
          }),
        ),
      ).expect(200);
      const [report] = await reportsOf(person);
      const [less, words, glucose] = report.markers;
      assert.deepEqual([less.value, less.value_text, less.comparator], [5, '<5', '<']);
      assert.deepEqual([words.value, words.value_text], [null, 'not detected']);
      assert.deepEqual(glucose.lab_range, { low: null, high: null, text: 'up to 5.6 mmol/L' });
    });

    it('marks a unit that does not fit and an implausible number as doubtful', async () => {
      const person = someone('e');
      await send(
        person,
        bundle(
          observation({ valueQuantity: { value: 34, unit: 'mmol/L' } }),
          observation({
            code: { coding: [{ system: 'http://loinc.org', code: '2339-0' }] },
            valueQuantity: { value: 999999, unit: 'mg/dL' },
          }),
        ),
      ).expect(200);
      const [{ markers }] = await reportsOf(person);
      assert.deepEqual(
        markers.map(({ doubts }: { doubts: string[] }) => doubts),
        [['unit_does_not_fit'], ['implausible']],
      );
    });

    it('matches by name with a doubt when the code is unknown', async () => {
      const person = someone('f');
      await send(
        person,
        bundle(observation({ code: { text: 'Ferritin', coding: [{ system: 'http://loinc.org', code: '99999-9' }] } })),
      ).expect(200);
      const [{ markers }] = await reportsOf(person);
      assert.deepEqual([markers[0].slug, markers[0].doubts], ['ferritin', ['unclear_name']]);
    });

    it('redirects a browser to the results', async () => {
      await someone('g')
        .upload('/urine-test/import', JSON.stringify(observation()))
        .expect(303)
        .expect('Location', '/urine-test/results?notice=imported');
    });

    it('returns 422 for invalid JSON, invalid FHIR, no laboratory values, or hostile input', async () => {
      for (const content of [
        '{"resourceType": "Observ',
        '"text"',
        '[]',
        '{"a": 1}',
        '{"resourceType":"Bundle","entry":5}',
        '{"resourceType":"Observation","code":null,"valueQuantity":[]}',
        `${'['.repeat(200_000)}${']'.repeat(200_000)}`,
        '{"__proto__":{"resourceType":"Observation"}}',
        `[${Array.from({ length: 50_001 }, () => '{"resourceType":"Patient"}').join()}]`,
        '',
      ])
        await send(someone('h'), content).expect(422);
    });

    it('accepts members of every wrong type without failing', async () => {
      const wrong = [null, 5, 'x', [], {}, [[]], [null], true];
      const all = [
        'status',
        'category',
        'code',
        'effectiveDateTime',
        'performer',
        'valueQuantity',
        'referenceRange',
        'interpretation',
        'component',
      ].flatMap((member) => wrong.map((value) => observation({ [member]: value })));
      await send(someone('i'), all as never).expect(200);
    });

    it('reads the clinical records of a phone export (DSTU2) with each value unchanged', async function () {
      if (!existsSync(PHONE)) return this.skip();
      const records: unknown[] = [];
      for (const member of await zipMembers(PHONE)) {
        if (!/clinical-records\/.*\.json$/.test(member.name)) continue;
        const chunks: Uint8Array[] = [];
        for await (const chunk of member.bytes(AbortSignal.timeout(5_000))) chunks.push(chunk);
        records.push(JSON.parse(Buffer.concat(chunks).toString()));
      }
      const { reports, tally } = observationsToReport(records.flatMap(resourcesIn), book);
      const values = reports.flatMap(({ kept }) =>
        kept.markers.map(({ slug, value, unit, range }) => [slug, value, unit, range.low, range.high]),
      );
      assert.equal(tally.unmapped, 0);
      assert.deepEqual(
        values.find(([slug]) => slug === 'glucose'),
        ['glucose', 60, 'mg/dL', 61, 100],
      );
      assert.deepEqual(
        values.find(([slug]) => slug === 'tsh'),
        ['tsh', 3.915, 'µU/mL', 0.35, 5.5],
      );
      for (const slug of ['triglycerides', 'ldl-cholesterol', 'hdl-cholesterol', 'total-cholesterol', 'total-t4'])
        assert.ok(
          values.some(([own]) => own === slug),
          slug,
        );
      assert.ok(reports.every(({ kept }) => kept.collectedAt === null && kept.reportedAt !== null));
      return undefined;
    });
  });

  describe('export', () => {
    const DRAW = { collectedAt: '2026-10-02', labName: 'South Clinic', sex: 'female', birthYear: 1980 } as const;

    it('returns each confirmed value with LOINC, UCUM, comparator and printed range, and its report', async () => {
      const person = someone('j');
      await person.report({
        ...DRAW,
        markers: [
          confirmed('ferritin', '<9', 'ng/mL', { range: { low: 15, high: 150, text: '15-150' } }),
          confirmed('potassium', '4', 'mmol/L', { confirmed: false }),
        ],
      });
      const all = await resourcesOf(person);
      assert.deepEqual(
        all.map(({ resourceType }) => resourceType),
        ['Patient', 'Observation', 'DiagnosticReport'],
      );
      const [patient, value, report] = all as [Resource, Resource, Resource];
      assert.deepEqual([patient.gender, patient.birthDate], ['female', '1980']);
      assert.deepEqual(value.code, {
        coding: [{ system: 'http://loinc.org', code: '2276-4', display: 'Ferritin [Mass/volume] in Serum or Plasma' }],
        text: 'Ferritin',
      });
      assert.deepEqual(value.valueQuantity, {
        value: 9,
        unit: 'ng/mL',
        system: 'http://unitsofmeasure.org',
        code: 'ng/mL',
        comparator: '<',
      });
      assert.deepEqual(
        [value.status, value.effectiveDateTime, value.referenceRange[0].text, value.subject.reference],
        ['final', '2026-10-02', '15-150', `urn:uuid:${patient.id}`],
      );
      assert.deepEqual([report.status, report.result], ['partial', [{ reference: `urn:uuid:${value.id}` }]]);
    });

    it('omits a LOINC code that implies another unit kind or an unknown method', async () => {
      const person = someone('k');
      await person.report({
        ...DRAW,
        markers: [
          confirmed('glucose', '5', 'mmol/L'),
          confirmed('ldl-cholesterol', '130', 'mg/dL'),
          { ...confirmed('glucose', '7', 'x', { markerId: 'm9' }), slug: null, rawName: 'Mystery factor' },
        ],
      });
      const values = (await resourcesOf(person)).filter(({ resourceType }) => resourceType === 'Observation');
      const displays = values.map(({ code }) => code.coding?.[0].display ?? '');
      assert.doesNotMatch(displays[0], /Mass/);
      assert.equal(displays[1], '');
      assert.deepEqual(values.at(-1)?.code, { text: 'Mystery factor' });
    });

    it('returns log entries as medication statements with their dates', async () => {
      const person = someone('l');
      const { body } = await person.send('/blood-test/supplement-log', {
        name: 'zinc',
        started_at: '2026-01-10',
        dose_amount: 10,
        dose_unit: 'mg',
        reason: 'a cold',
      });
      await person.send(`/blood-test/supplement-log/${body.log_id}/stop`, { stopped_at: '2026-02-10' });
      const statement = (await resourcesOf(person)).find(({ resourceType }) => resourceType === 'MedicationStatement');
      assert.deepEqual(
        [
          statement?.status,
          statement?.medicationCodeableConcept,
          statement?.effectivePeriod,
          statement?.dosage,
          statement?.reasonCode,
        ],
        [
          'stopped',
          { text: 'Zinc' },
          { start: '2026-01-10', end: '2026-02-10' },
          [{ text: '10 mg' }],
          [{ text: 'a cold' }],
        ],
      );
    });

    it('has stable UUID ids that differ between devices', async () => {
      const [person, other] = [someone('m'), someone('n')];
      for (const one of [person, other]) await one.report({ ...DRAW, markers: [confirmed('ferritin', '9', 'ng/mL')] });
      const idsOf = async (whose: Visitor) => (await resourcesOf(whose)).map(({ id }) => id);
      const ids = await idsOf(person);
      assert.deepEqual(await idsOf(person), ids);
      for (const id of ids) assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      assert.ok((await idsOf(other)).every((id) => !ids.includes(id)));
    });

    it('can be imported on another device with identical values', async () => {
      const [person, other] = [someone('o'), someone('p')];
      await person.report({
        ...DRAW,
        markers: [
          confirmed('ferritin', '<9', 'ng/mL', { range: { low: 15, high: 150, text: '15-150' } }),
          confirmed('tsh', '2.1', 'm[IU]/L'),
        ],
      });
      await other.upload('/blood-test/import', JSON.stringify(bundle(...(await resourcesOf(person))))).expect(303);
      const [report] = await reportsOf(other);
      assert.deepEqual(
        report.markers.map(({ slug, value_text, ucum, lab_range }: Record<string, unknown>) => [
          slug,
          value_text,
          ucum,
          (lab_range as { text: string }).text,
        ]),
        [
          ['ferritin', '<9', 'ng/mL', '15-150'],
          ['tsh', '2.1', 'm[IU]/L', ''],
        ],
      );
    });

    it('returns no resources for a device without data', async () => {
      assert.deepEqual(await resourcesOf(someone('q')), []);
    });
  });
});
