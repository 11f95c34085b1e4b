import assert from 'node:assert/strict';
import { syncContent } from '#core/content-sync.ts';
import { startBeside } from '../../support/shared.ts';
import { temporaryFolder, useService } from '../evidence/support.ts';
import { GINKGO, madeRule, putContent, ruleFile } from './rule-content.ts';

const WITHIN_MS = 8_000;

describe('second server process on the same database', () => {
  const content = temporaryFolder();
  before(() => putContent(content));
  const base = useService(() => ({ contentDir: content.path() }));

  it('applies a changed rule within seconds', async () => {
    const other = await startBeside(base.service, { contentDir: content.path() });
    try {
      const check = async (): Promise<{ found: boolean }> => {
        const reply = await fetch(`${other.url}/api/interactions/check?supplement=ginkgo&drug=metformin`);
        return (await reply.json()) as { found: boolean };
      };
      assert.equal((await check()).found, false);
      const rule = madeRule('ginkgo-metformin', { with: { drug: 'metformin' } });
      await content.put('interactions/ginkgo.yaml', ruleFile('ginkgo', [...GINKGO, rule]));
      await syncContent(base.service.runtime, content.path());
      const until = Date.now() + WITHIN_MS;
      let found = false;
      while (!found && Date.now() < until) {
        await new Promise((resolve) => setTimeout(resolve, 500));
        found = (await check()).found;
      }
      assert.equal(found, true);
    } finally {
      await other.stop();
    }
  });
});
