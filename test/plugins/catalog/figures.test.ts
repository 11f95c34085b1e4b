import { strict as assert } from 'node:assert';
import { amountInWords } from '#core/render/charts/dose-chart.ts';
import { type OutcomeServices, outcomesPlugin } from '#plugins/outcomes/index.ts';
import { sql } from '../../support/database.ts';
import { type SharedService, sharedService } from '../../support/shared.ts';
import { sectionOf, twinOf } from '../../support/twin.ts';

const TIERS = `select s.year, count(*) filter (where quality_tier = 'A')::int as a, count(*)::int as n
  from evidence_source s where removed_at is null and retraction_status <> 'retracted' and source_class <> 'clinical_trial'
  and source_id in (select source_id from evidence_vertical where supplement_slug = 'magnesium') group by 1`;

interface Market {
  readonly dose_distribution: { readonly p10: number; readonly p90: number };
  readonly forms: readonly { readonly form: string; readonly count: number }[];
}

describe('figures on catalog pages', () => {
  let service: SharedService;
  const page = async (path: string): Promise<string> => {
    const reply = await fetch(`${service.url}${path}`);
    assert.equal(reply.status, 200, path);
    return reply.text();
  };
  const market = async (slug: string): Promise<Market> => {
    const reply = await fetch(`${service.url}/api/market/${slug}`);
    return (await reply.json()) as Market;
  };
  before(async function () {
    this.timeout(180_000);
    service = await sharedService();
  });

  it('chart trial doses, recommended amounts, label doses and upper limits with matching table values', async () => {
    const rows = twinOf(await page('/supplements/magnesium'), 'dose-chart');
    const { dose_distribution: labels } = await market('magnesium');
    const byName = new Map(rows.map(([name = '', amount, per]) => [name.replace(/ \(.*/, ''), `${amount} a ${per}`]));
    assert.equal(byName.get('Comparison of three salts in healthy adults'), '300 mg a day');
    assert.equal(byName.get('Recommended for adults'), '310 to 420 mg a day');
    assert.equal(byName.get('Upper limit for adults'), '350 mg a day');
    assert.equal(byName.get('Middle 80% of labels'), `${amountInWords([labels.p10, labels.p90])} mg a serving`);
    assert.match(rows.flat().join(' '), /from supplements and medicines only, not from food/);
  });

  it('separate doses for special groups in the table and in the chart', async () => {
    const doses = sectionOf(await page('/supplements/vitamin-d'), 'doses');
    const [general = '', ...groups] = doses.split('<h3>Studied only in ');
    assert.doesNotMatch(general, />Pregnancy</);
    assert.ok(
      groups.some((group) => group.startsWith('pregnancy')) && groups.some((group) => group.startsWith('infants')),
    );
    assert.match(doses, /class="chart-group"/);
  });

  it('count sources by year and tier as stored in the database', async () => {
    const rows = twinOf(await page('/supplements/magnesium'), 'year-chart');
    const held = (await sql(service, TIERS)) as unknown as readonly { year: number; a: number; n: number }[];
    for (const [years = '', a, , , , all] of rows) {
      const [from = 0, to = from] = years.split(' to ').map(Number);
      const within = held.filter(({ year }) => year >= from && year <= to);
      const sum = (key: 'a' | 'n'): number => within.reduce((total, row) => total + row[key], 0);
      assert.deepEqual([Number(a), Number(all)], [sum('a'), sum('n')], years);
    }
    assert.equal(
      rows.reduce((sum, row) => sum + Number(row[5]), 0),
      held.reduce((sum, { n }) => sum + n, 0),
    );
  });

  it('show market forms with the counts from the API on the supplement and product pages', async () => {
    const { forms } = await market('magnesium');
    for (const path of ['/supplements/magnesium', '/supplements/magnesium/products']) {
      const rows = twinOf(await page(path), 'form-chart').filter(([name]) => !name?.endsWith(' more'));
      assert.ok(rows.length >= 2, path);
      assert.deepEqual(
        rows,
        forms.slice(0, rows.length).map(({ form, count }) => [form, String(count)]),
      );
    }
  });

  it('show a message instead of a dose chart when no dose is entered', async () => {
    const html = await page('/supplements/blue-cohosh');
    assert.doesNotMatch(html, /class="chart-svg"[^>]*aria-labelledby="dose-chart-t/);
    assert.match(sectionOf(html, 'doses'), /No dose is entered/);
  });

  it('use unique ids and define every referenced SVG symbol', async () => {
    for (const path of ['/supplements/magnesium', '/evidence/magnesium-sleep', '/conditions/insomnia']) {
      const html = await page(path);
      const ids = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id);
      assert.equal(new Set(ids).size, ids.length, path);
      for (const [, name = ''] of html.matchAll(/<use href="#([^"]+)"/g))
        assert.ok(ids.includes(name), `${path} ${name}`);
    }
  });

  it('list the evidence that would change each finding and the missing clinician review', async () => {
    const html = await page('/supplements/magnesium');
    const grades = await (service.runtime.servicesOf(outcomesPlugin) as OutcomeServices).ofSupplement('magnesium');
    const cramps = html.split('id="on-muscle-cramps"')[1]?.split('class="claim-more"')[0] ?? '';
    assert.match(
      cramps,
      /What would change this.*Studies in other people\. So far it was studied in pregnancy alone\./,
    );
    assert.match(cramps, /pubmed\.ncbi\.nlm\.nih\.gov\/22909270/);
    assert.match(html, /None: not reviewed by a clinician/);
    const uncounted = grades.filter(({ figures }) => figures.sources > 0 && !figures.counted);
    // A source that is only listed may have measured this outcome, so it does not count as unmeasured.
    const [unmeasured, listed] = [
      uncounted.filter(({ figures }) => !figures.only_listed),
      uncounted.filter(({ figures }) => figures.only_listed),
    ];
    assert.ok(unmeasured.length > 0);
    const open = html.split('No trial in our base measured this')[1]?.split('</section>')[0] ?? '';
    for (const { vertical } of unmeasured) assert.ok(open.includes(`href="/evidence/${vertical}"`), vertical);
    for (const { vertical } of listed) assert.ok(!open.includes(`href="/evidence/${vertical}"`), vertical);
  });

  it('link each finding of a condition to PubMed, a DOI or a trial', async () => {
    const html = await page('/conditions/insomnia');
    const claims = html
      .split('<div class="claim">')
      .slice(1)
      .map((claim) => claim.split('class="claim-more"')[0] ?? '');
    assert.ok(claims.length > 0);
    for (const claim of claims)
      assert.match(claim, /href="https:\/\/(pubmed|doi|clinicaltrials)|None of the cited sources is in the base/);
  });
});
