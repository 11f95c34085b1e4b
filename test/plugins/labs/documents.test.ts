import { strict as assert } from 'node:assert';
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';
import type { TestService } from '../../support/service.ts';
import { sharedService } from '../../support/shared.ts';
import { confirmed, Visitor } from './supplements-support.ts';

const asBytes = (response: NodeJS.ReadableStream, done: (error: Error | null, body: Buffer) => void): void => {
  const chunks: Buffer[] = [];
  response.on('data', (chunk: Buffer) => chunks.push(chunk));
  response.on('end', () => done(null, Buffer.concat(chunks)));
};

interface Node {
  readonly role?: string;
  readonly children?: readonly Node[];
}

const roles = ({ role, children = [] }: Node): string[] => [...(role ? [role] : []), ...children.flatMap(roles)];

/** Reads a PDF as a program does: its text, tags and pages. */
const readBack = async (bytes: Buffer) => {
  const pdf = await getDocument({ data: new Uint8Array(bytes), verbosity: 0 }).promise;
  const [texts, tags]: [string[], string[]] = [[], []];
  for (let number = 1; number <= pdf.numPages; number += 1) {
    const page = await pdf.getPage(number);
    texts.push((await page.getTextContent()).items.map((item) => ('str' in item ? item.str : '')).join(' '));
    tags.push(...roles((await page.getStructTree()) as Node));
  }
  const info = (await pdf.getMetadata()).info as Record<string, unknown>;
  return { text: texts.join('\n').replace(/\s+/g, ' '), tags, pages: pdf.numPages, info };
};

describe('PDF export of results', () => {
  let service: TestService;
  before(async function () {
    this.timeout(300_000);
    service = await sharedService();
  });
  const someone = (name: string) => new Visitor(service, name);
  const load = (person: Visitor, query = '', base = '/blood-test') =>
    person
      .get(`${base}/results/export-pdf${query}`)
      .buffer(true)
      .parse(asBytes as never);
  const range = (low: number | null, high: number | null, text: string) => ({ range: { low, high, text } });
  const DRAW = {
    collectedAt: '2026-10-02',
    labName: 'South Clinic',
    sex: 'female',
    birthYear: 1980,
    isPregnant: false,
  } as const;

  it('is a tagged PDF attachment with title, headings, tables with header cells, and lists', async () => {
    const person = someone('a');
    await person.report({ ...DRAW, markers: [confirmed('ferritin', '9', 'ng/mL', range(15, 150, '15-150'))] });
    const reply = await load(person)
      .expect(200)
      .expect('Content-Type', 'application/pdf')
      .expect('Cache-Control', 'no-store');
    assert.match(
      String(reply.headers['content-disposition']),
      /^attachment; filename="laboratory-values-2026-10-02\.pdf"/,
    );
    const { tags, info, pages, text } = await readBack(reply.body);
    assert.equal(info.Title, 'Laboratory values for a visit to the doctor');
    for (const role of ['Document', 'H1', 'H2', 'P', 'Table', 'TR', 'TH', 'TD', 'L', 'LI'])
      assert.ok(tags.includes(role), role);
    assert.ok(pages <= 3);
    assert.match(text, /female, born 1980, not pregnant/);
    assert.match(text, /Drawn on: 2 October 2026 · Laboratory: South Clinic/);
    assert.match(text, /Ferritin is 9 ng\/mL, below the printed range \(15-150\)\. What could be the reason/);
    assert.match(text, /Made from values that the person confirmed\. Not a diagnosis\./);
  });

  it('lists critical values first and mentions no supplement with them', async () => {
    const person = someone('b');
    await person.send('/blood-test/supplement-log', { name: 'potassium' });
    await person.report({
      ...DRAW,
      markers: [
        confirmed('ferritin', '46', 'ng/mL', range(15, 150, '15-150')),
        confirmed('potassium', '7.2', 'mmol/L', range(3.5, 5.1, '3.5-5.1')),
      ],
    });
    const { text } = await readBack((await load(person).expect(200)).body);
    const [critical, values] = [
      text.indexOf('contact a doctor or an emergency service now'),
      text.indexOf('All confirmed values'),
    ];
    assert.ok(critical > 0 && critical < values);
    assert.doesNotMatch(text.slice(critical, values), /supplement/i);
  });

  it('omits unconfirmed values, and says that they are left out', async () => {
    const person = someone('c');
    await person.report({
      ...DRAW,
      markers: [confirmed('ferritin', '46', 'ng/mL'), confirmed('calcium', '9.871', 'mg/dL', { confirmed: false })],
    });
    const { text } = await readBack((await load(person).expect(200)).body);
    assert.doesNotMatch(text, /9\.871|Calcium/);
    assert.match(text, /1 more value was read off this report and not confirmed by the person; it is left out/);
  });

  it('separates the printed range from ours, cites the source of ours, and calls none optimal', async () => {
    const person = someone('d');
    await person.report({ ...DRAW, markers: [confirmed('ferritin', '46', 'ng/mL', range(15, 150, '15-150'))] });
    const { text } = await readBack((await load(person).expect(200)).body);
    assert.match(text, /15-150 16 to 232 ng\/mL \[1\] within/);
    assert.match(text, /\[1\] Testing\.com: ferritin, for women, 41 to 60 years: https:\/\/www\.testing\.com/);
    assert.doesNotMatch(text, /optimal/i);
  });

  it('shows none of our ranges when sex, year of birth or pregnancy is missing', async () => {
    const person = someone('e');
    await person.report({ ...DRAW, sex: null, markers: [confirmed('ferritin', '46', 'ng/mL')] });
    const { text } = await readBack((await load(person).expect(200)).body);
    assert.match(text, /none printed none for the details given not compared/);
    assert.match(text, /not all of these were given/);
    assert.match(text, /could not be compared with a range/);
  });

  it('lists supplements and medicines with dates, interactions found, and names not found', async () => {
    const person = someone('f');
    await person.report({ ...DRAW, markers: [confirmed('ferritin', '46', 'ng/mL')] });
    for (const entry of [
      { name: 'St. John’s wort', started_at: '2026-06-01' },
      { kind: 'medicine', name: 'warfarin', started_at: '2025-06-01' },
      { name: 'biotin', started_at: '2026-05-01' },
    ])
      await person.send('/blood-test/supplement-log', entry).expect(200);
    const { text } = await readBack((await load(person).expect(200)).body);
    assert.match(text, /St John[’']s wort supplement not given 2026-06-01 still taken/);
    assert.match(text, /Do not combine: (St John's wort and Warfarin|Warfarin and St John's wort)/);
    assert.match(text, /http:\/\/evidence\.test\/interactions\/st-johns-wort-warfarin/);
    assert.match(text, /No record in our sources\. This does not mean the combination is safe\./);
    assert.match(text, /I have taken Biotin since 1 May 2026/);
  });

  it('prints µ, ² and ≥ correctly', async () => {
    const person = someone('g');
    await person.report({
      ...DRAW,
      markers: [
        {
          ...confirmed('white-blood-cells', '6.1', '10*3/uL'),
          unit: '10³/µL',
          range: { low: null, high: null, text: '≥ 4.0' },
        },
      ],
    });
    const { text } = await readBack((await load(person).expect(200)).body);
    // The font has one glyph for the micro sign and the Greek letter.
    assert.match(text, /6\.1 10³\/[µμ]L ≥ 4\.0/);
  });

  it('is byte-identical while nothing changes', async () => {
    const person = someone('h');
    await person.report({ ...DRAW, markers: [confirmed('ferritin', '46', 'ng/mL')] });
    const [one, other] = [await load(person), await load(person)];
    assert.ok(one.body.equals(other.body));
  });

  it('has at most five pages with eighty values, and includes each value', async () => {
    const person = someone('i');
    const markers = Array.from({ length: 80 }, (_, at) => ({
      ...confirmed('ferritin', `${at}.125`, 'ng/mL', { markerId: `m${at}` }),
      slug: null,
      rawName: `Value number ${at}`,
    }));
    await person.report({ ...DRAW, markers });
    const { text, pages } = await readBack((await load(person).expect(200)).body);
    for (const at of markers.keys()) assert.ok(text.includes(`Value number ${at} ${at}.125 ng/mL`), String(at));
    assert.ok(pages <= 5, String(pages));
  });

  it('redirects to the results while no value is confirmed', async () => {
    const person = someone('j');
    await person
      .get('/blood-test/results/export-pdf')
      .expect(303)
      .expect('Location', '/blood-test/results?notice=nothing_confirmed');
    await person.report({ ...DRAW, markers: [confirmed('ferritin', '46', 'ng/mL', { confirmed: false })] });
    await person
      .get('/urine-test/results/export-pdf')
      .expect(303)
      .expect('Location', '/urine-test/results?notice=nothing_confirmed');
  });

  it('exports the requested report, and returns 404 for a report of another device', async () => {
    const person = someone('k');
    const older = await person.report({ ...DRAW, markers: [confirmed('ferritin', '11.5', 'ng/mL')] });
    await person.report({ ...DRAW, markers: [confirmed('ferritin', '46', 'ng/mL')] });
    const { text } = await readBack((await load(person, `?report_id=${older}`).expect(200)).body);
    assert.match(text, /11\.5 ng\/mL/);
    await someone('l').get(`/blood-test/results/export-pdf?report_id=${older}`).expect(404);
  });
});
