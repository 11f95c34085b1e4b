import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { studyPieces } from '#plugins/evidence/importers/json-studies.ts';
import { eventsOf, fixture, listOf, needs, problemsIn, recordsIn, temporaryFolder } from './support.ts';

const study = (nctId: string, more = ''): string =>
  `{"protocolSection":{"identificationModule":{"nctId":"${nctId}","briefTitle":"T"}}${more}}`;

describe('ctgov importer', () => {
  const folder = temporaryFolder();
  const idsOf = async (content: string): Promise<string[]> =>
    recordsIn(await eventsOf('ctgov', await folder.put('s.json', content))).map((record) => record.nctId);

  it('maps a registered trial with its enrolment, status, sponsor and keywords', async () => {
    const [record] = recordsIn(await eventsOf('ctgov', fixture('studies.json')));
    assert.deepEqual(
      { ...record, pmid: undefined, doi: undefined },
      {
        origin: 'ctgov',
        pmid: undefined,
        doi: undefined,
        pmcid: '',
        nctId: 'NCT99000021',
        title: 'A Randomized Trial of Invented "Herb" {X} [Y]',
        abstract: 'Line one* of the summary > here.',
        authors: [],
        journal: 'ClinicalTrials.gov',
        year: 2019,
        volume: '',
        issue: '',
        pages: '',
        language: 'eng',
        publicationTypes: ['Clinical Trial', 'Randomized', 'Results Posted'],
        meshTerms: ['Sleep Initiation and Maintenance Disorders'],
        keywords: ['Insomnia', 'Invented herb', 'Herba inventa', 'sleep'],
        bodyText: '',
        fundingText: 'Sponsor: Example Botanicals (INDUSTRY). Collaborators: Example University (OTHER)',
        enrolment: 64,
        trialStatus: 'COMPLETED (actual)',
        trialPhase: 'Phase 2/Phase 3',
        license: '',
        openAccessUrl: '',
        retractionStatus: 'none',
        stated: null,
      },
    );
  });

  it('leaves the abstract of a trial without a summary empty', async () => {
    const record = recordsIn(await eventsOf('ctgov', fixture('studies.json')))[1];
    assert.equal(record?.abstract, '');
    assert.deepEqual(
      [record?.title, record?.enrolment, record?.trialStatus],
      ['An observational study', 500, 'RECRUITING (planned)'],
    );
  });

  it('reads an array, API pages, JSON Lines, a single study and gzip', async () => {
    const [one, two] = [study('NCT99000023'), study('NCT99000024', ',"note":"a \\"}] \\\\"')];
    const both = ['NCT99000023', 'NCT99000024'];
    assert.deepEqual(await idsOf(`[${one},\n${two}]`), both);
    assert.deepEqual(await idsOf(`{"totalCount":2,"studies":[${one},${two}],"nextPageToken":"x"}`), both);
    assert.deepEqual(await idsOf(`{"nextPageToken":"x","studies":[${one}]}\n{"studies":[${two}]}`), both);
    assert.deepEqual(await idsOf(`${one}\n${two}\n`), both);
    assert.deepEqual(await idsOf(one), ['NCT99000023']);
    assert.equal(recordsIn(await eventsOf('ctgov', await folder.put('s.json.gz', gzipSync(`[${one}]`)))).length, 1);
    assert.deepEqual(await eventsOf('ctgov', await folder.put('none.json', '{"studies": []}')), []);
  });

  it('splits the text into the same studies for every chunk size', async () => {
    const text = await readFile(fixture('studies.json'), 'utf8');
    for (const size of [1, 2, 3, 7, 100]) {
      async function* chunks() {
        for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size);
      }
      const pieces = await listOf(studyPieces(chunks()));
      assert.deepEqual(
        pieces.map((piece) => piece.type),
        ['study', 'study'],
      );
      assert.deepEqual(
        pieces.map((piece) => (piece.type === 'study' ? JSON.parse(piece.json) : null)),
        JSON.parse(text),
      );
    }
  });

  it('continues after a study that is malformed or unclosed and after an object that is not a study', async () => {
    const lines = [
      study('NCT99000025'),
      study('NCT99000026').slice(0, -3),
      study('NCT99000027').replace('"briefTitle":', '"briefTitle"'),
      '{"error":"x"}',
      study('12'),
      study('NCT99000028'),
    ];
    const events = await eventsOf('ctgov', await folder.put('damaged.jsonl', lines.join('\n')));
    assert.deepEqual(
      recordsIn(events).map((record) => record.nctId),
      ['NCT99000025', 'NCT99000028'],
    );
    const problems = problemsIn(events);
    assert.match(problems[0] ?? '', /^damaged\.jsonl › study 2: is not closed before the next one begins$/);
    assert.match(problems[1] ?? '', /^damaged\.jsonl › study 3: \(NCT99000027\) is malformed JSON and was left out/);
    assert.match(problems[2] ?? '', /study 4: is no study of ClinicalTrials\.gov/);
    assert.match(problems[3] ?? '', /study 5: has neither PMID, DOI nor NCT id/);
  });

  it('recovers from an unclosed string at the next study', async () => {
    const text = `[${study('NCT99000025')},\n${study('NCT99000026').replace('"T"', '"T')}\n,${study('NCT99000027')}]`;
    const events = await eventsOf('ctgov', await folder.put('quote.json', text));
    assert.deepEqual(
      recordsIn(events).map((record) => record.nctId),
      ['NCT99000025', 'NCT99000027'],
    );
    assert.deepEqual(problemsIn(events), ['quote.json › study 2: has a line end inside a string']);
    const chunk = async function* () {
      for (const character of text) yield character;
    };
    const pieces = await listOf(studyPieces(chunk()));
    assert.deepEqual(
      pieces.map((piece) => piece.type),
      ['study', 'broken', 'study'],
    );
  });

  it('reports a truncated file and a file of another format', async () => {
    const cut = await eventsOf(
      'ctgov',
      await folder.put('cut.json', `[${study('NCT99000029')},${study('NCT99000030').slice(0, 40)}`),
    );
    assert.equal(recordsIn(cut).length, 1);
    assert.deepEqual(problemsIn(cut), ['cut.json › study 2: is cut short: the file ends inside it']);
    const other = [
      await eventsOf('ctgov', fixture('pubmed.xml')),
      await eventsOf('ctgov', await folder.put('n.json', '[1,2]')),
      await eventsOf('ctgov', await folder.put('e.json', '')),
    ];
    assert.deepEqual(other.flatMap(problemsIn), [
      'pubmed.xml: holds XML, not ClinicalTrials.gov JSON',
      'n.json: holds text, not ClinicalTrials.gov JSON',
      'e.json: is empty',
    ]);
  });

  it('reads all 1,091 real trials', async function () {
    const events = await eventsOf('ctgov', needs(this, 'clinicaltrials'));
    const records = recordsIn(events);
    assert.equal(records.length, 1091);
    assert.deepEqual(problemsIn(events), []);
    assert.ok(records.every((record) => /^NCT\d{8}$/.test(record.nctId) && record.title !== ''));
    assert.equal(records.filter((record) => record.enrolment === null).length, 4);
    assert.equal(records.filter((record) => record.year === null).length, 2);
  });
});
