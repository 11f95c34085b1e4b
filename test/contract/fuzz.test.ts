import assert from 'node:assert/strict';
import { fuzz } from '../fuzz/run.ts';

const [REQUESTS, SEED] = [1_000, 20261123];

describe('hostile values in every operation', function () {
  this.timeout(300_000);

  it('neither crash the server, nor cause a 5xx response, nor exceed the cost limits of a request', async () => {
    const { findings, sent, operations } = await fuzz({ requests: REQUESTS, seed: SEED });
    assert.deepEqual(findings, []);
    assert.equal(sent, REQUESTS);
    assert.ok(operations > 100);
  });
});
