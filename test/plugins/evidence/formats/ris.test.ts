import assert from 'node:assert/strict';
import { formats } from '#plugins/evidence/formats/index.ts';
import { ris as importer } from '#plugins/evidence/importers/ris.ts';
import { article, bare, context, exported, guideline, hardTitles, imported, trial } from './support.ts';

const linesOf = (text: string): string[] => text.split('\r\n');
const read = (text: string) => imported(importer, 'export.ris', text);

describe('RIS export', () => {
  it('writes each tag on a line that ends in CRLF, from TY to ER', () => {
    const text = formats.ris.row(article, context, 0);
    const lines = linesOf(text);
    assert.ok(!text.replaceAll('\r\n', '').match(/[\r\n]/));
    assert.deepEqual([lines[0], ...lines.slice(-3)], ['TY  - JOUR', 'ER  - ', '', '']);
    for (const line of lines.slice(0, -2)) assert.match(line, /^[A-Z][A-Z0-9] {2}- /);
    for (const line of [
      'DB  - PubMed',
      'AN  - 99000001',
      'AU  - García-López, J. A.',
      'AU  - Smith, J., Jr',
      'AU  - Magnesium Trial Group,',
      'DO  - 10.1000/example_1.(a)<b>',
      'SP  - 1161',
      'EP  - 1169',
      'C2  - PMC9900001',
      'N1  - Quality tier A (71.5 of 100); evidence level: rct.',
    ]) {
      assert.ok(lines.includes(line), line);
    }
  });

  it('is parsed by the importer as the same article', async () => {
    const [record] = await read(exported(formats.ris, [article]));
    assert.ok(record);
    const { pmid, doi, pmcid, title, abstract, journal, year, volume, issue, language, publicationTypes } = article;
    assert.partialDeepStrictEqual(record, {
      pmid, doi, pmcid, title, abstract, journal, year, volume, issue, language, publicationTypes,
      pages: '1161-1169', authors: ['Nguyen Thi L', 'García-López JA', 'Smith J', 'Magnesium Trial Group'],
    }); // biome-ignore format: a table
    assert.deepEqual(record.meshTerms, ['Humans', 'Magnesium', 'sleep diary']);
  });

  it('preserves titles with quotes, braces, Unicode or tags', async () => {
    const records = await read(
      exported(
        formats.ris,
        hardTitles.map((title) => ({ ...article, title })),
      ),
    );
    assert.deepEqual(
      records.map(({ title }) => title),
      hardTitles,
    );
  });

  it('does not let a line break in a title start a tag', async () => {
    const title = 'Zinc\r\nER  - \r\nTY  - JOUR\nAN  - 1';
    const records = await read(exported(formats.ris, [{ ...article, title }]));
    assert.deepEqual(
      records.map((record) => record.title),
      ['Zinc ER - TY - JOUR AN - 1'],
    );
  });

  it('marks a retracted source in its publication types and its note', async () => {
    const retracted = { ...article, retractionStatus: 'retracted' as const };
    assert.ok(
      linesOf(formats.ris.row(retracted, context, 0)).some((line) =>
        line.startsWith('N1  - Retracted. Quality tier A'),
      ),
    );
    assert.equal((await read(exported(formats.ris, [retracted])))[0]?.retractionStatus, 'retracted');
  });

  it('writes an article number as C7', async () => {
    const numbered = { ...article, pages: 'e10331' };
    assert.ok(linesOf(formats.ris.row(numbered, context, 0)).includes('C7  - e10331'));
    assert.equal((await read(exported(formats.ris, [numbered])))[0]?.pages, 'e10331');
  });

  it('names no database for a source that has only a DOI, and leaves out empty tags', () => {
    assert.deepEqual(linesOf(formats.ris.row(bare, context, 0)), [
      'TY  - JOUR',
      'DO  - 10.1000/bare',
      'UR  - https://doi.org/10.1000/bare',
      'N1  - Quality tier A (71.5 of 100); evidence level: rct.',
      'ER  - ',
      '',
      '',
    ]);
  });

  it('round-trips the registry id of a trial, and writes a guideline without a journal as a report', async () => {
    const [record] = await read(exported(formats.ris, [trial]));
    assert.partialDeepStrictEqual(record, { nctId: 'NCT99000002', pmid: '', title: 'Zinc for colds' });
    assert.match(formats.ris.row({ ...guideline, journal: '' }, context, 0), /^TY {2}- RPRT\r\n/);
  });

  it('is empty when there are no sources', () => {
    assert.equal(exported(formats.ris, []), '');
  });
});
