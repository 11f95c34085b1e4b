/** Tests that class rules apply where their mechanism can hold, and that each pair states its grounds. */
import assert from 'node:assert/strict';
import { syncContent } from '#core/content-sync.ts';
import { type InteractionServices, interactionsPlugin } from '#plugins/interactions/index.ts';
import { api, bearer } from '../../support/client.ts';
import { type SharedService, sharedService } from '../../support/shared.ts';
import { temporaryFolder, useService } from '../evidence/support.ts';
import { madeRule, putContent, ruleFile } from './rule-content.ts';

const SET_ID = '11111111-2222-3333-4444-555555555555';
const HEAD = 'medicine\tproperty\tvalue\tstrength\tbasis\tset_id\tsection\tsentence';
const MECHANISMS = 'supplement\tconstituent\taction\ttarget\tstrength\tshown_in\tdose\tbasis\taddress\tsentence';
const read = (medicine: string, property: string, value: string): string =>
  `${medicine}\t${property}\t${value}\t\tlabel\t${SET_ID}\tdrug_interactions\tInvented sentence on ${medicine}.`;
const table = (...rows: readonly string[]): string => [HEAD, ...rows].join('\n');
const mechanisms = (...rows: readonly string[]): string => [MECHANISMS, ...rows].join('\n');
const ACTS = 'zinc\tzinc\tinhibits\tCYP3A4\tstrong\tpeople\t\tpractice\t\t';

const kinetic = (fields: Readonly<Record<string, unknown>> = {}) =>
  madeRule('zinc-statins', {
    with: { class: 'statins' },
    severity: 'major',
    likelihood: 'likely',
    mechanism: { type: 'pharmacokinetic', through: ['CYP3A4'] },
    ...fields,
  });

describe('grounds of a pair', () => {
  const content = temporaryFolder();
  const known = table(
    read('simvastatin', 'eliminated_by', 'CYP3A4'),
    read('atorvastatin', 'eliminated_by', 'renal'),
    read('pravastatin', 'eliminated_by', 'renal'),
    'pravastatin\telimination\tcomplete\t\tpractice\t\t\t',
  );
  const put = async (rules: readonly object[], properties = known, acts = mechanisms(ACTS)) => {
    await content.put('interactions/zinc.yaml', ruleFile('zinc', rules));
    await content.put('drugs/properties.tsv', properties);
    await content.put('interactions/mechanisms.tsv', acts);
  };
  before(async () => {
    await putContent(content);
    await put([kinetic()]);
  });
  const base = useService(() => ({ contentDir: content.path() }));
  const check = async (drug: string) =>
    (await base.client.get('/api/interactions/check', { supplement: 'zinc', drug }).expect(200)).body;
  const changed = async (...given: Parameters<typeof put>) => {
    await put(...given);
    await syncContent(base.service.runtime, content.path());
  };
  const refused = async (file: string, text: string, pattern: RegExp): Promise<void> => {
    await content.put(file, text);
    await assert.rejects(syncContent(base.service.runtime, content.path()), pattern);
    await put([kinetic()]);
    await syncContent(base.service.runtime, content.path());
  };

  it('have the basis mechanism when both halves are known, with the source sentence', async () => {
    const { grounds, likelihood, mechanism } = await check('simvastatin');
    assert.equal(grounds.basis, 'mechanism');
    assert.equal(likelihood, 'probable', 'the rule says likely, which needs a study or a label of the pair');
    assert.deepEqual(mechanism.through, ['CYP3A4']);
    assert.match(grounds.statement, /^Known mechanism: simvastatin is removed by CYP3A4, and zinc acts/);
    const [property] = grounds.properties;
    assert.deepEqual([property.value, property.sentence], ['CYP3A4', 'Invented sentence on simvastatin.']);
    assert.match(property.url, new RegExp(`setid=${SET_ID}$`));
    assert.deepEqual(
      grounds.mechanisms.map(({ target, shown_in: shown }: Record<string, unknown>) => [target, shown]),
      [['CYP3A4', 'people']],
    );
  });

  it('have the basis theory when another elimination route is known and the list is incomplete', async () => {
    const { found, grounds, likelihood, severity } = await check('atorvastatin');
    assert.deepEqual([found, grounds.basis, likelihood, severity], [true, 'theory', 'possible', 'major']);
    assert.match(grounds.statement, /Nobody has read yet whether atorvastatin is removed by CYP3A4/);
  });

  it('exclude a pair when the list of elimination routes is complete without the enzyme', async () => {
    assert.equal((await check('pravastatin')).found, false);
  });

  it('have the basis theory when an action was shown only in the laboratory or the rule names no route', async () => {
    await changed([kinetic()], known, mechanisms(ACTS.replace('people', 'laboratory')));
    assert.equal((await check('simvastatin')).grounds.basis, 'theory');
    await changed([kinetic({ mechanism: { type: 'pharmacokinetic' } })]);
    const { found, grounds } = await check('pravastatin');
    assert.deepEqual([found, grounds.basis], [true, 'theory']);
    await changed([kinetic()]);
  });

  it('have the basis studied when the class rule names a study with this medicine', async () => {
    const sources = [{ pmid: '99500009', title: 'Zinc with simvastatin' }];
    await changed([kinetic({ studied: [{ drug: 'simvastatin', sources }] })]);
    const { grounds, likelihood } = await check('simvastatin');
    assert.deepEqual([grounds.basis, likelihood, grounds.studies[0].pmid], ['studied', 'likely', '99500009']);
    const statins = await check('statins');
    assert.deepEqual([statins.grounds.basis, statins.likelihood], ['studied', 'likely']);
    assert.match(statins.grounds.statement, /for 1 of the 2 medicines of this class/);
    await changed([kinetic()]);
  });

  it('exclude a medicine never given by mouth from an absorption rule but include one with unknown routes', async () => {
    const absorbed = kinetic({ mechanism: { type: 'absorption', through: ['by mouth'] } });
    const routes = table('simvastatin\tby_mouth\tno\t\tpractice\t\t\t', read('atorvastatin', 'route', 'oral'));
    await changed([absorbed], routes);
    const bases = await Promise.all(['simvastatin', 'atorvastatin', 'pravastatin'].map(check));
    assert.deepEqual(
      bases.map(({ grounds }) => grounds?.basis ?? 'no pair'),
      ['no pair', 'theory', 'theory'],
    );
    await changed([kinetic()]);
  });

  it('are shown in one line on the page of the pair', async () => {
    const { text } = await base.client.get('/interactions/zinc-simvastatin').expect(200);
    assert.match(text, /Probable: documented, with gaps\. Known mechanism: simvastatin is removed by CYP3A4, and zinc/);
  });

  it('are rejected with the line for unknown names and values', async () => {
    const file = 'drugs/properties.tsv';
    await refused(file, table(read('nomedicine', 'route', 'oral')), /properties\.tsv:2.*no drug is called/s);
    await refused(file, table(read('simvastatin', 'colour', 'red')), /properties\.tsv:2.*"colour" is none of/s);
    await refused(file, table(read('simvastatin', 'eliminated_by', 'CYP9Z9')), /no value of eliminated_by/);
    await refused(file, table(known.split('\n')[1]!, known.split('\n')[1]!), /properties\.tsv:3.*twice/s);
    await refused(file, table('simvastatin\troute\toral\t\tlabel\t\t\t'), /needs set id, section and sentence/);
    const acts = 'interactions/mechanisms.tsv';
    await refused(acts, mechanisms(ACTS.replace('zinc', 'nothing')), /no supplement or substance is called/);
    await refused(acts, mechanisms(ACTS.replace('CYP3A4', 'CYP9')), /field target/);
    await refused(acts, mechanisms(ACTS.replace('practice', 'NIH')), /no https/);
    const unknown = kinetic({ studied: [{ drug: 'simvastatin', sources: [{ practice: true }] }] });
    await refused('interactions/zinc.yaml', ruleFile('zinc', [unknown]), /needs the study as ref or pmid/);
  });
});

describe('grounds in the starter content', () => {
  let service: SharedService;
  before(async function () {
    this.timeout(300_000);
    service = await sharedService();
  });

  const readBook = async () => (service.runtime.servicesOf(interactionsPlugin) as InteractionServices).book();

  it('allow likely only with a study or label, and at most possible for theory', async () => {
    const book = await readBook();
    const applied = book.pairs.flatMap((pair) => pair.applied);
    const wrong = applied.filter(
      ({ grounds: { basis, likelihood } }) =>
        (likelihood === 'likely' && basis !== 'studied' && basis !== 'label') ||
        (basis === 'theory' && likelihood !== 'possible' && likelihood !== 'unlikely'),
    );
    assert.deepEqual(
      wrong.map(({ rule }) => rule.slug),
      [],
    );
    const of = (basis: string): number => applied.filter(({ grounds }) => grounds.basis === basis).length;
    assert.ok(of('label') > 400 && of('studied') > 15 && of('mechanism') > 3_000, 'each kind is there');
  });

  it('name the route of every pharmacokinetic class rule', async () => {
    const book = await readBook();
    const bare = book.rules.filter(
      ({ entry, target }) =>
        target.kind === 'class' && entry.mechanism?.type === 'pharmacokinetic' && !entry.mechanism.through,
    );
    assert.deepEqual(
      bare.map(({ slug }) => slug),
      [],
    );
  });

  it('link a warning based on a mechanism to the sentence of a label', async () => {
    const { body } = await api(service)
      .get('/api/interactions/check')
      .query({ supplement: 'goldenseal', drug: 'apixaban' })
      .set(...bearer(service.admin.key))
      .expect(200);
    assert.equal(body.grounds.basis, 'mechanism');
    assert.equal(body.grounds.properties[0].sentence, 'Apixaban is a substrate of both CYP3A4 and P-gp.');
    assert.match(body.grounds.properties[0].url, /^https:\/\/dailymed\.nlm\.nih\.gov\/dailymed\/drugInfo\.cfm\?setid=/);
  });
});
