import assert from 'node:assert/strict';
import { syncContent } from '#core/content-sync.ts';
import { ContentError } from '#core/errors.ts';
import { changesAfter, lastChange, query, temporaryFolder, useService } from '../evidence/support.ts';
import { GINKGO, madeRule, putContent, ruleFile } from './rule-content.ts';

describe('content/interactions', () => {
  const content = temporaryFolder();
  before(() => putContent(content));
  const base = useService(() => ({ contentDir: content.path() }));
  const sync = () => syncContent(base.service.runtime, content.path());
  const putGinkgo = (...rules: object[]) => content.put('interactions/ginkgo.yaml', ruleFile('ginkgo', rules));
  const check = async (supplement: string, drug: string) =>
    (await base.client.get('/api/interactions/check', { supplement, drug }).expect(200)).body;
  const state = () =>
    query(base.service, 'select id, digest, changed_at::text as at from interaction_entry order by id');

  const refused = async (text: string, pattern: RegExp): Promise<void> => {
    const before = await state();
    await content.put('interactions/zinc.yaml', text);
    await assert.rejects(sync(), (error) => {
      assert.ok(error instanceof ContentError);
      assert.match(error.message, /^content\/interactions\/zinc\.yaml:\d+: /);
      assert.match(error.message, pattern);
      return true;
    });
    assert.deepEqual(await state(), before);
  };
  const refusedRule = (fields: Readonly<Record<string, unknown>>, pattern: RegExp, subject = 'zinc') =>
    refused(ruleFile(subject, [madeRule('zinc-x', { with: { drug: 'warfarin' }, ...fields })]), pattern);

  afterEach(async () => {
    await content.put('interactions/zinc.yaml', ruleFile('zinc', []));
    await putContent(content);
    await sync();
  });

  it('is rejected for an unknown subject, drug, class, supplement or food', async () => {
    await refusedRule({}, /field subject: no supplement or substance is called "nothing"/, 'nothing');
    await refusedRule({ with: { drug: 'nothing' } }, /field rules\.0\.with\.drug: no drug is called "nothing"/);
    await refusedRule({ with: { drug: 'Coumadin' } }, /no drug is called "Coumadin"/);
    await refusedRule({ with: { class: 'nothing' } }, /no drug class is called "nothing"/);
    await refusedRule({ with: { supplement: 'nothing' } }, /no supplement or substance is called "nothing"/);
    await refusedRule({ with: { food: 'nothing' } }, /no food is called "nothing"/);
  });

  it('is rejected for several or no targets, a duplicate slug, and an unknown value or field', async () => {
    await refusedRule(
      { with: { drug: 'warfarin', class: 'statins' } },
      /exactly one of class, drug, supplement, food; it has class, drug/,
    );
    await refusedRule({ with: {} }, /it has none/);
    await refusedRule(
      { slug: 'ginkgo-warfarin' },
      /field rules\.0\.slug: "ginkgo-warfarin" stands in content\/interactions\/ginkgo\.yaml already/,
    );
    await refusedRule({ severity: 'deadly' }, /field rules\.0\.severity .*contraindicated, major/);
    await refusedRule({ surprise: 1 }, /surprise/);
    await refusedRule({ exceptions: [{ drug: 'warfarin', note: 'x' }] }, /only a rule with a class has exceptions/);
  });

  it('is rejected without a source, and for a source that is invalid or not in the database', async () => {
    await refusedRule({ sources: [] }, /field rules\.0\.sources/);
    await refusedRule(
      { sources: [{ ref: 'pmid:98765432' }] },
      /sources\.0\.ref: the base holds no source "pmid:98765432"/,
    );
    await refusedRule({ sources: [{ pmid: '123' }] }, /a pmid needs the title/);
    await refusedRule({ sources: [{ authority: 'FDA' }] }, /an authority needs the address/);
    await refusedRule({ sources: [{ title: 'Only a title' }] }, /exactly one of ref, pmid, authority/);
  });

  it('validates depletions and signals by the same rules', async () => {
    const refusedIn = async (name: string, text: string, pattern: RegExp): Promise<void> => {
      await content.put(`interactions/${name}.yaml`, text);
      await assert.rejects(sync(), pattern);
    };
    const sources = [{ authority: 'NIH ODS', address: 'https://ods.od.nih.gov/x' }];
    const entry = {
      slug: 'x',
      nutrient: 'zinc',
      kind: 'depletion',
      likelihood: 'likely',
      effect: 'x',
      note: 'x',
      sources,
    };
    const depletions = (...list: object[]): string => JSON.stringify(list.map((fields) => ({ ...entry, ...fields })));
    await refusedIn(
      'depletions',
      depletions({}),
      /depletions\.yaml:1: field 0: needs exactly one of drug, class; it has none/,
    );
    await refusedIn('depletions', depletions({ drug: 'nothing' }), /no drug is called "nothing"/);
    await refusedIn(
      'depletions',
      depletions({ drug: 'warfarin', nutrient: 'nothing' }),
      /no supplement or substance is called/,
    );
    await refusedIn('depletions', depletions({ drug: 'warfarin' }, { class: 'statins' }), /"x" is listed twice/);
    await putContent(content);
    const signal = { supplement: 'ginkgo', reports: 1, serious: 1, years: '2004-2025', outcomes: {} };
    const signals = (...list: object[]): string =>
      JSON.stringify({ as_of: '2026-01-01', source: { name: 'FDA', address: 'https://x.test/' }, signals: list });
    await refusedIn(
      'signals',
      signals(signal, signal),
      /signals\.yaml:1: field signals\.1\.supplement: "ginkgo" is listed twice/,
    );
    await refusedIn(
      'signals',
      signals({ ...signal, supplement: 'nothing' }),
      /no supplement or substance is called "nothing"/,
    );
    await refusedIn('signals', signals({ ...signal, reports: -1 }), /reports/);
  });

  it('records new rules and severity changes in the change log, with previous and new values', async () => {
    const from = await lastChange(base.service);
    const [first, ...rest] = GINKGO;
    await putGinkgo(
      { ...first, severity: 'major' },
      ...rest,
      madeRule('ginkgo-metformin', { with: { drug: 'metformin' } }),
    );
    await sync();
    const told = (await changesAfter(base.service, from)).filter(({ kind }) => kind.startsWith('interaction.'));
    assert.deepEqual(
      told.map(({ kind, subject_id: id, data }) => [kind, id, data]),
      [
        [
          'interaction.severity_changed',
          'ginkgo-anticoagulants',
          { supplement: 'ginkgo', old: { severity: 'moderate' }, new: { severity: 'major' } },
        ],
        ['interaction.created', 'ginkgo-metformin', { supplement: 'ginkgo', new: { severity: 'moderate' } }],
      ],
    );
  });

  it('changes responses at once and does not update unchanged entries', async () => {
    assert.equal((await check('ginkgo', 'metformin')).found, false);
    const before = new Map((await state()).map(({ id, at }) => [id, at]));
    await putGinkgo(...GINKGO, madeRule('ginkgo-metformin', { with: { drug: 'metformin' } }));
    await sync();
    assert.equal((await check('ginkgo', 'metformin')).found, true);
    for (const { id, at } of await state())
      if (id !== 'ginkgo-metformin' && before.has(id)) assert.equal(at, before.get(id));
    await putGinkgo();
    await sync();
    const { found, coverage } = await check('ginkgo', 'warfarin');
    assert.deepEqual([found, coverage], [false, 'none']);
  });

  it('returns the more severe of two rules', async () => {
    const [anyClass, own, ...rest] = GINKGO;
    await putGinkgo({ ...anyClass, severity: 'contraindicated' }, { ...own, severity: 'minor' }, ...rest);
    await sync();
    const body = await check('ginkgo', 'warfarin');
    assert.deepEqual([body.severity, body.basis, body.slug], ['contraindicated', 'class', 'ginkgo-anticoagulants']);
    assert.match(body.effect, /^Expected from the class \(anticoagulants\): /);
    assert.deepEqual(
      body.also.map(({ slug, severity }: Record<string, string>) => [slug, severity]),
      [['ginkgo-warfarin', 'minor']],
    );
  });
});
