import assert from 'node:assert/strict';
import { temporaryFolder, useService } from '../evidence/support.ts';
import { putContent } from './rule-content.ts';

describe('interaction list routes', () => {
  const content = temporaryFolder();
  before(() => putContent(content));
  const base = useService(() => ({ contentDir: content.path() }));
  const get = async (path: string, query: object = {}) => (await base.client.get(path, query).expect(200)).body;
  const slugs = (rows: readonly { slug: string }[]): string[] => rows.map(({ slug }) => slug);

  it('returns an array of every pair from /api/interactions', async () => {
    const { body, headers } = await base.client.get('/api/interactions').expect(200);
    assert.match(String(headers['content-type']), /^application\/json/);
    assert.deepEqual(slugs(body), [
      'ginkgo-atorvastatin',
      'ginkgo-heparin',
      'ginkgo-simvastatin',
      'ginkgo-warfarin',
      'grapefruit-amlodipine',
      'grapefruit-atorvastatin',
      'grapefruit-simvastatin',
    ]);
    assert.equal(headers['x-total-count'], '7');
    assert.deepEqual(body[0], {
      slug: 'ginkgo-atorvastatin',
      supplement_slug: 'ginkgo',
      supplement: 'Ginkgo',
      drug: 'atorvastatin',
      rxcui: '',
      drug_class: 'statins',
      severity: 'minor',
      effect: 'Expected from the class (statins): Invented effect of ginkgo-statins.',
      basis: 'class',
      evidence_tier: 'D',
      source_count: 1,
      url: '/interactions/ginkgo-atorvastatin',
    });
    assert.deepEqual(
      [body[3].severity, body[3].basis, body[3].rxcui, body[3].source_count],
      ['major', 'pair', '11289', 2],
    );
  });

  it('filters /api/interactions by any name of a supplement, by drug, class and severity, with pagination', async () => {
    assert.equal((await get('/api/interactions', { supplement: 'Maidenhair tree' })).length, 4);
    assert.equal((await get('/api/interactions', { supplement: '' })).length, 7);
    assert.deepEqual(slugs(await get('/api/interactions', { drug: 'Zocor' })), [
      'ginkgo-simvastatin',
      'grapefruit-simvastatin',
    ]);
    assert.equal((await get('/api/interactions', { drug: 'statins' })).length, 4);
    assert.deepEqual(slugs(await get('/api/interactions', { severity: 'contraindicated' })), [
      'grapefruit-simvastatin',
    ]);
    assert.deepEqual(slugs(await get('/api/interactions', { page_size: 3, page: 3 })), ['grapefruit-simvastatin']);
    assert.deepEqual(await get('/api/interactions', { page_size: 3, page: 4 }), []);
    assert.deepEqual(await get('/api/interactions', { supplement: 'nosuchthing' }), []);
    await base.client.get('/api/interactions', { severity: 'terrible' }).expect(422);
  });

  it('returns nutrient depletions by drug, class or nutrient, or all', async () => {
    assert.equal((await get('/api/depletions')).depletions.length, 2);
    const byBrand = await get('/api/depletions', { drug: 'glucophage' });
    assert.deepEqual(slugs(byBrand.depletions), ['metformin-vitamin-b12']);
    assert.equal(byBrand.resolved[0].slug, 'metformin');
    assert.deepEqual(slugs((await get('/api/depletions', { drug: 'simvastatin' })).depletions), ['statins-garlic']);
    assert.deepEqual(slugs((await get('/api/depletions', { supplement: 'cobalamin' })).depletions), [
      'metformin-vitamin-b12',
    ]);
    for (const drug of ['statins', 'strong statins'])
      assert.deepEqual(slugs((await get('/api/depletions', { drug })).depletions), ['statins-garlic'], drug);
    const unknown = await get('/api/depletions', { drug: 'nosuchthing' });
    assert.deepEqual([unknown.depletions, unknown.unresolved], [[], ['nosuchthing']]);
    assert.match(unknown.message, /does not mean/);
  });

  it('returns report counts with a caveat that they do not prove a cause', async () => {
    const body = await get('/api/signals', { supplement: 'maidenhair tree' });
    assert.equal(body.signals.length, 1);
    const [signal] = body.signals;
    assert.deepEqual(
      [signal.supplement, signal.reports, signal.serious, signal.years],
      [{ slug: 'ginkgo', name: 'Ginkgo' }, 120, 40, '2004-2025'],
    );
    assert.match(signal.caveat, /not proof of cause/);
    const none = await get('/api/signals', { supplement: 'zinc' });
    assert.deepEqual(none.signals, []);
    assert.match(none.message, /does not mean that it is safe/);
  });
});
