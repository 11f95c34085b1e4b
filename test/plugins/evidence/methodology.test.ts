import assert from 'node:assert/strict';
import { api } from '../../support/client.ts';
import { useRealBase } from './real-base.ts';

interface Part {
  readonly part: string;
  readonly points: number;
  readonly max: number;
  readonly reason: string;
}

interface Graded {
  readonly source_id: string;
  readonly quality_score: number;
  readonly quality_tier: string;
  readonly evidence_level: string;
  readonly quality_breakdown: readonly Part[];
}

interface Formula {
  readonly version: string;
  readonly max: number;
  readonly parts: readonly {
    part: string;
    max: number;
    rows: readonly { group: string; label: string; points: number }[];
  }[];
  readonly caps: readonly { id: string; tier: string; ceiling: number; reason: string }[];
  readonly tiers: readonly { tier: string; from: number; label: string; meaning: string }[];
  readonly retrieval_version: string;
  readonly index_version: string;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);

/** Returns whether a subset of the numbers adds up to the total. */
const isSumOfSome = (total: number, numbers: readonly number[]): boolean => {
  const reachable = new Set([0]);
  for (const number of numbers) for (const sum of [...reachable]) reachable.add(sum + number);
  return reachable.has(total);
};

describe('GET /api/methodology', () => {
  const base = useRealBase();
  let formula: Formula;
  let sources: Graded[];

  before(async () => {
    formula = (await api(base.service).get('/api/methodology').expect(200)).body;
    sources = [];
    for (let page = 1; page < 9; page += 1) {
      const { body } = await base.client.sources({ page, page_size: 200, exclude_retracted: false });
      sources.push(...body.sources);
    }
    assert.ok(sources.length > 100);
  });

  const rowsOf = (part: string) => formula.parts.find((one) => one.part === part)?.rows ?? [];
  const partOf = ({ quality_breakdown: parts }: Graded, name: string): Part => {
    const found = parts.filter(({ part }) => part === name);
    assert.equal(found.length, 1, name);
    return found[0]!;
  };

  it('returns the formula version, and the same retrieval and index versions as a search', async () => {
    const { body } = await base.client.search({ q: 'zinc' });
    assert.equal(formula.retrieval_version, body.retrieval_version);
    assert.equal(formula.index_version, body.index_version);
    assert.match(formula.version, /^grade-\d+\.\d+$/);
  });

  it('returns the tiers of the interface with their labels', () => {
    const labels = formula.tiers.map(({ tier, label }) => `${tier} ${label}`);
    assert.deepEqual(labels, ['A Strong', 'B Moderate', 'C Limited', 'D Preliminary']);
    assert.equal(formula.max, 100);
    assert.equal(formula.max, sum(formula.parts.map(({ max }) => max)));
  });

  it('explains every stored score: it is the sum of its parts, including caps', () => {
    for (const source of sources) {
      const total = sum(source.quality_breakdown.map(({ points }) => points));
      assert.equal(Math.round(total * 10) / 10, source.quality_score, source.source_id);
    }
  });

  it('explains every stored tier: it is the first whose threshold the score reaches', () => {
    for (const { quality_score: score, quality_tier: tier, source_id: id } of sources) {
      assert.equal(tier, formula.tiers.find(({ from }) => score >= from)?.tier, id);
    }
  });

  it('lists every part of every stored breakdown with its maximum', () => {
    const maxima = formula.parts.map(({ part, max }) => [part, max]);
    for (const { quality_breakdown: parts, source_id: id } of sources) {
      const own = parts.filter(({ part }) => part !== 'cap').map(({ part, max }) => [part, max]);
      assert.deepEqual(own, maxima, id);
    }
  });

  it('lists the design of every stored source under its evidence level', () => {
    for (const source of sources) {
      const { points, reason } = partOf(source, 'design');
      const row = rowsOf('design').find(({ label }) => reason.startsWith(`${label}, according to `));
      assert.equal(row?.points, points, `${source.source_id}: ${reason}`);
      assert.equal(row?.group, source.evidence_level, source.source_id);
    }
  });

  it('lists the points of every stored part', () => {
    const sizes = new Set([0, ...rowsOf('size').map(({ points }) => points)]);
    for (const source of sources) {
      assert.ok(sizes.has(partOf(source, 'size').points), source.source_id);
      const directness = rowsOf('directness').map(({ points }) => points);
      assert.ok(isSumOfSome(partOf(source, 'directness').points, directness), source.source_id);
      const { points, reason } = partOf(source, 'bias');
      const named = rowsOf('bias').filter(({ label }) => reason.includes(label));
      assert.ok(
        points === 20 ||
          isSumOfSome(
            points,
            named.map((row) => row.points),
          ),
        `${source.source_id}: ${reason}`,
      );
    }
  });

  it('lists every cap applied to a stored source, and no score exceeds its ceiling', () => {
    const met = new Set<string>();
    for (const { quality_breakdown: parts, quality_score: score, source_id: id } of sources) {
      for (const { part, reason } of parts) {
        if (part !== 'cap') continue;
        const cap = formula.caps.find((one) => reason.startsWith(one.reason));
        assert.ok(cap, `${id}: ${reason}`);
        assert.ok(score <= cap.ceiling, `${id}: ${reason}`);
        assert.ok(reason.endsWith(`At most tier ${cap.tier}.`));
        met.add(cap.id);
      }
    }
    assert.ok(met.has('retracted') && met.size > 3);
  });
});
