import assert from 'node:assert/strict';
import { mondayOf, type SeriesParts, seriesChart } from '#core/render/charts/series.ts';

type Values = (readonly [string, number])[];
const line = (...values: Values) => ({ name: 'a', points: values.map(([day, value]) => ({ day, value })) });
const drawn = (values: Values, rest: Pick<SeriesParts, 'from' | 'to'> & Partial<SeriesParts>) =>
  seriesChart({ id: 's', title: 'A measure', lines: [line(...values)], words: String, ...rest });

describe('line chart of daily values', () => {
  it('breaks the line where values are missing, and shows a single day as a dot', () => {
    const chart = drawn(
      [
        ['2026-03-01', 10],
        ['2026-03-02', 20],
        ['2026-03-05', 30],
        ['2026-03-11', 10],
      ],
      { from: '2026-03-01', to: '2026-03-11' },
    );
    assert.deepEqual(
      [chart?.lines, chart?.low, chart?.high, chart?.isWeekly],
      [
        [
          {
            name: 'a',
            path: 'M0 96L100 50',
            dots: [
              { x: 400, y: 4 },
              { x: 1000, y: 96 },
            ],
          },
        ],
        '10',
        '30',
        false,
      ],
    );
    assert.equal(chart?.desc, '1 Mar 2026 to 11 Mar 2026: between 10 and 30.');
  });

  it('shows weekly means when there would be too many days', () => {
    const chart = drawn(
      [
        ['2026-01-05', 10],
        ['2026-01-11', 30],
        ['2026-01-12', 50],
      ],
      { from: '2026-01-05', to: '2026-06-30' },
    );
    assert.deepEqual(
      [chart?.isWeekly, chart?.low, chart?.high, chart?.lines[0]?.path.startsWith('M0 96L')],
      [true, '20', '50', true],
    );
    assert.deepEqual(['2026-01-11', '2026-01-12', '1969-12-31'].map(mondayOf), [
      '2026-01-05',
      '2026-01-12',
      '1969-12-29',
    ]);
  });

  it('needs two days, and places a constant value in the middle', () => {
    const span = { from: '2026-03-01', to: '2026-03-02' };
    assert.equal(drawn([['2026-03-01', 10]], span), null);
    const flat = drawn(
      [
        ['2026-03-01', 10],
        ['2026-03-02', 10],
      ],
      span,
    );
    assert.equal(flat?.lines[0]?.path, 'M0 50L1000 50');
  });

  it('shows no gap at a daylight saving change', () => {
    const chart = drawn(
      [
        ['2026-03-28', 10],
        ['2026-03-29', 20],
        ['2026-03-30', 10],
      ],
      { from: '2026-03-28', to: '2026-03-30' },
    );
    assert.deepEqual([chart?.lines[0]?.path, chart?.lines[0]?.dots], ['M0 96L500 4L1000 96', []]);
  });

  it('draws two lines on one scale, blood draws in its span and start and stop numbers that do not overlap', () => {
    const chart = seriesChart({
      id: 's',
      title: 'Blood pressure',
      lines: [line(['2026-03-01', 120], ['2026-03-02', 130]), line(['2026-03-01', 80], ['2026-03-02', 80])],
      from: '2026-03-01',
      to: '2026-03-11',
      words: String,
      draws: ['2026-02-01', '2026-03-06', '2026-03-06'],
      marks: [
        { day: '2026-03-06', what: 'started', number: 1 },
        { day: '2026-03-06', what: 'stopped', number: 2 },
        { day: '2026-04-01', what: 'stopped', number: 1 },
      ],
    });
    assert.deepEqual([chart?.low, chart?.high, chart?.lines.length, chart?.draws], ['80', '130', 2, [50]]);
    assert.deepEqual(
      chart?.marks.map(({ x, y, number }) => [x, y, number]),
      [
        [50, 16, 1],
        [50, 32, 2],
      ],
    );
  });
});
