import assert from 'node:assert/strict';
import { authorFromField, authorOf, initialsOf } from '#plugins/evidence/importers/authors.ts';
import { cleanText, cutText, titleSaysRetracted } from '#plugins/evidence/importers/clean-text.ts';
import {
  doiOf,
  firstNctId,
  languageOf,
  nctIdOf,
  pmcidOf,
  pmidOf,
  yearIn,
} from '#plugins/evidence/importers/identifiers.ts';
import { importerOf, importers } from '#plugins/evidence/importers/index.ts';

describe('fields shared by importers', () => {
  it('registers the importers by kind, and returns undefined for an unknown kind', () => {
    assert.deepEqual(
      importers.map((importer) => importer.kind),
      ['pubmed', 'jats', 'ctgov', 'nbib', 'ris', 'retractions'],
    );
    assert.equal(importerOf('nothing'), undefined);
  });

  it('normalises DOIs, and returns an empty string for an invalid DOI', () => {
    assert.equal(doiOf(' https://doi.org/10.5555/ABC.1 '), '10.5555/abc.1');
    assert.equal(doiOf('http://dx.doi.org/10.5555/a%2Fb'), '10.5555/a/b');
    assert.equal(doiOf('doi: 10.5555/x.'), '10.5555/x');
    assert.equal(doiOf('10.1002/(SICI)1097<1::AID>3.0.CO;2-2'), '10.1002/(sici)1097<1::aid>3.0.co;2-2');
    for (const none of ['', 'unavailable', '10.55/x', '10.5555/', '10.5555/a b', '11.5555/x'])
      assert.equal(doiOf(none), '', none);
  });

  it('normalises PMIDs, PMCIDs and trial ids', () => {
    assert.deepEqual(
      ['99000001', 'PMID: 99000001', '0099000001', 'https://pubmed.ncbi.nlm.nih.gov/99000001/'].map(pmidOf),
      Array(4).fill('99000001'),
    );
    for (const none of ['', '0', 'x1', '1234567890', '12 34', '-1']) assert.equal(pmidOf(none), '', none);
    assert.deepEqual(['PMC99', '99', 'pmc-id: PMC99;', 'x'].map(pmcidOf), ['PMC99', 'PMC99', 'PMC99', '']);
    assert.deepEqual(['NCT99000001', ' nct99000001 ', 'NCT9900000', 'NCT990000011'].map(nctIdOf), [
      'NCT99000001',
      'NCT99000001',
      '',
      '',
    ]);
    assert.equal(firstNctId('(clinicaltrials.gov NCT99000001; NCT99000002)'), 'NCT99000001');
    assert.equal(firstNctId('NCT990000012'), '');
  });

  it('parses years and languages', () => {
    assert.deepEqual(['1998 Dec-1999 Jan', '2025//', '20210907', 'Winter', '12345', '2020-06'].map(yearIn), [
      1998,
      2025,
      2021,
      null,
      null,
      2020,
    ]);
    assert.deepEqual(['en-US', 'English', 'eng', 'ger', ''].map(languageOf), ['eng', 'eng', 'eng', 'ger', '']);
  });

  it('cleans text of entities, tags, control characters, extra spaces and lone surrogates', () => {
    assert.equal(cleanText(' a\u00a0 b\n\tc '), 'a b c');
    assert.equal(cleanText('A &amp; B &lt;sup&gt;2&lt;/sup&gt; &#x3b2; &nosuch;'), 'A & B 2 β &nosuch;');
    assert.equal(cleanText('p <0.05 and n> 30, <i class="x">E. coli</i>'), 'p <0.05 and n> 30, E. coli');
    assert.equal(cleanText('a\u0000b\u0007c\u200bd\ud800e'), 'abcd\ufffde');
    assert.equal(cutText('ab😀', 3), 'ab');
  });

  it('formats personal names as family name and initials', () => {
    assert.deepEqual(['Paul M.', 'PM', 'Jean-Paul', 'J P', 'jose'].map(initialsOf), ['PM', 'PM', 'JP', 'JP', 'J']);
    assert.equal(authorOf('van der Berg', 'Anna'), 'van der Berg A');
    assert.deepEqual(['Smith, John A.', 'Smith JA', 'Smith, J., Jr.', 'Trial Group'].map(authorFromField), [
      'Smith JA',
      'Smith JA',
      'Smith J',
      'Trial Group',
    ]);
  });

  it('distinguishes the title of a retracted article from that of a notice', () => {
    assert.ok(titleSaysRetracted('RETRACTED: Zinc'));
    assert.ok(titleSaysRetracted('[Retracted] Zinc'));
    assert.ok(titleSaysRetracted('Zinc (Retracted article. See vol. 3)'));
    assert.ok(!titleSaysRetracted('Retraction: Zinc'));
    assert.ok(!titleSaysRetracted('Retracted papers in nutrition: a survey'));
  });
});
