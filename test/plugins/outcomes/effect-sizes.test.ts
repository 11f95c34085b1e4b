import assert from 'node:assert/strict';
import { startService } from '../../support/service.ts';
import { MADE_TOPICS, madeEntry, madeSupplement, query, temporaryFolder, useService } from '../evidence/support.ts';

const size = { topic: 'colds', measure: 'RR', value: 0.8, outcome: 'colds', direction: 'positive' };
const part = { ...size, population: 'children taking antibiotics', people: 445 };

describe('effect sizes in content/sources', () => {
  const content = temporaryFolder();
  const wrong = temporaryFolder();
  before(async () => {
    for (const folder of [content, wrong]) {
      await folder.put('topics.yaml', MADE_TOPICS);
      await folder.put('supplements/zinc.md', madeSupplement('Zinc'));
    }
    const fields = { effect_sizes: [size, part], certainty_stated: 'low', compares: 'forms', wider: true };
    await content.put('sources/zinc.yaml', madeEntry({ pmid: '99130001', ...fields }));
    const on = { ...size, topic: 'sleep' };
    await wrong.put('sources/zinc.yaml', madeEntry({ pmid: '99130002', effect_sizes: [on] }));
  });
  const base = useService(() => ({ contentDir: content.path() }));

  it('are stored with their source', async () => {
    const sql = 'select effect_sizes, certainty_stated, compares, wider from evidence_source where source_id = ?';
    const [row] = await query(base.service, sql, ['pmid-99130001']);
    assert.deepEqual(row, {
      effect_sizes: [size, part],
      certainty_stated: 'low',
      compares: 'forms',
      wider: true,
    });
  });

  it('are rejected for an outcome that the source did not measure', async () => {
    await assert.rejects(
      startService({ contentDir: wrong.path() }),
      /content\/sources\/zinc\.yaml:\d+: field 0\.effect_sizes\.0\.topic: "sleep" is none of the topics of this source/,
    );
  });
});
