import assert from 'node:assert/strict';
import { type SharedService, sharedService } from '../../support/shared.ts';
import { sectionOf, twinOf } from '../../support/twin.ts';

interface Outcome {
  readonly vertical: string;
  readonly source_count: number;
  readonly assessments: readonly {
    readonly population: { readonly text: string };
    readonly summary: string;
    readonly outcomes: readonly { readonly finding: string }[];
  }[];
}

interface Finding {
  readonly summary: string;
  readonly source_url: string;
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

describe('GET /evidence/{vertical}', () => {
  let service: SharedService;
  const page = async (path: string): Promise<string> => (await fetch(`${service.url}${path}`)).text();
  before(async function () {
    this.timeout(180_000);
    service = await sharedService();
  });

  it('shows the answer, one safety fact, balance, certainty, sources, gaps and what would change it, in this order', async () => {
    const html = await page('/evidence/magnesium-muscle-cramps');
    const marks = [
      'class="answer"',
      'class="first-safety"',
      'id="balance"',
      'id="certainty"',
      'id="sources"',
      'id="gaps"',
      'id="would-change"',
    ];
    const places = marks.map((mark) => html.indexOf(mark));
    assert.ok(
      places.every((place) => place > 0),
      marks[places.indexOf(-1)],
    );
    assert.deepEqual(
      places,
      places.toSorted((a, b) => a - b),
    );
    assert.match(html, /Not reviewed by a clinician\./);
  });

  it('shows the tier, design, sample size and links next to the main claim', async () => {
    const lead = (await page('/evidence/magnesium-muscle-cramps')).split('claim-lead')[1]?.split('</header>')[0] ?? '';
    assert.match(lead, /Randomised controlled trial/);
    assert.match(lead, /86 people/);
    assert.match(lead, /pubmed\.ncbi\.nlm\.nih\.gov\/22909270/);
  });

  it('shows an answer for each assessed population', async () => {
    const reply = await fetch(`${service.url}/api/outcomes?assessed=true&page_size=200`);
    const { outcomes } = (await reply.json()) as { outcomes: readonly Outcome[] };
    const several = outcomes.filter(({ assessments }) => assessments.length > 2);
    assert.ok(several.length > 3);
    for (const { vertical, assessments } of several.slice(0, 6)) {
      const section = sectionOf(await page(`/evidence/${vertical}`), 'answers');
      const places = assessments.map(({ population }) => section.toLowerCase().indexOf(population.text.toLowerCase()));
      assert.ok(
        places.every((place) => place >= 0),
        `${vertical}: ${assessments[places.indexOf(-1)]?.population.text}`,
      );
      for (const { summary } of assessments.filter((one) => one.summary)) assert.ok(section.includes(escaped(summary)));
    }
  });

  it('shows every finding of an assessment with a link to its source', async () => {
    const reply = await fetch(`${service.url}/api/outcomes/melatonin-sleep`);
    const { assessments } = (await reply.json()) as Outcome;
    const section = sectionOf(await page('/evidence/melatonin-sleep'), 'answers');
    const ids = assessments.flatMap(({ outcomes }) => outcomes.map(({ finding }) => finding));
    assert.ok(ids.length > 2);
    for (const id of ids) {
      const found = (await (await fetch(`${service.url}/api/findings/${encodeURIComponent(id)}`)).json()) as Finding;
      assert.ok(section.includes(escaped(found.summary)), id);
      assert.ok(section.includes(escaped(found.source_url)), id);
    }
  });

  it('states that a question is not assessed when it has no assessment', async () => {
    const reply = await fetch(`${service.url}/api/outcomes?assessed=false&page_size=50`);
    const { outcomes } = (await reply.json()) as { outcomes: readonly Outcome[] };
    const html = await page(`/evidence/${outcomes.find(({ source_count }) => source_count > 0)?.vertical}`);
    assert.match(sectionOf(html, 'certainty'), /Not assessed/);
    assert.doesNotMatch(sectionOf(html, 'certainty'), /class="direction direction-(positive|negative|null|mixed)"/);
  });

  it('lists the same gaps as /api/gaps', async () => {
    const reply = await fetch(`${service.url}/api/gaps?supplement=magnesium&limit=100`);
    const { gaps } = (await reply.json()) as { gaps: readonly { vertical: string; text: string }[] };
    const byVertical = Map.groupBy(gaps, ({ vertical }) => vertical);
    assert.ok(byVertical.size > 0);
    for (const [vertical, found] of [...byVertical].slice(0, 4)) {
      const shown = [...sectionOf(await page(`/evidence/${vertical}`), 'gaps').matchAll(/<li>(.*?)<\/li>/g)];
      assert.deepEqual(
        shown.map(([, text]) => text),
        found.map(({ text }) => text),
        vertical,
      );
    }
  });

  it('shows a chart of sources by year and tier only when there are enough sources', async () => {
    const html = await page('/evidence/creatine-muscle-strength');
    const rows = twinOf(html, 'year-chart');
    assert.ok(rows.length >= 3);
    for (const [, ...cells] of rows) {
      const [a, b, c, d, all] = cells.map(Number) as [number, number, number, number, number];
      assert.equal(a + b + c + d, all);
    }
    assert.doesNotMatch(await page('/evidence/magnesium-muscle-cramps'), /year-chart/);
  });
});
