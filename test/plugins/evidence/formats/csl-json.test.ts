import assert from 'node:assert/strict';
import { formats } from '#plugins/evidence/formats/index.ts';
import type { SourceRow } from '#plugins/evidence/source-view.ts';
import { article, bare, exported, guideline, hardTitles, trial } from './support.ts';

type Item = Record<string, unknown>;
const itemsOf = (...sources: SourceRow[]): Item[] => JSON.parse(exported(formats.csljson, sources)) as Item[];

describe('CSL JSON export', () => {
  it('writes an article with the field names of the CSL schema', () => {
    assert.deepEqual(itemsOf(article), [
      {
        id: 'pmid-99000001',
        'citation-key': 'nguyenthi2012effect_99000001',
        type: 'article-journal',
        author: [
          { family: 'Nguyen Thi', given: 'L.' },
          { family: 'García-López', given: 'J. A.' },
          { family: 'Smith', given: 'J.', suffix: 'Jr' },
          { literal: 'Magnesium Trial Group' },
        ],
        issued: { 'date-parts': [[2012]] },
        language: 'en',
        title: article.title,
        'container-title': 'Journal of Examples',
        volume: '17',
        issue: '12',
        page: '1161-1169',
        DOI: '10.1000/example_1.(a)<b>',
        PMID: '99000001',
        PMCID: 'PMC9900001',
        URL: 'https://pubmed.ncbi.nlm.nih.gov/99000001/',
        abstract: article.abstract,
        keyword: 'magnesium-sleep, magnesium-ageing',
        note: [
          'Quality tier A (71.5 of 100); evidence level: rct.',
          'quality_tier: A',
          'quality_score: 71.5',
          'evidence_level: rct',
          'retraction_status: none',
          'nct_id: NCT99000001',
          'license: CC BY',
        ].join('\n'),
      },
    ]);
  });

  it('is a JSON array for zero, one and many sources', () => {
    assert.deepEqual(itemsOf(), []);
    assert.equal(itemsOf(article).length, 1);
    const titles = itemsOf(...hardTitles.map((title) => ({ ...article, title }))).map(({ title }) => title);
    assert.deepEqual(titles, hardTitles);
  });

  it('writes trials as datasets, and guidelines as reports or journal articles', () => {
    const [first, second, third] = itemsOf(trial, { ...guideline, journal: '' }, guideline);
    assert.partialDeepStrictEqual(first, { type: 'dataset', publisher: 'ClinicalTrials.gov', number: 'NCT99000002' });
    assert.deepEqual([second?.type, third?.type], ['report', 'article-journal']);
  });

  it('states a retraction in the note', () => {
    const [item] = itemsOf({ ...article, retractionStatus: 'retracted' });
    assert.match(String(item?.note), /^Retracted\. Quality tier A .*\n(?:.*\n)*retraction_status: retracted\n/);
  });

  it('leaves out unknown fields', () => {
    assert.deepEqual(Object.keys(itemsOf(bare)[0] ?? {}), ['id', 'citation-key', 'type', 'DOI', 'URL', 'note']);
  });
});
