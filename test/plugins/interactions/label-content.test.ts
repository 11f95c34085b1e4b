import assert from 'node:assert/strict';
import { syncContent } from '#core/content-sync.ts';
import { ruleOfLabel } from '#plugins/interactions/rules/label-rules.ts';
import { LABEL_COLUMNS } from '#plugins/interactions/rules/label-table.ts';
import { temporaryFolder, useService } from '../evidence/support.ts';
import { putContent } from './rule-content.ts';

const SET_ID = '11111111-2222-3333-4444-555555555555';
type Row = Readonly<Partial<Record<(typeof LABEL_COLUMNS)[number], string>>>;
const ROW: Row = {
  supplement: 'zinc',
  medicine: 'simvastatin',
  affected: 'medicine_lower',
  mechanism: 'chelation',
  severity: 'moderate',
  hours_before: '2',
  hours_after: '6',
  set_id: SET_ID,
  date: '2026-07',
  section: 'drug_interactions',
  names: 'supplement',
  quote: 'Take simvastatin 2 hours before or 6 hours after zinc.',
  note: 'Tablets only.',
};
const table = (...rows: readonly Row[]): string =>
  [LABEL_COLUMNS, ...rows.map((row) => LABEL_COLUMNS.map((column) => ({ ...ROW, ...row })[column]))]
    .map((cells) => cells.join('\t'))
    .join('\n');

describe('content/interactions/labels.tsv', () => {
  const content = temporaryFolder();
  before(async () => {
    await putContent(content);
    await content.put('interactions/labels.tsv', table({}, { supplement: 'ginkgo', medicine: 'warfarin' }));
  });
  const base = useService(() => ({ contentDir: content.path() }));
  const check = async (supplement: string, drug: string) =>
    (await base.client.get('/api/interactions/check', { supplement, drug }).expect(200)).body;
  const refused = async (text: string, pattern: RegExp): Promise<void> => {
    await content.put('interactions/labels.tsv', text);
    await assert.rejects(syncContent(base.service.runtime, content.path()), pattern);
    await content.put('interactions/labels.tsv', table({}, { supplement: 'ginkgo', medicine: 'warfarin' }));
    await syncContent(base.service.runtime, content.path());
  };

  it('adds a pair with the quote, the label address and the hours between doses', async () => {
    const { found, severity, action, effect, recommendation, sources } = await check('zinc', 'simvastatin');
    assert.deepEqual([found, severity, action], [true, 'moderate', 'separate']);
    assert.match(recommendation, /^Take simvastatin at least 2 hours before or 6 hours after zinc\.$/);
    assert.match(effect, / Tablets only\.$/);
    const [source] = sources;
    assert.equal(source.quote, ROW.quote);
    assert.deepEqual([source.section, source.date], ['drug_interactions', '2026-07']);
    assert.equal(source.url, `https://dailymed.nlm.nih.gov/dailymed/drugInfo.cfm?setid=${SET_ID}`);
  });

  it('adds the quote to the page of the pair with a DailyMed link, section and date', async () => {
    const { text } = await base.client.get('/interactions/zinc-simvastatin').expect(200);
    assert.match(
      text,
      new RegExp(
        `<a href="https://dailymed.nlm.nih.gov/dailymed/drugInfo.cfm\\?setid=${SET_ID}" rel="external">FDA label of simvastatin</a>.*Drug interactions, label as of July 2026.*<blockquote class="quote">Take simvastatin 2 hours`,
        's',
      ),
    );
  });

  it('applies beside other rules of the pair, and the most severe rule comes first', async () => {
    const { severity, also } = await check('ginkgo', 'warfarin');
    assert.equal(severity, 'major');
    assert.ok(also.some((rule: { slug: string }) => rule.slug === 'label-ginkgo-warfarin'));
  });

  it('is rejected with line and column for unknown names or values, duplicates and invalid numbers', async () => {
    const cases: readonly (readonly [Row, RegExp])[] = [
      [{ supplement: 'nothing' }, /labels\.tsv:2: field supplement: no supplement or substance is called "nothing"/],
      [{ medicine: 'nothing' }, /labels\.tsv:2: no drug is called "nothing"/],
      [{ severity: 'deadly' }, /field severity: "deadly" is none of contraindicated/],
      [{ affected: 'liver' }, /field affected: /],
      [{ mechanism: 'magic' }, /field mechanism: /],
      [{ hours_after: '100' }, /field hours_after: "100" is no number of hours/],
      [{ set_id: 'x' }, /field set_id: /],
      [{ date: 'July' }, /field date: /],
      [{ section: 'Section 7' }, /field section: "Section 7" is no section/],
      [{ quote: '' }, /field quote: /],
    ];
    for (const [row, pattern] of cases) await refused(table(row), pattern);
    await refused(table({}, {}), /labels\.tsv:3: label-zinc-simvastatin is listed twice/);
    await refused('supplement\tmedicine\nzinc\twarfarin', /labels\.tsv:1: the columns are/);
    await refused(`${LABEL_COLUMNS.join('\t')}\nzinc\twarfarin`, /labels\.tsv:2: 13 columns are needed; there are 2/);
  });
});

describe('ruleOfLabel()', () => {
  const rule = (fields: object) =>
    ruleOfLabel('x', {
      supplement: { slug: 'st-johns-wort', name: "St John's wort" },
      medicine: 'imatinib',
      affected: 'medicine_lower',
      mechanism: 'cyp3a4_induction',
      severity: 'major',
      names: 'supplement',
      hoursBefore: null,
      hoursAfter: null,
      setId: SET_ID,
      date: '2026-07',
      section: 'drug_interactions',
      quote: 'Avoid.',
      note: '',
      ...fields,
    });

  it('describes the effect in plain words and sets the likelihood to likely', () => {
    const { effect, recommendation, action, likelihood, mechanism } = rule({});
    assert.equal(
      effect,
      "St John's wort speeds up the breakdown of imatinib: its level falls, and it may stop working. The cancer may then grow.",
    );
    assert.match(
      recommendation,
      /^Leave St John's wort out while you take imatinib\. Do not stop imatinib on your own/,
    );
    assert.deepEqual([action, likelihood, mechanism?.type], ['avoid', 'likely', 'pharmacokinetic']);
  });

  it('sets the likelihood to probable, with a reason, when the label names only a group', () => {
    const { likelihood, mechanism } = rule({ names: 'class' });
    assert.equal(likelihood, 'probable');
    assert.equal(
      mechanism?.detail,
      "The label speaks of a group of medicines or substances. St John's wort acts in the same way.",
    );
  });

  it('sets the action to separate when the label gives hours, unless the pair is contraindicated', () => {
    const apart = rule({ mechanism: 'chelation', severity: 'moderate', hoursBefore: 2, hoursAfter: 6 });
    assert.deepEqual(
      [apart.action, apart.timing?.separate_hours, apart.mechanism?.type],
      ['separate', 6, 'absorption'],
    );
    assert.equal(rule({ hoursBefore: 2, severity: 'contraindicated' }).action, 'avoid');
    assert.match(rule({ hoursBefore: 1, severity: 'minor' }).recommendation, /at least 1 hour before/);
    assert.match(
      rule({ hoursBefore: 4, hoursAfter: 4, severity: 'minor' }).recommendation,
      /at least 4 hours before or after/,
    );
  });

  it('describes every effect and mechanism in distinct words', () => {
    const said = (
      ['medicine_higher', 'supplement_lower', 'supplement_higher', 'additive_harm', 'opposes_medicine'] as const
    ).map((affected) => rule({ affected, mechanism: 'other', severity: 'moderate' }).effect);
    assert.equal(new Set(said).size, said.length);
    assert.match(rule({ affected: 'additive_harm', mechanism: 'serotonergic' }).effect, /serotonin syndrome/);
  });

  it('describes reduced absorption of a supplement without claiming a deficiency', () => {
    const words = (mechanism: string): string => rule({ affected: 'supplement_lower', mechanism }).effect;
    assert.equal(words('adsorption'), "Imatinib holds St John's wort back in the gut, so that less of it is taken up.");
    assert.equal(words('ph'), "Imatinib makes the stomach less acid, so that less St John's wort is taken up.");
    assert.equal(
      words('not_stated'),
      "Imatinib can lessen how much St John's wort is taken up from what is swallowed.",
    );
    assert.equal(words('antagonism'), "Imatinib can undo what St John's wort is taken for.");
    assert.equal(words('other'), "Imatinib can lower the level of St John's wort in the body.");
  });

  it('writes the supplement name as within a sentence', () => {
    const advice = (name: string): string =>
      rule({ supplement: { slug: 'x', name }, severity: 'minor' }).recommendation.replace(
        /^Mention (.+) to the .*$/,
        '$1',
      );
    const names = [
      'Calcium',
      'Vitamin A',
      'Alpha-lipoic acid',
      'Cannabidiol (CBD)',
      'Coenzyme Q10',
      "St John's wort",
      'S-Adenosylmethionine',
    ];
    assert.deepEqual(names.map(advice), [
      'calcium',
      'vitamin A',
      'alpha-lipoic acid',
      'cannabidiol (CBD)',
      'coenzyme Q10',
      "St John's wort",
      'S-Adenosylmethionine',
    ]);
  });
});
