/** Checks links and fragments on every kind of page and on a sample of all generated pages. */
import assert from 'node:assert/strict';
import { planPages } from '#generate/plan.ts';
import { checkLinks } from '../../bench/audit/links.ts';
import { allExamples } from '../../bench/audit/page-kinds.ts';
import { type SharedService, sharedService } from '../support/shared.ts';

/** The sampling interval for kinds with very many pages; other kinds use eight. `npm run bench -- links` reads all pages. */
const EVERY: Readonly<Record<string, number>> = {
  'interactions.interaction': 120,
  'products.product': 100,
  'products.brand': 40,
  'evidence.vertical': 24,
};

describe('links of the site', () => {
  let service: SharedService;
  before(async function () {
    this.timeout(180_000);
    service = await sharedService();
  });

  it('point to existing pages and fragments, and to well-formed external URLs', async () => {
    const plan = await planPages(service.runtime, new AbortController().signal);
    const seen = new Map<string, number>();
    const sample = plan.filter(({ page }) => {
      const at = seen.get(page.id) ?? 0;
      seen.set(page.id, at + 1);
      return at % (EVERY[page.id] ?? 8) === 0;
    });
    const paths = [...new Set([...allExamples, ...sample.map(({ url }) => url)])];
    // The last three are written by the generator, which does not run here, and belong to no plugin.
    const known = new Set([...plan.map(({ url }) => url), '/sitemap.xml', '/robots.txt', '/llms.txt']);
    const report = await checkLinks({ url: service.url, baseUrl: 'http://evidence.test', paths, known });
    assert.deepEqual(report.broken, []);
    assert.ok(report.links > 10_000);
  }).timeout(300_000);
});
