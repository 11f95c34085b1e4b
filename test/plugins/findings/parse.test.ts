import assert from 'node:assert/strict';
import { FindingMistake, type KnownSlugs, parseFinding, type Values } from '#plugins/findings/parse.ts';
import { once, type PlacedValues, readJsonLines, readTable } from '#plugins/findings/read-table.ts';
import { mapReviewRow, readEffectCell } from '#plugins/findings/review-layout.ts';
import { sourceUrl } from '#plugins/findings/view.ts';
import { madeTable, madeValues } from './support.ts';

const KNOWN: KnownSlugs = {
  supplements: new Set(['zinc', 'calcium', 'vitamin-d']),
  topics: new Set(['colds', 'sleep']),
  conditions: new Set(['depression']),
};
const parse = (fields: Values = {}) => parseFinding(madeValues(fields), KNOWN);
const mistake = (fields: Values): string => {
  try {
    parse(fields);
  } catch (error) {
    assert.ok(error instanceof FindingMistake, String(error));
    assert.ok(error.message.startsWith(`${error.field}: `));
    return error.message;
  }
  return assert.fail(`accepted ${JSON.stringify(fields)}`);
};
const collect = async (rows: AsyncIterable<PlacedValues>): Promise<PlacedValues[]> => {
  const all: PlacedValues[] = [];
  for await (const row of rows) all.push(row);
  return all;
};
async function* inPieces(text: string, size: number): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size);
}

describe('parseFinding()', () => {
  it('reads every field of a row', () => {
    assert.deepEqual(
      parse({
        condition: 'depression',
        dose: '80 mg a day',
        follow_up: '1 week',
        participants_at_least: '1000',
        risk_without: '300',
        risk_with: '210.5',
        bias: 'low',
        i2: '40',
        doubtful: '1',
      }),
      {
        id: 'pmid:99130001#1',
        source: 'pmid:99130001',
        title: 'Zinc for invented colds',
        year: 2020,
        journal: 'Journal of Invented Nutrition',
        firstAuthor: 'Maker',
        design: 'meta-analysis',
        use: 'main',
        supplements: ['zinc'],
        topic: 'colds',
        vertical: 'zinc-colds',
        people: 'adults',
        condition: 'depression',
        population: 'invented adults',
        comparator: 'placebo',
        dose: '80 mg a day',
        followUp: '1 week',
        outcome: 'length of a cold',
        betterWhen: 'lower',
        measure: 'MD',
        estimate: -1.5,
        low: -2,
        high: -1,
        unit: 'days',
        riskWithout: 300,
        riskWith: 210.5,
        participants: 1200,
        participantsAtLeast: 1000,
        studies: 6,
        certainty: 'moderate',
        bias: 'low',
        i2: 40,
        direction: 'better',
        importance: 'critical',
        summary: 'Zinc shortened invented colds by a day and a half.',
        doubtful: true,
      },
    );
  });

  it('returns empty values for fields that a source does not state', () => {
    const bare = parse({
      measure: '',
      estimate: '',
      low: '',
      high: '',
      year: '',
      participants: '',
      studies: '',
      certainty: '',
      use: '',
      row: '',
    });
    assert.deepEqual(
      [bare.measure, bare.estimate, bare.low, bare.year, bare.participants, bare.certainty, bare.use, bare.id],
      ['', null, null, null, null, '', 'main', 'pmid:99130001#1'],
    );
  });

  it('accepts a minus sign (U+2212), thousands separators and JSON numbers', () => {
    assert.equal(parse({ estimate: '−1.5' }).estimate, -1.5);
    assert.equal(parse({ participants: '86,364' }).participants, 86_364);
    assert.deepEqual([parse({ estimate: -1.2, year: 2019 }).estimate, parse({ year: 2019 }).year], [-1.2, 2019]);
  });

  it('reports the field of a malformed number', () => {
    for (const [field, value] of [
      ['estimate', '1.5 days'],
      ['estimate', '1,5'],
      ['low', '.5'],
      ['high', '1e3'],
      ['i2', 'high'],
      ['risk_with', '12/100'],
      ['participants', 'about 90'],
      ['year', 'NaN'],
      ['estimate', 'Infinity'],
    ] as const)
      assert.equal(mistake({ [field]: value }), `${field}: "${value}" is not a number`);
  });

  it('reports the field of a count that is not a whole number', () => {
    assert.equal(mistake({ participants: '12.5' }), 'participants: "12.5" is not a whole number');
    assert.equal(mistake({ studies: '-3' }), 'studies: "-3" is not a whole number');
  });

  it('rejects an interval that does not contain its estimate', () => {
    assert.equal(mistake({ estimate: '-0.5' }), 'estimate: -0.5 is not between -2 and -1');
    assert.equal(mistake({ low: '-1', high: '-2' }), 'estimate: -1.5 is not between -1 and -2');
  });

  it('rejects an interval with only one end', () => {
    assert.equal(mistake({ high: '' }), 'low: an interval has two ends');
    assert.equal(mistake({ low: '' }), 'low: an interval has two ends');
  });

  it('rejects a ratio that is zero or negative, and an estimate without a measure', () => {
    assert.equal(mistake({ measure: 'RR', estimate: '0', low: '', high: '' }), 'estimate: a ratio is above 0');
    assert.equal(mistake({ measure: 'HR' }), 'estimate: a ratio is above 0');
    assert.equal(mistake({ measure: '' }), 'measure: is missing beside an estimate');
  });

  it('reports a missing field', () => {
    for (const field of ['supplement', 'topic', 'title', 'population', 'outcome', 'summary'])
      assert.equal(mistake({ [field]: ' ' }), `${field}: is missing`);
    for (const field of ['design', 'people', 'direction', 'importance'])
      assert.match(mistake({ [field]: '' }), new RegExp(`^${field}: is missing; it is one of `));
  });

  it('reports a value that is not allowed and lists the allowed values', () => {
    assert.equal(mistake({ direction: 'good' }), 'direction: "good" is none of better, worse, no_difference, unclear');
    for (const field of ['people', 'design', 'importance', 'measure', 'certainty', 'bias', 'better_when', 'use'])
      assert.match(mistake({ [field]: 'nonsense' }), new RegExp(`^${field}: "nonsense" is none of `));
    assert.match(mistake({ certainty: 'constructor' }), /^certainty: "constructor" is none of /);
  });

  it('reports an unknown supplement, topic or condition', () => {
    assert.equal(mistake({ supplement: 'unobtainium' }), 'supplement: no supplement is called "unobtainium"');
    assert.equal(mistake({ supplement: 'zinc+unobtainium' }), 'supplement: no supplement is called "unobtainium"');
    assert.equal(mistake({ topic: 'nonsense' }), 'topic: no topic is called "nonsense"');
    assert.equal(mistake({ condition: 'testitis' }), 'condition: no condition is called "testitis"');
  });

  it('accepts a condition without a page when it has the prefix other:', () => {
    assert.equal(parse({ condition: 'other:spinal-muscular-atrophy' }).condition, 'other:spinal-muscular-atrophy');
    assert.match(mistake({ condition: 'other:Spinal Atrophy' }), /^condition: no condition is called /);
  });

  it('reads each supplement of a combination once and assigns no single-supplement outcome', () => {
    const both = parse({ supplement: 'calcium + vitamin-d+calcium' });
    assert.deepEqual([both.supplements, both.vertical], [['calcium', 'vitamin-d'], '']);
  });

  it('accepts only a PubMed id, a DOI or an https address as the source', () => {
    assert.equal(parse({ source: '', pmid: '99130002' }).source, 'pmid:99130002');
    assert.equal(
      parse({ source: '', doi: '10.1002/14651858.CD000032.pub3' }).source,
      'doi:10.1002/14651858.cd000032.pub3',
    );
    assert.equal(parse({ source: '', doi: '10.5555/x', table: '2', row: '3' }).id, 'doi:10.5555/x#2.3');
    for (const source of [
      'pmid:0',
      'pmid:12x',
      'doi:10.1/x',
      'doi:10.5555/has space',
      'http://example.org/',
      'https://example.org/#a',
      'nct:1',
    ])
      assert.match(mistake({ source }), /^source: .* is no pmid:…, no doi:… and no https:\/\/ address$/, source);
    assert.match(mistake({ source: '' }), /^source: /);
  });

  it('accepts a warning from an authority page and rejects a benefit', () => {
    const page = { source: 'https://authority.example/zinc/', row: 'nausea', design: 'authority', direction: 'worse' };
    const { id, source, direction } = parse(page);
    assert.deepEqual([id, direction], ['https://authority.example/zinc/#nausea', 'worse']);
    assert.equal(sourceUrl(source), source);
    assert.match(mistake({ ...page, direction: 'better' }), /^direction: .* a benefit needs a study as its source$/);
    assert.match(mistake({ ...page, design: 'guideline' }), /^design: is "authority" where the source is an address/);
    assert.match(mistake({ design: 'authority', direction: 'worse' }), /^design: is "authority"/);
  });

  it('converts a DOI to lower case', () => {
    assert.equal(parse({ source: 'doi:10.1002/14651858.CD000032.pub3' }).source, 'doi:10.1002/14651858.cd000032.pub3');
  });

  it('rejects text over 2,000 characters and values that are not text', () => {
    assert.equal(mistake({ summary: 'x'.repeat(2_001) }), 'summary: is longer than 2000 characters');
    assert.equal(mistake({ supplement: ['zinc'] }), 'supplement: should be text');
    assert.equal(mistake({ title: { text: 'Zinc' } }), 'title: should be text');
  });
});

describe('readTable()', () => {
  it('reads tab-separated, comma-separated and semicolon-separated rows with their line numbers', async () => {
    for (const mark of ['\t', ',', ';']) {
      const rows = await collect(
        readTable(once(['Source', 'row', 'Title'].join(mark).concat(`\na${mark}1${mark}x\n\nb${mark}2${mark}y\n`))),
      );
      assert.deepEqual(rows, [
        { line: 2, values: { source: 'a', row: '1', title: 'x' } },
        { line: 4, values: { source: 'b', row: '2', title: 'y' } },
      ]);
    }
  });

  it('reads quoted cells with separators, quotes and line breaks', async () => {
    const [row, next] = await collect(readTable(once('a,b\n"one, ""two""\nthree",4\n5,6\n')));
    assert.deepEqual(row?.values, { a: 'one, "two"\nthree', b: '4' });
    assert.equal(next?.line, 4);
  });

  it('reads the same rows whatever the chunk size', async () => {
    const table = madeTable(madeValues(), madeValues({ row: '2', summary: '"A quoted\nsentence."' })).replaceAll(
      '\n',
      '\r\n',
    );
    const whole = await collect(readTable(once(table)));
    assert.equal(whole.length, 2);
    for (const size of [1, 7, 64])
      assert.deepEqual(await collect(readTable(inPieces(table, size))), whole, String(size));
  });

  it('ignores a byte order mark before the first column', async () => {
    const [row] = await collect(readTable(once('\uFEFFsource\trow\na\t1\n')));
    assert.deepEqual(row?.values, { source: 'a', row: '1' });
  });

  it('rejects an unclosed quote and reports the line on which its row begins', async () => {
    await assert.rejects(collect(readTable(once('a\tb\n1\t2\n"open\t3\n4\t5\n'))), {
      message: 'ends inside a quoted cell: its row begins on line 3',
    });
  });

  it('rejects a row with too many cells and pads a row with too few', async () => {
    await assert.rejects(collect(readTable(once('a\tb\n1\t2\t3\n'))), {
      message: 'has 3 cells on line 2, and 2 columns',
    });
    assert.deepEqual(await collect(readTable(once('a\tb\n1\n'))), [{ line: 2, values: { a: '1', b: '' } }]);
  });

  it('rejects a table with more than 200 columns', async () => {
    await assert.rejects(collect(readTable(once(`${Array.from({ length: 201 }, (_, at) => `c${at}`).join('\t')}\n`))), {
      message: 'has 201 columns',
    });
  });

  it('returns no rows for an empty table', async () => {
    assert.deepEqual(await collect(readTable(once(''))), []);
    assert.deepEqual(await collect(readTable(once('a\tb\n'))), []);
  });
});

describe('readJsonLines()', () => {
  it('reads one object from each line and ignores blank lines', async () => {
    const text = '{"source":"a","row":1}\n\n{"source":"b"}';
    const expected = [
      { line: 1, values: { source: 'a', row: 1 } },
      { line: 3, values: { source: 'b' } },
    ];
    assert.deepEqual(await collect(readJsonLines(once(text))), expected);
    assert.deepEqual(await collect(readJsonLines(inPieces(text, 3))), expected);
  });

  it('rejects a line that is not a JSON object and reports the line', async () => {
    for (const line of ['[1, 2]', 'null', '"text"', '7'])
      await assert.rejects(collect(readJsonLines(once(`{"a":1}\n${line}\n`))), {
        message: 'holds no object on line 2',
      });
    await assert.rejects(collect(readJsonLines(once('{"a":1}\n{"a":\n'))), { message: 'holds no JSON on line 2' });
  });

  it('rejects a line of more than 100,000 characters', async () => {
    await assert.rejects(collect(readJsonLines(inPieces(`{"a":"${'x'.repeat(100_001)}`, 1_000))), {
      message: 'has a line of more than 100000 characters',
    });
  });
});

describe('mapReviewRow()', () => {
  const names = {
    supplement: async (name: string) => (name === 'Zinc' ? 'zinc' : ''),
    topics: [{ slug: 'colds', terms: ['common cold'] }],
  };
  const row = {
    doi: '10.1002/14651858.CD000032.pub3',
    table: '1',
    row: '2',
    comparison: 'Zinc compared with placebo',
    population: 'school children',
    intervention: 'Zinc',
    comparator: 'placebo',
    outcome: 'Days with a common cold',
    relative_effect: '',
    difference: 'MD −0.5 (−1.2 to 0.2)',
    risk_control: '150 per 1,000',
    risk_intervention: '120 per 1 000',
    participants: '1,208',
    studies: '12',
    grade: 'Very low',
  };

  it('converts a row to a finding that awaits an editor', async () => {
    const titles = new Map([
      ['10.1002/14651858.cd000032.pub3', { title: 'Zinc in children', year: '2015', firstAuthor: 'Maker' }],
    ]);
    const finding = parseFinding(await mapReviewRow(row, titles, names), KNOWN);
    assert.deepEqual(
      [finding.id, finding.use, finding.people, finding.topic, finding.certainty, finding.direction],
      ['doi:10.1002/14651858.cd000032.pub3#1.2', 'unmapped', 'children', 'colds', 'very_low', 'unclear'],
    );
    assert.deepEqual(
      [finding.measure, finding.estimate, finding.low, finding.high, finding.participants, finding.title],
      ['MD', -0.5, -1.2, 0.2, 1_208, 'Zinc in children'],
    );
    assert.deepEqual([finding.riskWithout, finding.riskWith], [150, 120]);
  });

  it('returns a row unchanged when it already names a supplement', async () => {
    const values = madeValues();
    assert.equal(await mapReviewRow(values, new Map(), names), values);
  });

  it('leaves the supplement empty when the intervention is unknown', async () => {
    const values = await mapReviewRow({ ...row, intervention: 'Unobtainium' }, new Map(), names);
    assert.throws(() => parseFinding(values, KNOWN), { message: 'supplement: is missing' });
  });

  it('parses effects in the notations that reviews print', () => {
    const read = (cell: string) => Object.values(readEffectCell(cell, 'RR')).join(' ');
    assert.equal(read('RR 0.37 (0.07 to 1.9)'), 'RR 0.37 0.07 1.9');
    assert.equal(read('OR 1.2 (95% CI 0.8 to 1.9)'), 'OR 1.2 0.8 1.9');
    assert.equal(read('Rate ratio 0.86 (0.78–0.94)'), 'rate 0.86 0.78 0.94');
    assert.equal(read('0.5 (0.2, 0.9)'), 'RR 0.5 0.2 0.9');
    assert.equal(read('not estimable').trim(), '');
  });
});
