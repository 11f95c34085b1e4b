/** Tests forms of a supplement with different interactions, and foods and products that contain a supplement. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { api, bearer } from '../../support/client.ts';
import { type SharedService, sharedService } from '../../support/shared.ts';

interface FormEntry {
  readonly slug: string;
  readonly supplement: string;
  readonly names: readonly string[];
}
const FORMS: readonly FormEntry[] = parse(
  readFileSync(new URL('../../../content/interactions/forms.yaml', import.meta.url), 'utf8'),
);

describe('supplement forms', () => {
  let service: SharedService;
  before(async function () {
    this.timeout(300_000);
    service = await sharedService();
  });
  const check = async (supplement: string, drug: string) =>
    (
      await api(service)
        .get('/api/interactions/check')
        .query({ supplement, drug })
        .set(...bearer(service.admin.key))
        .expect(200)
    ).body;
  const stack = async (supplements: readonly string[], drugs: readonly string[], conditions: readonly string[] = []) =>
    (
      await api(service)
        .post('/api/interactions/check')
        .send({ supplements, drugs, conditions })
        .set(...bearer(service.admin.key))
        .expect(200)
    ).body;

  it('are resolved from all their names', async function () {
    this.timeout(60_000);
    const wrong: string[] = [];
    for (const { slug, supplement, names } of FORMS)
      for (const name of names) {
        const { resolved } = await stack([name], ['warfarin']);
        const [found] = resolved;
        if (found?.slug !== supplement || found.form?.slug !== slug) wrong.push(`${name}: ${found?.slug}`);
      }
    assert.deepEqual(wrong, []);
  });

  it('separate the interactions of nicotinic acid from those of nicotinamide', async () => {
    for (const statin of ['atorvastatin', 'Zocor', 'rosuvastatin']) {
      assert.equal((await check('nicotinic acid', statin)).found, true, statin);
      for (const name of ['nicotinamide', 'niacinamide', 'Niacin (as niacinamide)', 'niacinamide tablets']) {
        const answer = await check(name, statin);
        assert.equal(answer.found, false, `${name} with ${statin}`);
        assert.equal(answer.resolved.supplement.form.slug, 'nicotinamide');
        assert.ok(answer.other_forms.some(({ severity }: { severity: string }) => severity === 'moderate'));
        assert.match(answer.other_forms[0].note, /nicotinic acid/);
        assert.match(answer.message, /does not mean the combination is safe/);
      }
    }
    assert.equal((await check('nicotinamide', 'carbamazepine')).found, true);
    assert.equal((await check('nicotinic acid', 'carbamazepine')).found, false);
  });

  it('have the rules of all forms when the form is not named', async () => {
    for (const medicine of ['atorvastatin', 'carbamazepine', 'glipizide'])
      assert.equal((await check('niacin', medicine)).found, true, medicine);
    assert.equal((await check('licorice', 'digoxin')).found, true);
    assert.equal((await check('niacin', 'atorvastatin')).other_forms, undefined);
  });

  it('return the same result when the names are swapped', async () => {
    const swapped = await check('atorvastatin', 'niacinamide');
    assert.equal(swapped.found, false);
    assert.equal(swapped.resolved.supplement.form.slug, 'nicotinamide');
    assert.equal((await check('digoxin', 'DGL')).found, false);
  });

  it('apply interactions of other ingredients in a product', async () => {
    assert.equal((await check('cod liver oil', 'isotretinoin')).severity, 'major');
    assert.equal((await check('fish oil', 'isotretinoin')).found, false);
    assert.equal((await check('coffee', 'clozapine')).found, true);
    assert.equal((await check('decaf coffee', 'clozapine')).found, false);
    assert.equal((await check('decaf coffee', 'levothyroxine')).found, true);
  });

  it('carry the interactions of the caffeine in guarana, mate and green tea', async () => {
    for (const name of ['guarana', 'Paullinia cupana', 'mate tea', 'kola nut', 'matcha', 'green tea'])
      assert.equal((await check(name, 'regadenoson')).found, true, name);
    assert.equal((await check('decaffeinated green tea', 'regadenoson')).found, false);
  });

  it('are found when two names of the same thing follow each other', async () => {
    for (const [name, slug] of [
      ['ashwagandha KSM-66', 'ashwagandha'],
      ['vitamin K2 MK-7', 'vitamin-k'],
      ['vitamin B12 (methylcobalamin)', 'vitamin-b12'],
      ['niacin, niacinamide', 'niacin'],
    ] as const)
      assert.equal((await stack([name], ['warfarin'])).resolved[0]?.slug, slug, name);
    assert.equal((await check('niacin, niacinamide', 'atorvastatin')).found, false);
    for (const name of ['iron zinc', 'ashwagandha with something', 'zinc zinc zinc zinc zinc zinc zinc zinc zinc'])
      assert.equal((await stack([name], ['warfarin'])).unresolved[0]?.input, name, name);
  });

  it('limit the rules of a food to those for which its amount matters', async () => {
    assert.equal((await check('milk', 'tetracycline')).found, true);
    assert.equal((await check('milk', 'hydrochlorothiazide')).found, false);
    assert.equal((await check('calcium', 'hydrochlorothiazide')).found, true);
    assert.equal((await check('kale', 'warfarin')).found, true);
    assert.equal((await check('kale', 'apixaban')).found, false);
  });

  it('apply to drug classes and combinations as to single medicines', async () => {
    assert.equal((await check('niacinamide', 'statins')).found, false);
    assert.equal((await check('niacin', 'statins')).found, true);
    assert.equal((await check('niacinamide', 'amlodipine and atorvastatin')).found, false);
  });

  it('count as two items in a stack and have separate cautions', async () => {
    const { duplicates, resolved } = await stack(['nicotinamide', 'nicotinic acid'], ['atorvastatin']);
    assert.deepEqual([duplicates.length, resolved.length], [0, 3]);
    const states = async (name: string): Promise<string[]> =>
      (await stack([name], [], ['diabetes', 'liver disease'])).cautions.map(
        ({ condition }: { condition: string }) => condition,
      );
    assert.ok((await states('nicotinic acid')).includes('diabetes'));
    assert.ok(!(await states('nicotinamide')).includes('diabetes'));
    assert.ok((await states('nicotinamide')).includes('liver-disease'));
  });

  it('remove rules on other forms from the interaction list', async () => {
    const list = async (supplement: string): Promise<{ drug: string }[]> =>
      (
        await api(service)
          .get('/api/interactions')
          .query({ supplement, drug: 'statins' })
          .set(...bearer(service.admin.key))
          .expect(200)
      ).body;
    assert.ok((await list('niacin')).length > 5);
    assert.equal((await list('niacinamide')).length, 0);
  });

  it('are shown on the checker page with the reason', async () => {
    const html = await (await fetch(`${service.url}/interactions?supplement=niacinamide&drug=Lipitor`)).text();
    assert.match(html, /Niacin: nicotinamide \(niacinamide\)/);
    assert.match(
      html,
      /Not reported for nicotinamide \(niacinamide\): This warning is about gram doses of nicotinic acid/,
    );
  });
});
