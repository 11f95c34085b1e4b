import assert from 'node:assert/strict';
import { type InteractionServices, interactionsPlugin } from '#plugins/interactions/index.ts';
import { temporaryFolder, useService } from '../evidence/support.ts';
import { putContent } from './rule-content.ts';

describe('InteractionServices', () => {
  const content = temporaryFolder();
  before(() => putContent(content));
  const base = useService(() => ({ contentDir: content.path() }));
  const services = (): InteractionServices =>
    base.service.runtime.servicesOf(interactionsPlugin) as InteractionServices;

  it('returns one line per rule, most severe first', async () => {
    const rules = await services().ofSupplement('ginkgo');
    assert.deepEqual(
      rules.map(({ slug, severity, withKind, with: other, url }) => [slug, severity, withKind, other, url]),
      [
        ['ginkgo-warfarin', 'major', 'drug', 'warfarin', '/interactions/ginkgo-warfarin'],
        ['ginkgo-anticoagulants', 'moderate', 'class', 'Anticoagulants', '/interactions/ginkgo#ginkgo-anticoagulants'],
        ['ginkgo-garlic', 'moderate', 'supplement', 'Garlic', '/interactions/ginkgo#ginkgo-garlic'],
        ['ginkgo-statins', 'minor', 'class', 'Statins', '/interactions/ginkgo#ginkgo-statins'],
      ],
    );
  });

  it('returns a rule of another supplement with that supplement as the partner', async () => {
    const [rule] = await services().ofSupplement('garlic');
    assert.deepEqual(
      [rule?.supplementSlug, rule?.supplement, rule?.with, rule?.url],
      ['garlic', 'Garlic', 'Ginkgo', '/interactions/ginkgo#ginkgo-garlic'],
    );
    assert.deepEqual(await services().ofSupplement('zinc'), []);
  });

  it('returns counts by supplement, cached for the same content, and all pairs', async () => {
    const counts = await services().counts();
    assert.deepEqual(counts.get('ginkgo'), { rules: 4, drugs: 4, worst: 'major' });
    assert.equal(counts.get('zinc'), undefined);
    assert.equal(await services().counts(), counts);
    const pairs = await services().pairs();
    assert.equal(pairs.length, 7);
    assert.deepEqual(pairs[3], {
      supplementSlug: 'ginkgo',
      drugSlug: 'warfarin',
      drug: 'warfarin',
      severity: 'major',
      tier: pairs[3]?.tier,
      slug: 'ginkgo-warfarin',
    });
  });
});
