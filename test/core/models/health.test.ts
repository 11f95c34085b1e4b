import { strict as assert } from 'node:assert';
import { Permission } from '#core/models/permission.ts';
import { hangs, startEndpoint } from '../../support/openai-endpoint.ts';
import { startService } from '../../support/service.ts';

describe('health check of a service with models', () => {
  it('names each configured model without calling it, and is degraded after a model fails', async () => {
    const server = await startEndpoint();
    server.script(hangs);
    const settings = { LLM_BASE_URL: server.url, LLM_MODEL: 'speaks', MODEL_TIMEOUT_SECONDS: '1' };
    const service = await startService({ settings });
    const health = async () => (await (await fetch(`${service.url}/api/health`)).json()) as Record<string, unknown>;
    try {
      const { checks } = (await health()) as { checks: Record<string, string> };
      assert.equal(checks.language_model, 'ok');
      assert.deepEqual([checks.vision_model, server.asked.length], [undefined, 0]);
      const asked = service.runtime.models.language?.complete([{ role: 'user', content: 'Hm?' }], {
        permission: Permission.publicText,
        maxTokens: 5,
      });
      await assert.rejects(asked ?? Promise.resolve(), { code: 'timeout' });
      const after = await health();
      assert.equal(after.status, 'degraded');
      assert.equal((after.checks as Record<string, string>).language_model, 'degraded');
    } finally {
      await service.stop();
      await server.close();
    }
  });
});
