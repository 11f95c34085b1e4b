import assert from 'node:assert/strict';
import { syncContent } from '#core/content-sync.ts';
import { CAUTION_COLUMNS } from '#plugins/interactions/rules/caution-table.ts';
import { api, bearer } from '../../support/client.ts';
import { temporaryFolder, useService } from '../evidence/support.ts';
import { putContent } from './rule-content.ts';

type Row = Readonly<Partial<Record<(typeof CAUTION_COLUMNS)[number], string>>>;
const ROW: Row = {
  supplement: 'zinc',
  condition: 'pregnancy',
  severity: 'unknown',
  action: 'caution',
  likelihood: 'possible',
  effect: 'Whether invented zinc is safe in pregnancy has not been studied.',
  recommendation: 'Ask a midwife or doctor first.',
};
const table = (...rows: readonly Row[]): string =>
  [CAUTION_COLUMNS, ...rows.map((row) => CAUTION_COLUMNS.map((column) => ({ ...ROW, ...row })[column] ?? ''))]
    .map((cells) => cells.join('\t'))
    .join('\n');

describe('content/interactions/cautions.tsv', () => {
  const content = temporaryFolder();
  const good = table(
    {},
    { condition: 'other', name: 'Driving', authority: 'NIH NCCIH', address: 'https://www.nccih.nih.gov/x' },
  );
  before(async () => {
    await putContent(content);
    await content.put('interactions/cautions.tsv', good);
  });
  const base = useService(() => ({ contentDir: content.path() }));

  it('adds a caution for a condition, with its evidence basis, to the checker response', async () => {
    const { body } = await api(base.service)
      .post('/api/interactions/check')
      .set(...bearer(base.client.key))
      .send({ supplements: ['zinc'], conditions: ['pregnancy'] })
      .expect(200);
    const text = JSON.stringify(body);
    assert.match(text, /has not been studied/);
    assert.match(text, /"evidence_basis":"practice"/);
    assert.match(text, /"origin":"practice"/);
  });

  it('adds a caution with the address of its authority to the interactions page of the supplement', async () => {
    const { text } = await base.client.get('/interactions/zinc').expect(200);
    assert.match(text, /Driving/);
    assert.match(text, /https:\/\/www\.nccih\.nih\.gov\/x/);
  });

  it('is rejected with line and column for unknown names or values and an authority without an address', async () => {
    const cases: readonly (readonly [Row, RegExp])[] = [
      [{ supplement: 'nothing' }, /cautions\.tsv:2: field supplement: no supplement is called "nothing"/],
      [{ condition: 'monday' }, /field condition: "monday" is none of pregnancy/],
      [{ condition: 'other' }, /field name: is missing/],
      [{ severity: 'deadly' }, /field severity: /],
      [{ effect: '' }, /field effect: is missing/],
      [{ authority: 'FDA' }, /field address: an authority needs the address/],
      [{ authority: 'FDA', address: 'http://x.test/' }, /field address: "http:\/\/x\.test\/" is no https/],
    ];
    for (const [row, pattern] of cases) {
      await content.put('interactions/cautions.tsv', table(row));
      await assert.rejects(syncContent(base.service.runtime, content.path()), pattern);
    }
    await content.put('interactions/cautions.tsv', 'supplement\tcondition\nzinc\tpregnancy');
    await assert.rejects(syncContent(base.service.runtime, content.path()), /cautions\.tsv:1: the columns are/);
    await content.put('interactions/cautions.tsv', good);
    await syncContent(base.service.runtime, content.path());
  });
});
