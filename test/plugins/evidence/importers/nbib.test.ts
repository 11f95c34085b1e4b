import assert from 'node:assert/strict';
import { eventsOf, fixture, needs, problemsIn, recordsIn, temporaryFolder } from './support.ts';

describe('nbib importer', () => {
  const folder = temporaryFolder();

  it('maps a record with wrapped lines, MeSH terms, grants and notices', async () => {
    const [record, retracted] = recordsIn(await eventsOf('nbib', fixture('export.nbib')));
    assert.deepEqual(record, {
      origin: 'nbib',
      pmid: '99000031',
      doi: '10.5555/knee.31',
      pmcid: 'PMC99000031',
      nctId: 'NCT99000032',
      title: 'Curcumin and the knee: a randomized trial.',
      abstract: 'BACKGROUND: Knees hurt. METHODS: We randomised 90 people. Registered as NCT99000031.',
      authors: ['Sample S', 'Knee Group'],
      journal: 'Journal of knees',
      year: 2020,
      volume: '5',
      issue: '1',
      pages: '1-9',
      language: 'eng',
      publicationTypes: ['Journal Article', 'Randomized Controlled Trial'],
      meshTerms: ['Humans', 'Curcumin', 'Curcuma extract'],
      keywords: ['knee pain'],
      bodyText: '',
      fundingText:
        'Grants: Example Foundation; Example Ministry. Competing interests: The authors declare no competing interests.',
      enrolment: null,
      trialStatus: '',
      trialPhase: '',
      license: '',
      openAccessUrl: 'https://www.ncbi.nlm.nih.gov/pmc/articles/PMC99000031/',
      retractionStatus: 'corrected',
      stated: null,
    });
    assert.deepEqual([retracted?.pmid, retracted?.retractionStatus, retracted?.year], ['99000032', 'retracted', 2021]);
  });

  it('reads CRLF files, and records without a blank line between them', async () => {
    const path = await folder.put('crlf.nbib', 'PMID- 99000034\r\nTI  - One\r\nPMID- 99000035\r\nTI  - Two\r\n');
    assert.deepEqual(
      recordsIn(await eventsOf('nbib', path)).map((record) => record.title),
      ['One', 'Two'],
    );
  });

  it('reports a file without NBIB records, and lines that belong to no record', async () => {
    const ris = await eventsOf('nbib', fixture('export.ris'));
    assert.deepEqual(problemsIn(ris), ['export.ris: holds no NBIB record: no line begins with "PMID- "']);
    const stray = await eventsOf(
      'nbib',
      await folder.put('stray.nbib', 'PMID- 99000036\nTI  - One\n\nsomething\nelse\n\nPMID- 1x\n\n'),
    );
    assert.deepEqual(problemsIn(stray), [
      'stray.nbib › line 4: belongs to no record: a record begins with "PMID- "',
      'stray.nbib › record 2: has neither PMID, DOI nor NCT id',
    ]);
  });

  it('reads all 84 real records with PMID, DOI, title, year and abstract', async function () {
    const events = await eventsOf('nbib', needs(this, 'literature/nmn-nr-84.nbib'));
    const records = recordsIn(events);
    assert.equal(records.length, 84);
    assert.deepEqual(problemsIn(events), []);
    assert.ok(
      records.every(
        (record) =>
          /^\d{8}$/.test(record.pmid) && record.title !== '' && record.abstract !== '' && record.year !== null,
      ),
    );
    assert.ok(records.every((record) => record.publicationTypes.length > 0 && record.authors.length > 0));
    assert.equal(records.filter((record) => record.pmcid !== '').length, 57);
  });
});
