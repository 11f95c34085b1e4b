import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { syncContent } from '#core/content-sync.ts';
import { MADE_TOPICS, madeSupplement, query, temporaryFolder, useService } from '../evidence/support.ts';
import { madeTable, madeValues } from './support.ts';

const NOTE = `---
findings:
  - source: "pmid:99160011"
    row: 1
    supplement: zinc
    topic: sleep
    people: adults
    population: invented adults
    outcome: time to fall asleep
    design: rct
    title: Zinc for invented sleep
    direction: no_difference
    importance: critical
    measure: MD
    estimate: -2
    low: -6
    high: 2
    unit: minutes
    participants: 120
    summary: Zinc made no difference to invented sleep.
---
Notes on the reading.
`;

describe('findings in content/', () => {
  const content = temporaryFolder();
  before(async () => {
    await content.put('topics.yaml', MADE_TOPICS);
    await content.put('supplements/zinc.md', madeSupplement('Zinc'));
    await content.put('findings/made.tsv', madeTable(madeValues({ source: 'pmid:99160001' })));
    await content.put('findings/note.md', NOTE);
    await content.put('findings/README.txt', 'This is no table.');
  });
  const base = useService(() => ({ contentDir: content.path() }));
  const sync = () => syncContent(base.service.runtime, content.path());
  const ids = async (): Promise<string[]> => {
    const { body } = await base.client.get('/api/findings').expect(200);
    return body.findings.map(({ id }: { id: string }) => id);
  };
  const stored = () => query(base.service, 'select id, file, finding, changed_at from finding order by id');
  /** Writes a file, expects the sync to fail with the given message, and restores the previous text. */
  const failing = async (name: string, text: string, message: string, before: string | null = null): Promise<void> => {
    const state = await stored();
    await content.put(name, text);
    try {
      await assert.rejects(sync(), { message });
    } finally {
      if (before === null) await rm(content.path(name));
      else await content.put(name, before);
    }
    assert.deepEqual(await stored(), state, 'a sync that failed leaves the findings as they were');
    await sync();
  };

  it('are read from tables and from front matter', async () => {
    assert.deepEqual(await ids(), ['pmid:99160001#1', 'pmid:99160011#1']);
    const { body } = await base.client.get('/api/findings/pmid%3A99160011%231').expect(200);
    assert.deepEqual([body.estimate, body.low, body.participants, body.use], [-2, -6, 120, 'main']);
  });

  it('do not change when the content did not change', async () => {
    const before = await stored();
    assert.deepEqual(await sync(), { changed: 0, gone: 0 });
    assert.deepEqual(await stored(), before);
  });

  it('include only rows used as a main finding or a subgroup and ignore errors in the other rows', async () => {
    const table = madeTable(
      madeValues({ source: 'pmid:99160021' }),
      madeValues({ source: 'pmid:99160022', use: 'subgroup' }),
      madeValues({ source: 'nonsense', use: 'not_supplement', reason: 'food', supplement: '', estimate: 'none' }),
      madeValues({ source: 'pmid:99160023', use: 'unconfirmed' }),
    );
    await content.put('findings/more.tsv', table);
    await sync();
    assert.deepEqual(
      (await ids()).filter((id) => id.startsWith('pmid:9916002')),
      ['pmid:99160021#1', 'pmid:99160022#1'],
    );
  });

  it('are removed with their file', async () => {
    await rm(content.path('findings/more.tsv'));
    await sync();
    assert.deepEqual(await ids(), ['pmid:99160001#1', 'pmid:99160011#1']);
  });

  it('update the file name when a row moves to another file', async () => {
    const row = madeValues({ source: 'pmid:99160031' });
    await content.put('findings/one.tsv', madeTable(row));
    await sync();
    await rm(content.path('findings/one.tsv'));
    await content.put('findings/other.tsv', madeTable(row));
    await sync();
    const [found] = await query(base.service, "select file from finding where id = 'pmid:99160031#1'");
    assert.deepEqual(found, { file: 'findings/other.tsv' });
    await rm(content.path('findings/other.tsv'));
    await sync();
  });

  it('report the file and line of an invalid row', async () => {
    const cases = [
      [{ estimate: 'about 2' }, 'field estimate: "about 2" is not a number'],
      [{ estimate: '3' }, 'field estimate: 3 is not between -2 and -1'],
      [{ supplement: 'unobtainium' }, 'field supplement: no supplement is called "unobtainium"'],
      [{ topic: 'nonsense' }, 'field topic: no topic is called "nonsense"'],
      [{ condition: 'testitis' }, 'field condition: no condition is called "testitis"'],
      [{ source: 'doi:none' }, 'field source: "doi:none" is no pmid:…, no doi:… and no https:// address'],
      [{ summary: '' }, 'field summary: is missing'],
      [{ participants: '-4' }, 'field participants: "-4" is not a whole number'],
    ] as const;
    const good = madeValues({ source: 'pmid:99160041' });
    for (const [fields, message] of cases) {
      const table = madeTable(good, madeValues({ source: 'pmid:99160042', ...fields }));
      await failing('findings/wrong.tsv', table, `content/findings/wrong.tsv:3: ${message}`);
    }
  });

  it('count the lines in a quoted cell with line breaks', async () => {
    const table = madeTable(
      madeValues({ source: 'pmid:99160043', summary: '"Two\nlines."' }),
      madeValues({ source: 'pmid:99160044', year: 'soon' }),
    );
    await failing('findings/wrong.tsv', table, 'content/findings/wrong.tsv:4: field year: "soon" is not a number');
  });

  it('report the file, line and field of an error in front matter', async () => {
    const line = NOTE.split('\n').findIndex((text) => text.includes('estimate:')) + 1;
    const wrong = NOTE.replaceAll('99160011', '99160051').replace('estimate: -2', 'estimate: 20');
    await failing(
      'findings/wrong.md',
      wrong,
      `content/findings/wrong.md:${line}: field findings.0.estimate: 20 is not between -6 and 2`,
    );
  });

  it('report the file of a table that cannot be read', async () => {
    await failing(
      'findings/wrong.tsv',
      `${madeTable(madeValues({ source: 'pmid:99160061' }))}"pmid:99160062\t1\n`,
      'content/findings/wrong.tsv: ends inside a quoted cell: its row begins on line 3',
    );
  });

  it('are rejected when two files contain the same finding', async () => {
    const again = madeTable(madeValues({ source: 'pmid:99160001' }));
    await failing(
      'findings/again.tsv',
      again,
      'content/findings/again.tsv: finding pmid:99160001#1 stands in content/findings/made.tsv already',
    );
  });

  it('are rejected when one file contains the same finding twice', async () => {
    const row = madeValues({ source: 'pmid:99160071' });
    await failing(
      'findings/twice.tsv',
      madeTable(row, row),
      'content/findings/twice.tsv: finding pmid:99160071#1 stands in content/findings/twice.tsv already',
    );
  });
});
