import { strict as assert } from 'node:assert';
import type { TestService } from '../../support/service.ts';
import { sharedService } from '../../support/shared.ts';
import { confirmed, Visitor } from './supplements-support.ts';

describe('GET /api/blood-test/intervention-insights', () => {
  let service: TestService;
  before(async function () {
    this.timeout(300_000);
    service = await sharedService();
  });
  const someone = (name: string) => new Visitor(service, name);
  const insightsOf = async (person: Visitor) =>
    (await person.get('/api/blood-test/intervention-insights').expect(200).expect('Cache-Control', 'no-store')).body
      .insights;
  const drawn = (person: Visitor, day: string | null, value: string, more: object = {}) =>
    person.report({
      collectedAt: day,
      labName: 'North',
      isFasting: true,
      markers: [confirmed('vitamin-d', value, 'ng/mL')],
      ...more,
    });
  const takes = async (person: Visitor, body: object = {}) =>
    (
      await person
        .send('/blood-test/supplement-log', { name: 'vitamin D', started_at: '2026-03-01', ...body })
        .expect(200)
    ).body;

  it('compares the last value on or before the start with the value drawn during intake', async () => {
    const person = someone('a');
    await drawn(person, '2025-11-01', '20');
    await drawn(person, '2026-03-01', '18');
    await drawn(person, '2026-06-01', '36');
    const entry = await takes(person);
    const [insight, ...others] = await insightsOf(person);
    assert.equal(others.length, 0);
    assert.deepEqual(
      [
        insight.log_id,
        insight.supplement_slug,
        insight.biomarker_slug,
        insight.days_on,
        insight.change_abs,
        insight.change_pct,
        insight.direction,
      ],
      [entry.log_id, 'vitamin-d', 'vitamin-d', 92, 18, 100, 'up'],
    );
    assert.deepEqual(
      [insight.before.value, insight.before.unit, insight.before.collected_at],
      [18, 'ng/mL', '2026-03-01'],
    );
    assert.deepEqual([insight.after.value, insight.after.collected_at], [36, '2026-06-01']);
    assert.deepEqual([insight.values_before, insight.values_after, insight.strength], [2, 1, 'weak']);
    assert.doesNotMatch(insight.caveats.join(' '), /caused by/);
    assert.match(insight.caveats.join(' '), /cannot show why a value changed/);
  });

  it('never credits a supplement started on or after the day of the draw', async () => {
    const person = someone('b');
    await drawn(person, '2026-01-01', '18');
    await drawn(person, '2026-03-01', '36');
    await takes(person);
    assert.deepEqual(await insightsOf(person), []);
  });

  it('ignores values without a collection date, and values drawn after the stop', async () => {
    const person = someone('c');
    await drawn(person, '2026-01-01', '18');
    await drawn(person, null, '36', { reportedAt: '2026-06-01' });
    await drawn(person, '2026-08-01', '37');
    const { log_id } = await takes(person);
    await person.send(`/blood-test/supplement-log/${log_id}/stop`, { stopped_at: '2026-07-01' });
    assert.deepEqual(await insightsOf(person), []);
  });

  it('leaves out unconfirmed values', async () => {
    const person = someone('d');
    await drawn(person, '2026-01-01', '18');
    await drawn(person, '2026-06-01', '36', { markers: [confirmed('vitamin-d', '36', 'ng/mL', { confirmed: false })] });
    await takes(person);
    assert.deepEqual(await insightsOf(person), []);
  });

  it('compares in one unit, and converts exactly', async () => {
    const person = someone('e');
    await person.report({ collectedAt: '2026-01-01', markers: [confirmed('ferritin', '20', 'ng/mL')] });
    await person.report({ collectedAt: '2026-06-01', markers: [confirmed('ferritin', '50', 'ug/L')] });
    await takes(person, { name: 'iron' });
    const [insight] = await insightsOf(person);
    assert.deepEqual(
      [insight.before.unit, insight.after.unit, insight.change_abs, insight.strength],
      ['ng/mL', 'ng/mL', 30, 'insufficient'],
    );
    assert.match(insight.caveats.join(' '), /one value before and one after/);
  });

  it('returns "insufficient" when something else was started in the same period, and names it', async () => {
    const person = someone('f');
    for (const [day, value] of [
      ['2025-10-01', '18'],
      ['2026-01-01', '19'],
      ['2026-06-01', '36'],
      ['2026-09-01', '38'],
    ] as const)
      await drawn(person, day, value);
    await takes(person);
    await takes(person, { kind: 'medicine', name: 'metformin', started_at: '2026-04-01' });
    const [insight] = await insightsOf(person);
    assert.equal(insight.strength, 'insufficient');
    assert.match(insight.caveats.join(' '), /metformin was started/i);
  });

  it('returns "consistent" for two values before and two after that differ by more than their spread', async () => {
    const person = someone('g');
    for (const [day, value] of [
      ['2025-10-01', '18'],
      ['2026-01-01', '20'],
      ['2026-06-01', '36'],
      ['2026-09-01', '38'],
    ] as const)
      await drawn(person, day, value);
    await takes(person);
    const [insight] = await insightsOf(person);
    assert.equal(insight.strength, 'consistent');
    assert.equal(insight.expected_direction, 'up');
    assert.ok(insight.evidence.length > 0);
  });

  it('returns "weak" when the values overlap or come from two laboratories', async () => {
    const [varied, moved] = [someone('h'), someone('i')];
    for (const [day, value] of [
      ['2025-10-01', '18'],
      ['2026-01-01', '34'],
      ['2026-06-01', '30'],
      ['2026-09-01', '38'],
    ] as const)
      await drawn(varied, day, value);
    for (const [day, value] of [
      ['2025-10-01', '18'],
      ['2026-01-01', '20'],
      ['2026-06-01', '36'],
      ['2026-09-01', '38'],
    ] as const)
      await drawn(moved, day, value, { labName: day < '2026-03' ? 'North' : 'South' });
    for (const person of [varied, moved]) await takes(person);
    assert.equal((await insightsOf(varied))[0].strength, 'weak');
    const [insight] = await insightsOf(moved);
    assert.equal(insight.strength, 'weak');
    assert.match(insight.caveats.join(' '), /different laboratories/);
  });

  it('returns "insufficient" within 28 days, and no size of change for "less than"', async () => {
    const person = someone('j');
    await drawn(person, '2025-10-01', '20');
    await drawn(person, '2026-01-01', '20');
    await drawn(person, '2026-03-11', '<10');
    await takes(person);
    const [insight] = await insightsOf(person);
    assert.deepEqual(
      [insight.strength, insight.days_on, insight.change_abs, insight.change_pct, insight.direction],
      ['insufficient', 10, null, null, 'down'],
    );
    assert.match(insight.caveats.join(' '), /10 days after the start/);
  });

  it('includes the person’s target biomarkers when our sources have nothing on the pair', async () => {
    const person = someone('k');
    await person.report({ collectedAt: '2026-01-01', markers: [confirmed('tsh', '2', 'm[IU]/L')] });
    await person.report({ collectedAt: '2026-06-01', markers: [confirmed('tsh', '3', 'm[IU]/L')] });
    await takes(person, { name: 'Zzyqx powder', target_biomarkers: ['TSH'] });
    const [insight] = await insightsOf(person);
    assert.deepEqual(
      [insight.biomarker_slug, insight.expected_direction, insight.evidence, insight.supplement_slug],
      ['tsh', null, [], ''],
    );
  });

  it('returns an expected direction only for agreeing results on that same biomarker', async () => {
    const person = someone('n');
    await person.report({
      collectedAt: '2026-01-01',
      markers: [confirmed('ldl-cholesterol', '140', 'mg/dL'), confirmed('glucose', '99', 'mg/dL')],
    });
    await person.report({
      collectedAt: '2026-06-01',
      markers: [confirmed('ldl-cholesterol', '3.4', 'mmol/L'), confirmed('glucose', '95', 'mg/dL')],
    });
    await takes(person, { name: 'garlic' });
    const found = await insightsOf(person);
    const expected = found.map((one: Record<string, unknown>) => [one.biomarker_slug, one.expected_direction]);
    assert.deepEqual(expected.sort(), [
      ['glucose', null],
      ['ldl-cholesterol', 'down'],
    ]);
    const [stated] = found.filter((one: Record<string, unknown>) => one.expected_direction);
    assert.ok(stated.evidence.length > 0);
  });

  it('counts a report that was uploaded twice as one draw', async () => {
    const person = someone('o');
    for (const [day, value] of [
      ['2026-01-01', '20'],
      ['2026-01-01', '20'],
      ['2026-06-01', '36'],
      ['2026-06-01', '36'],
    ] as const)
      await drawn(person, day, value);
    await takes(person);
    const [insight] = await insightsOf(person);
    assert.deepEqual([insight.values_before, insight.values_after, insight.strength], [1, 1, 'insufficient']);
  });

  it('returns nothing of another device', async () => {
    const person = someone('l');
    await drawn(person, '2026-01-01', '18');
    await drawn(person, '2026-06-01', '36');
    await takes(person);
    assert.deepEqual(await insightsOf(someone('m')), []);
  });
});
