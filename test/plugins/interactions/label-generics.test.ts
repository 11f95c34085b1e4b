/** Tests that every medicine with an imported FDA label is found by its label name; the list contains only names. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { api, bearer } from '../../support/client.ts';
import { type SharedService, sharedService } from '../../support/shared.ts';

const NAMES = readFileSync(new URL('label-generics.txt', import.meta.url), 'utf8')
  .split('\n')
  .filter(Boolean);
/** The labels of these names are for a deodorant and a herbal tea, so they are supplements here. */
const NO_MEDICINES = new Set(['chamomile', 'licorice']);

describe('medicines with a label', () => {
  let service: SharedService;
  before(async function () {
    this.timeout(300_000);
    service = await sharedService();
  });
  const medicineOf = async (drug: string) => {
    const { headers } = await api(service)
      .get('/api/interactions')
      .query({ drug, page_size: 1 })
      .set(...bearer(service.admin.key))
      .expect(200);
    return { slug: headers['x-resolved-drug'], isGuess: headers['x-needs-confirmation'] === 'true' };
  };

  it('are all resolved by name without a guess', async function () {
    this.timeout(240_000);
    assert.equal(NAMES.length, 1101);
    const unknown: string[] = [];
    for (const name of NAMES.filter((one) => !NO_MEDICINES.has(one))) {
      const { slug, isGuess } = await medicineOf(name);
      if (!slug || isGuess) unknown.push(`${name}: ${slug}`);
    }
    assert.deepEqual(unknown, []);
  });

  it('are resolved without the suffix of a biological medicine or the diluent', async () => {
    assert.equal((await medicineOf('cemiplimab-rwlc')).slug, 'cemiplimab');
    assert.equal((await medicineOf('bupivacaine hydrochloride in dextrose')).slug, 'bupivacaine');
    assert.equal((await medicineOf('nivolumab and relatlimab-rmbw')).slug, 'nivolumab-and-relatlimab');
  });
});
