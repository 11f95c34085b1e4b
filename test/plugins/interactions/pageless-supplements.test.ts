/** Tests substances that are sold as supplements, are lawful, and have no supplement page. */
import assert from 'node:assert/strict';
import { api, bearer } from '../../support/client.ts';
import { type SharedService, sharedService } from '../../support/shared.ts';

describe('supplements without a page', () => {
  let service: SharedService;
  before(async function () {
    this.timeout(300_000);
    service = await sharedService();
  });
  const get = async (path: string, query: object) =>
    (
      await api(service)
        .get(path)
        .query(query)
        .set(...bearer(service.admin.key))
        .expect(200)
    ).body;
  const check = (supplement: string, drug: string) => get('/api/interactions/check', { supplement, drug });

  it('are supplements even where a medicine has the same name', async () => {
    const body = await check('lithium orotate', 'lisinopril');
    assert.deepEqual([body.found, body.severity], [true, 'moderate']);
    assert.deepEqual([body.supplement.slug, body.supplement.substance_kind], ['lithium-orotate', 'supplement']);
    assert.equal((await check('lithium orotate', 'lithium carbonate')).severity, 'major');
    assert.equal((await check('caffeine', 'lithium')).drug.slug, 'lithium');
  });

  it('are called supplements and not substances', async () => {
    const swapped = await check('warfarin', 'danshen');
    assert.equal(swapped.found, true);
    assert.match(swapped.hint, /“danshen” is a supplement\b/);
  });

  it('say what they are and carry no legal status', async () => {
    const { resolved } = await check('activated charcoal', 'digoxin');
    assert.match(resolved.supplement.statement, /binds many substances in the gut/);
    assert.deepEqual([resolved.supplement.authority, resolved.supplement.status_as_of], [null, null]);
  });

  it('do not warn about a medicine that charcoal in the gut cannot reach', async () => {
    for (const medicine of ['Duragesic', 'insulin glargine', 'heparin'])
      assert.equal((await check('activated charcoal', medicine)).found, false, medicine);
    for (const medicine of ['digoxin', 'levothyroxine', 'lamotrigine'])
      assert.equal((await check('activated charcoal', medicine)).timing?.separate_hours, 4, medicine);
  });
});
