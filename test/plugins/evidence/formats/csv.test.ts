import assert from 'node:assert/strict';
import { formats } from '#plugins/evidence/formats/index.ts';
import type { SourceRow } from '#plugins/evidence/source-view.ts';
import { article, bare, exported, hardTitles } from './support.ts';

const HEADER =
  'source_id,pmid,doi,nct_id,title,authors,journal,year,source_class,evidence_level,quality_score,quality_tier,vertical,sample_size,population,effect_direction,retraction_status,url,license,index_version';

/** Parses RFC 4180 text: every line ends in CRLF, and quotes may only enclose whole cells. */
const parsed = (text: string): string[][] => {
  const rows: string[][] = [];
  const row: string[] = [];
  let at = 0;
  while (at < text.length) {
    const match = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/y;
    match.lastIndex = at;
    const [whole, quoted, plain, end] = match.exec(text) ?? assert.fail(`not RFC 4180 at ${text.slice(at, at + 40)}`);
    row.push(quoted?.replaceAll('""', '"') ?? plain ?? '');
    if (end === '\r\n') rows.push(row.splice(0));
    at += whole.length;
  }
  return rows;
};

const cellsOf = (source: SourceRow): Record<string, string> => {
  const [names = [], values = []] = parsed(exported(formats.csv, [source]));
  assert.equal(values.length, names.length);
  return Object.fromEntries(names.map((name, at) => [name, values[at] ?? '']));
};

describe('CSV export', () => {
  it('writes only the header, with the documented columns in order, when there are no sources', () => {
    assert.equal(exported(formats.csv, []), `${HEADER}\r\n`);
  });

  it('writes every column of a source, without its abstract', () => {
    assert.deepEqual(cellsOf(article), {
      source_id: 'pmid-99000001',
      pmid: '99000001',
      doi: '10.1000/example_1.(a)<b>',
      nct_id: 'NCT99000001',
      title: article.title,
      authors: 'Nguyen Thi L; García-López JA; Smith J Jr; Magnesium Trial Group',
      journal: 'Journal of Examples',
      year: '2012',
      source_class: 'pubmed_article',
      evidence_level: 'rct',
      quality_score: '71.5',
      quality_tier: 'A',
      vertical: 'magnesium-sleep',
      sample_size: '46',
      population: 'older adults, with insomnia',
      effect_direction: 'unclear',
      retraction_status: 'none',
      url: 'https://pubmed.ncbi.nlm.nih.gov/99000001/',
      license: 'CC BY',
      index_version: '2026-11-20.1',
    });
    assert.ok(!exported(formats.csv, [article]).includes(article.abstract));
  });

  it('preserves quotes, braces and Unicode in titles', () => {
    const [, ...rows] = parsed(
      exported(
        formats.csv,
        hardTitles.map((title) => ({ ...article, title })),
      ),
    );
    assert.deepEqual(
      rows.map((row) => row[4]),
      hardTitles,
    );
  });

  for (const start of ['=', '+', '-', '@', '\t']) {
    it(`puts an apostrophe before a cell that starts with ${JSON.stringify(start)}`, () => {
      const cells = cellsOf({
        ...article,
        title: `${start}HYPERLINK("x")`,
        population: `${start}1`,
        authors: [`${start}A B`],
      });
      assert.equal(cells.title, `'${start.trim()}HYPERLINK("x")`);
      assert.equal(cells.population, `'${start.trim()}1`);
      assert.equal(cells.authors, `'${start.trim()}A B`);
    });
  }

  it('escapes a formula that follows spaces and line breaks', () => {
    assert.equal(cellsOf({ ...article, title: ' \r\n=1+1' }).title, "'=1+1");
  });

  it('leaves negative numbers unescaped', () => {
    const cells = cellsOf({ ...article, qualityScore: -1, year: -50 });
    assert.deepEqual([cells.quality_score, cells.year], ['-1', '-50']);
  });

  it('replaces line breaks and control characters within a cell with spaces', () => {
    const title = 'One\r\ntwo\u0000\u001b three\u0085four\u2028five\n\n"six"';
    assert.equal(cellsOf({ ...article, title }).title, 'One two three four five "six"');
  });

  it('leaves cells of unknown values empty', () => {
    const { title, authors, year, vertical, url } = cellsOf(bare);
    assert.deepEqual({ title, authors, year, vertical, url }, {
      title: '', authors: '', year: '', vertical: '', url: 'https://doi.org/10.1000/bare',
    }); // biome-ignore format: a table
  });
});
