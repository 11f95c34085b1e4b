import assert from 'node:assert/strict';
import { eventsOf, fixture, needs, problemsIn, temporaryFolder } from './support.ts';

describe('retractions importer', () => {
  const folder = temporaryFolder();

  it('reads the Retraction Watch columns, with quotes, line breaks in cells, and every RetractionNature', async () => {
    const events = await eventsOf('retractions', fixture('retraction-watch.csv'));
    const at = (line: number): string => `retraction-watch.csv › line ${line}`;
    assert.deepEqual(events, [
      {
        type: 'retraction',
        at: at(2),
        pmid: '99000051',
        doi: '10.5555/rw.1',
        status: 'retracted',
        reason: 'Duplication of Image; Investigation by Journal/Publisher',
      },
      {
        type: 'retraction',
        at: at(4),
        pmid: '',
        doi: '10.5555/rw.2',
        status: 'concern',
        reason: 'Concerns/Issues About Data',
      },
      { type: 'retraction', at: at(5), pmid: '99000053', doi: '', status: 'corrected', reason: 'Error in Text' },
      { type: 'retraction', at: at(6), pmid: '99000054', doi: '10.5555/rw.4', status: 'none', reason: '' },
      { type: 'problem', at: at(7), message: 'has neither PMID nor DOI' },
      { type: 'problem', at: at(8), message: 'has a RetractionNature unknown here, "Something new"' },
    ]);
  });

  it('reads a table of PMIDs separated by tabs, commas or semicolons', async () => {
    assert.equal((await eventsOf('retractions', fixture('retracted.tsv'))).length, 3);
    for (const mark of [',', ';', '\t']) {
      const path = await folder.put('t.csv', `doi${mark}PMID\r10.5555/a"b${mark}"99000064"\r`);
      const [event] = await eventsOf('retractions', path);
      assert.deepEqual(event, {
        type: 'retraction',
        at: 't.csv › line 2',
        pmid: '99000064',
        doi: '10.5555/a"b',
        status: 'retracted',
        reason: '',
      });
    }
  });

  it('reports missing columns, an unclosed quote and a file of another format', async () => {
    const missing = await eventsOf('retractions', await folder.put('m.csv', 'a,b\n1,2\n'));
    assert.deepEqual(problemsIn(missing), [
      'm.csv: is no retraction list: its first line names neither a pmid nor a doi column',
    ]);
    const open = await eventsOf(
      'retractions',
      await folder.put('o.csv', 'pmid,doi\n99000065,\n"99000066,\n99000067,\n'),
    );
    assert.equal(open.length, 2);
    assert.deepEqual(problemsIn(open), ['o.csv: ends inside a quoted cell: its row begins on line 3']);
    assert.deepEqual(problemsIn(await eventsOf('retractions', fixture('pubmed.xml'))), [
      'pubmed.xml: holds XML, not a retraction list',
    ]);
  });

  it('reads all 45,433 real lines', async function () {
    const events = await eventsOf('retractions', needs(this, 'literature/retracted-pmids.tsv'));
    assert.equal(events.length, 45_433);
    assert.deepEqual(problemsIn(events), []);
  });
});
