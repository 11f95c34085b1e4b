/** Links and fragments: of every kind of page, and of a sample of all pages that are generated. */
import assert from 'node:assert/strict';
import { planPages } from '#generate/plan.ts';
import { checkLinks } from '../../bench/audit/links.ts';
import { allExamples } from '../../bench/audit/page-kinds.ts';
import { type SharedService, sharedService } from '../support/shared.ts';

/** One page of so many is read, for kinds that have very many; of the others every eighth. `npm run bench -- links` reads all. */
const EVERY: Readonly<Record<string, number>> = {
  'interactions.interaction': 120,
  'products.product': 100,
  'products.brand': 40,
  'evidence.vertical': 24,
};

describe('the links of the site', () => {
  let service: SharedService;
  before(async function () {
    this.timeout(180_000);
    service = await sharedService();
  });

  it('lead to pages that are there and to places on them, and outside to addresses that are well made', async () => {
    const plan = await planPages(service.runtime, new AbortController().signal);
    const seen = new Map<string, number>();
    const sample = plan.filter(({ page }) => {
      const at = seen.get(page.id) ?? 0;
      seen.set(page.id, at + 1);
      return at % (EVERY[page.id] ?? 8) === 0;
    });
    const paths = [...new Set([...allExamples, ...sample.map(({ url }) => url)])];
    // What is generated and no page of a plugin: nothing is generated here.
    const known = new Set([...plan.map(({ url }) => url), '/sitemap.xml', '/robots.txt', '/llms.txt']);
    const report = await checkLinks({ url: service.url, baseUrl: 'http://evidence.test', paths, known });
    assert.deepEqual(report.broken, []);
    assert.ok(report.links > 10_000);
  }).timeout(300_000);
});
