import assert from 'node:assert/strict';
import { formats } from '#plugins/evidence/formats/index.ts';
import { nbib as importer } from '#plugins/evidence/importers/nbib.ts';
import { article, bare, context, exported, hardTitles, imported } from './support.ts';

const read = (text: string) => imported(importer, 'export.nbib', text);

describe('NBIB export', () => {
  it('wraps values at 80 columns and indents continuation lines by six spaces', () => {
    const lines = formats.nbib
      .row({ ...article, abstract: 'magnesium '.repeat(40) }, context, 0)
      .trimEnd()
      .split('\n');
    for (const line of lines) {
      assert.ok(line.length <= 80, line);
      assert.match(line, /^(?:[A-Z]{2,4} {0,2}- \S| {6}\S)/);
    }
    assert.equal(lines[0], 'PMID- 99000001');
    assert.ok(lines.filter((line) => line.startsWith(' ')).length > 5);
  });

  it('writes the MEDLINE tags', () => {
    const lines = formats.nbib.row(article, context, 0).split('\n');
    for (const line of [
      'LID - 10.1000/example_1.(a)<b> [doi]',
      'FAU - García-López, J A',
      'AU  - García-López JA',
      'FAU - Smith, J, Jr',
      'AU  - Smith J Jr',
      'CN  - Magnesium Trial Group',
      'SI  - ClinicalTrials.gov/NCT99000001',
      'PT  - Randomized Controlled Trial',
      'GN  - Quality tier A (71.5 of 100); evidence level: rct.',
      'PMC - PMC9900001',
      'SO  - Journal of Examples. 2012;17(12):1161-9. doi: 10.1000/example_1.(a)<b>.',
    ]) {
      assert.ok(lines.includes(line), line);
    }
  });

  it('is parsed by the importer as the same article', async () => {
    const [record] = await read(exported(formats.nbib, [article]));
    const { pmid, doi, pmcid, nctId, title, abstract, authors, journal, year, volume, issue, pages } = article;
    const { language, publicationTypes, meshTerms, keywords, openAccessUrl } = article;
    assert.partialDeepStrictEqual(record, {
      pmid, doi, pmcid, nctId, title, abstract, authors, journal, year, volume, issue, pages,
      language, publicationTypes, meshTerms, keywords, openAccessUrl, retractionStatus: 'none',
    }); // biome-ignore format: a table
  });

  it('preserves titles with quotes, braces, Unicode, tags or very long words', async () => {
    const titles = [...hardTitles, `Zinc ${'x'.repeat(200)} and ${'copper '.repeat(30)}PMID- 5`];
    const records = await read(
      exported(
        formats.nbib,
        titles.map((title) => ({ ...article, title })),
      ),
    );
    assert.deepEqual(
      records.map(({ title }) => title),
      titles,
    );
  });

  it('does not let a line break in a title start a tag', async () => {
    const records = await read(exported(formats.nbib, [{ ...article, title: 'Zinc\n\nPMID- 1\r\nTI  - copper' }]));
    assert.deepEqual(
      records.map(({ pmid, title }) => [pmid, title]),
      [['99000001', 'Zinc PMID- 1 TI - copper']],
    );
  });

  for (const retractionStatus of ['none', 'corrected', 'concern', 'retracted'] as const) {
    it(`round-trips the retraction status "${retractionStatus}"`, async () => {
      const text = exported(formats.nbib, [{ ...article, retractionStatus }]);
      assert.equal((await read(text))[0]?.retractionStatus, retractionStatus);
      assert.equal(text.includes('PT  - Retracted Publication\n'), retractionStatus === 'retracted');
    });
  }

  it('starts a record without a PMID with an empty PMID tag', async () => {
    const text = exported(formats.nbib, [bare, article]);
    assert.ok(text.startsWith('PMID- \nLID - 10.1000/bare [doi]\n'));
    assert.deepEqual(
      (await read(text)).map(({ pmid, doi }) => [pmid, doi]),
      [
        ['', bare.doi],
        [article.pmid, article.doi],
      ],
    );
  });
});
