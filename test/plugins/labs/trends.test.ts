import { strict as assert } from 'node:assert';
import type { TestService } from '../../support/service.ts';
import { sharedService } from '../../support/shared.ts';
import { confirmed, Visitor } from './supplements-support.ts';

describe('GET /blood-test/trends', () => {
  let service: TestService;
  before(async function () {
    this.timeout(300_000);
    service = await sharedService();
  });
  const someone = (name: string) => new Visitor(service, name);
  const page = async (person: Visitor, query = '') =>
    (
      await person
        .get(`/blood-test/trends${query}`)
        .expect(200)
        .expect('Cache-Control', 'no-store')
        .expect('X-Robots-Tag', /noindex/)
    ).text;
  const range = (low: number | null, high: number | null, text: string) => ({ range: { low, high, text } });

  it('explains the next step when there is no value yet', async () => {
    const text = await page(someone('a'));
    assert.match(text, /There is no confirmed value yet/);
    assert.match(text, /href="\/blood-test\/supplement-log"/);
  });

  it('charts the values of a marker in one unit with each printed range, and shows them as a table', async () => {
    const person = someone('b');
    await person.report({
      collectedAt: '2026-01-01',
      labName: 'North',
      markers: [confirmed('glucose', '90', 'mg/dL', range(70, 99, '70-99'))],
    });
    await person.report({
      collectedAt: '2026-06-01',
      labName: 'South',
      markers: [confirmed('glucose', '5.5', 'mmol/L', range(3.9, 5.5, '3.9-5.5'))],
    });
    const text = await page(person);
    assert.equal(text.match(/class="trend-point"/g)?.length, 2);
    assert.equal(text.match(/class="trend-band"/g)?.length, 2);
    assert.equal(text.match(/class="trend-line"/g)?.length, 1);
    assert.match(text, /5\.5 mmol\/L<\/td><td[^>]*>99\.1<\/td><td[^>]*>3\.9-5\.5<\/td>/);
    assert.match(text, /North/);
    assert.doesNotMatch(text, /style=/);
  });

  it('draws "less than" as an open point without a line, and shows the sign in the table', async () => {
    const person = someone('c');
    for (const [day, value] of [
      ['2026-01-01', '12'],
      ['2026-03-01', '<5'],
      ['2026-06-01', '9'],
    ] as const)
      await person.report({ collectedAt: day, markers: [confirmed('ferritin', value, 'ng/mL')] });
    const text = await page(person);
    assert.deepEqual(
      [text.match(/class="trend-open"/g)?.length, text.match(/class="trend-line"/g)?.length ?? 0],
      [1, 0],
    );
    assert.match(text, />&lt;5 ng\/mL</);
  });

  it('omits values that do not convert from the chart, and marks them in the table', async () => {
    const person = someone('d');
    await person.report({ collectedAt: '2026-01-01', markers: [confirmed('ferritin', '12', 'ng/mL')] });
    await person.report({ collectedAt: '2026-02-01', markers: [confirmed('ferritin', '14', 'ng/mL')] });
    await person.report({ collectedAt: '2026-03-01', markers: [confirmed('ferritin', '300', 'mmol/L')] });
    const text = await page(person);
    assert.equal(text.match(/class="trend-point"/g)?.length, 2);
    assert.match(text, /300 mmol\/L<\/td><td[^>]*>does not convert/);
    assert.match(text, /One value does not convert to ng\/mL/);
  });

  it('omits unconfirmed values, and says how many are unconfirmed', async () => {
    const person = someone('e');
    await person.report({
      collectedAt: '2026-01-01',
      markers: [confirmed('ferritin', '12', 'ng/mL'), confirmed('potassium', '4.1', 'mmol/L', { confirmed: false })],
    });
    const text = await page(person);
    assert.match(text, /1 value is not confirmed and left out here/);
    assert.doesNotMatch(text, /id="h-potassium"/);
    assert.match(text, /One day so far/);
  });

  it('marks starts and stops, and shows the change before and after with its caveats', async () => {
    const person = someone('f');
    for (const [day, value] of [
      ['2026-01-01', '18'],
      ['2026-06-01', '36'],
    ] as const)
      await person.report({ collectedAt: day, markers: [confirmed('vitamin-d', value, 'ng/mL')] });
    const { body } = await person.send('/blood-test/supplement-log', { name: 'vitamin D', started_at: '2026-02-01' });
    await person.send(`/blood-test/supplement-log/${body.log_id}/stop`, { stopped_at: '2026-06-01' });
    const text = await page(person);
    assert.match(text, /▶1/);
    assert.match(text, /■1/);
    assert.match(text, /1 Vitamin D: started 1 February 2026, stopped 1 June 2026/);
    assert.match(text, /It was 18 ng\/mL higher \(100 %\)\./);
    assert.match(text, /Too little to tell anything from/);
    assert.doesNotMatch(text, /optimal|caused by/i);
  });

  it('shows one requested marker, and returns 404 for an unknown marker', async () => {
    const person = someone('g');
    await person.report({
      collectedAt: '2026-01-01',
      markers: [confirmed('ferritin', '12', 'ng/mL'), confirmed('potassium', '4.1', 'mmol/L')],
    });
    const text = await page(person, '?marker=ferritin');
    assert.match(text, /id="h-ferritin"/);
    assert.doesNotMatch(text, /id="h-potassium"/);
    await person.get('/urine-test/trends?marker=no-such-marker').expect(404);
    assert.match(await page(person, '?marker=calcium'), /There is no confirmed value of Calcium yet/);
  });

  it('advises contacting a doctor for a critical last value, and shows no supplements with it', async () => {
    const person = someone('j');
    await person.report({ collectedAt: '2026-01-01', markers: [confirmed('potassium', '4.1', 'mmol/L')] });
    await person.report({ collectedAt: '2026-06-01', markers: [confirmed('potassium', '7.4', 'mmol/L')] });
    await person.send('/blood-test/supplement-log', { name: 'potassium', started_at: '2026-02-01' });
    const text = await page(person);
    assert.match(text, /Contact a doctor or an emergency service now.*Potassium.*7\.4 mmol\/L/s);
    assert.doesNotMatch(text, /Before and after|▶/);
    const { insights } = (await person.get('/api/blood-test/intervention-insights')).body;
    assert.match(insights[0].caveats[0], /contact a doctor or an emergency service now/);
  });

  it('shows nothing of another device', async () => {
    const person = someone('h');
    await person.report({ collectedAt: '2026-01-01', markers: [confirmed('ferritin', '12', 'ng/mL')] });
    assert.match(await page(someone('i')), /There is no confirmed value yet/);
  });
});
