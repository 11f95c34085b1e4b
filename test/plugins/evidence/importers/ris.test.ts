import assert from 'node:assert/strict';
import { typesInField } from '#plugins/evidence/importers/ris-types.ts';
import { eventsOf, fixture, needs, problemsIn, recordsIn, temporaryFolder } from './support.ts';

describe('ris importer', () => {
  const folder = temporaryFolder();

  it('maps a PubMed record with MeSH terms, joined publication types and pages', async () => {
    const [record] = recordsIn(await eventsOf('ris', fixture('export.ris')));
    assert.equal(record?.pmid, '99000041');
    assert.equal(record?.doi, '10.5555/fish.41');
    assert.equal(record?.title, 'Omega-3 & mood');
    assert.equal(record?.abstract, 'A trial (NCT99000041) of fish oil.');
    assert.equal(record?.nctId, 'NCT99000041');
    assert.deepEqual(record?.authors, ['Angler A', 'Fisher FF']);
    assert.deepEqual(record?.publicationTypes, ['Journal Article', 'Randomized Controlled Trial']);
    assert.deepEqual(record?.meshTerms, ['Humans', 'Fish Oils']);
    assert.deepEqual([record?.year, record?.volume, record?.pages], [2017, '3', '10-19']);
  });

  it('reads a registry record by its trial id and a PMID from Cochrane, but not an article number named PMID', async () => {
    const events = await eventsOf('ris', fixture('export.ris'));
    const [, registered, other] = recordsIn(events);
    assert.deepEqual(
      [registered?.nctId, registered?.pmid, registered?.journal],
      ['NCT99000042', '', 'ClinicalTrials.gov'],
    );
    assert.deepEqual([other?.pmid, other?.year, other?.fundingText], ['99000043', 2015, 'Grants: Example Oil Co.']);
    assert.deepEqual(problemsIn(events), ['export.ris › record 4: has neither PMID, DOI nor NCT id']);
  });

  it('splits joined publication types only when all of them are known', () => {
    assert.deepEqual(typesInField("Journal Article Clinical Trial, Phase II Research Support, Non-U.S. Gov't"), [
      'Journal Article',
      'Clinical Trial, Phase II',
      "Research Support, Non-U.S. Gov't",
    ]);
    assert.deepEqual(typesInField('Journal Article about Fish'), ['Journal Article about Fish']);
    assert.deepEqual(typesInField('Review, Journal Article'), ['Review', 'Journal Article']);
  });

  it('reports a file without RIS records, and reads a last record without ER', async () => {
    assert.deepEqual(problemsIn(await eventsOf('ris', fixture('export.nbib'))), [
      'export.nbib: holds no RIS record: no line begins with "TY  - "',
    ]);
    const path = await folder.put('open.ris', '\ufeffTY  - JOUR\nTI  - Open\nDO  - 10.5555/open');
    assert.deepEqual(
      recordsIn(await eventsOf('ris', path)).map((record) => record.doi),
      ['10.5555/open'],
    );
  });

  it('agrees with the NBIB export on the 42 real records that both contain', async function () {
    const nbib = new Map(
      recordsIn(await eventsOf('nbib', needs(this, 'literature/nmn-nr-84.nbib'))).map((record) => [
        record.pmid,
        record,
      ]),
    );
    const events = await eventsOf('ris', needs(this, 'literature/nmn-nr.ris'));
    const records = recordsIn(events);
    // The file has 129 records of five databases; the rest are registry entries and abstracts without a supported id.
    assert.equal(records.length, 111);
    assert.equal(problemsIn(events).length, 18);
    const shared = records.filter((record) => nbib.has(record.pmid));
    assert.equal(shared.length, 42);
    for (const record of shared) {
      const twin = nbib.get(record.pmid);
      const facts = (one = twin) => [
        one?.doi,
        one?.title,
        one?.year,
        one?.journal,
        one?.volume,
        one?.issue,
        one?.pages,
        one?.authors,
        one?.publicationTypes,
        one?.abstract,
      ];
      assert.deepEqual(facts(record), facts());
    }
  });
});
