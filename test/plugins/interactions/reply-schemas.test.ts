import assert from 'node:assert/strict';
import { createAjv } from '#core/http/validate.ts';
import type { Route } from '#core/plugin.ts';
import { interactionsPlugin } from '#plugins/interactions/index.ts';
import { api, bearer } from '../../support/client.ts';
import { temporaryFolder, useService } from '../evidence/support.ts';
import { putContent } from './rule-content.ts';

describe('interaction responses', () => {
  const content = temporaryFolder();
  before(() => putContent(content));
  const base = useService(() => ({ contentDir: content.path() }));
  const ajv = createAjv();
  const checkOf = (id: string) => {
    const route = (interactionsPlugin.routes as readonly Route[]).find((each) => each.id === id);
    const validate = ajv.compile(route?.replies[0]?.schema ?? false);
    return (body: unknown, about: string): void => {
      assert.ok(validate(body), `${about}: ${JSON.stringify(validate.errors?.slice(0, 3))}`);
    };
  };

  it('match their OpenAPI schemas', async () => {
    const check = checkOf('interactions.check');
    for (const query of [
      {},
      { supplement: 'ginkgo', drug: 'warfarin' },
      { supplement: 'ginkgo', drug: 'Zocor' },
      { supplement: 'ginkgo', drug: 'statins' },
      { supplement: 'grapefruit', drug: 'Caduet' },
      { supplement: 'monacolin k', drug: 'simvastatin' },
      { supplement: 'ginkgo', drug: 'pravastatin' },
      { supplement: 'warfarin', drug: 'ginkgo' },
      { supplement: 'nosuchthing', drug: 'neitherthis' },
    ])
      check((await base.client.get('/api/interactions/check', query)).body, JSON.stringify(query));
    checkOf('interactions.list')((await base.client.get('/api/interactions')).body, 'list');
    checkOf('interactions.depletions')((await base.client.get('/api/depletions')).body, 'depletions');
    checkOf('interactions.signals')((await base.client.get('/api/signals')).body, 'signals');
    const stack = await api(base.service)
      .post('/api/interactions/check')
      .set(...bearer(base.client.key))
      .send({
        supplements: ['ginkgo', 'garlic', 'nosuchthing', 'Ginkgo'],
        drugs: ['zocor', 'Caduet', 'metformin', 'blood thinners'],
        foods: ['grapefruit'],
        conditions: ['surgery', 'flying'],
      });
    checkOf('interactions.check-stack')(stack.body, 'stack');
  });
});
