import assert from 'node:assert/strict';
import type { SourceRecord } from '#plugins/evidence/source-record.ts';
import { decodePack, encodePack, readPackHeader } from '#plugins/evidence/starter/pack-format.ts';
import { temporaryFolder } from '../support.ts';
import { jsonLines, packFolder, zincPaper } from './support.ts';

const recordsOf = async (bytes: Buffer): Promise<SourceRecord[]> => {
  const records: SourceRecord[] = [];
  for await (const record of decodePack(bytes)) records.push(record);
  return records;
};

describe('packing the starter corpus', () => {
  const folder = temporaryFolder();
  const putPapers = (papers: Parameters<typeof jsonLines>[0]) => folder.put('abstracts.jsonl.gz', jsonLines(papers));
  const clear = (name: string) => folder.put(name, 'pmid\tdoi\n');

  afterEach(async () => {
    await clear('retracted-pmids.tsv');
    await clear('suspect-pmids.tsv');
  });

  it('includes the extracted values and the sorted words of an abstract, and no sentence', async () => {
    await putPapers([zincPaper('99007001')]);
    const { bytes } = await packFolder(folder.path());
    const [record] = await recordsOf(bytes);
    assert.equal(record?.abstract, '');
    assert.deepEqual(
      [record?.packed?.reading.design.kind, record?.packed?.reading.size.n, record?.packed?.reading.species],
      ['rct', 240, 'human'],
    );
    assert.deepEqual(
      record?.packed?.supplements.map(({ slug }) => slug),
      ['zinc'],
    );
    assert.deepEqual(
      record?.packed?.topics.map(({ slug }) => slug),
      ['colds'],
    );
    const words = record?.packed?.words.split(' ') ?? [];
    assert.ok(words.includes('wombats'));
    assert.deepEqual(words, words.toSorted());
  });

  it('returns the same bytes for the same files', async () => {
    await putPapers([zincPaper('99007001'), zincPaper('99007002')]);
    const [first, second] = [await packFolder(folder.path()), await packFolder(folder.path())];
    assert.ok(first.bytes.equals(second.bytes));
  });

  it('excludes retracted and suspect papers, and papers about no supplement', async () => {
    await putPapers([
      zincPaper('99007001'),
      zincPaper('99007002'),
      zincPaper('99007003'),
      zincPaper('99007004', {
        title: 'Zinc-air batteries with a long life',
        abstract: 'An electrode was coated with zinc.',
      }),
      zincPaper('99007005', { publication_types: ['Journal Article', 'Retraction Notice'] }),
    ]);
    await folder.put('retracted-pmids.tsv', 'pmid\tdoi\n99007002\t\n');
    await folder.put('suspect-pmids.tsv', 'pmid\twhy\n99007003\tmade up\n');
    const { bytes, report } = await packFolder(folder.path());
    assert.deepEqual(
      (await recordsOf(bytes)).map(({ pmid }) => pmid),
      ['99007001'],
    );
    assert.deepEqual([report.retracted, report.suspect, report.offTopic], [2, 1, 1]);
  });

  it('includes only the one with an abstract of two papers with the same title', async () => {
    const title = 'Zinc lozenges for the common cold in a made-up town';
    await putPapers([zincPaper('99007001', { title, abstract: '' }), zincPaper('99007002', { title })]);
    const { bytes, report } = await packFolder(folder.path());
    assert.deepEqual(
      (await recordsOf(bytes)).map(({ pmid }) => pmid),
      ['99007002'],
    );
    assert.equal(report.doubles, 1);
  });

  it('excludes a paper that is already known under another PMID', async () => {
    const title = 'Zinc lozenges for the common cold in a made-up town';
    await putPapers([zincPaper('99007001', { title })]);
    const known = [{ pmid: '99007009', doi: '', title: `${title}.` }];
    assert.equal((await packFolder(folder.path(), { known })).report.kept, 0);
  });

  it('links older versions of a Cochrane review to the newest, and a correction to its article', async () => {
    const review = {
      title: 'Zinc for the common cold in invented people',
      journal: 'The Cochrane database of systematic reviews',
    };
    await putPapers([
      zincPaper('99007001', { ...review, publication_date: '2011' }),
      zincPaper('99007002', { ...review, publication_date: '2024' }),
      zincPaper('99007003', { title: 'Zinc lozenges and the common cold of invented schoolchildren' }),
      zincPaper('99007004', {
        title: 'Correction: Zinc lozenges and the common cold of invented schoolchildren. J Inv Nutr 2021.',
        publication_types: ['Published Erratum'],
      }),
      zincPaper('99007005', { title: 'Corrigendum: Zinc and the common cold in a paper that is not here' }),
    ]);
    const records = await recordsOf((await packFolder(folder.path())).bytes);
    assert.deepEqual(
      records.map(({ pmid, supersededBy = '', retractionStatus }) => [pmid, supersededBy, retractionStatus]),
      [
        ['99007001', 'pmid:99007002', 'none'],
        ['99007002', '', 'none'],
        ['99007003', '', 'corrected'],
        ['99007004', 'pmid:99007003', 'none'],
      ],
    );
  });

  describe('an invalid pack file', () => {
    const refusal = async (bytes: Buffer): Promise<string> =>
      recordsOf(bytes).then(
        () => 'read',
        (error: Error) => error.message,
      );
    let bytes: Buffer;
    before(async () => {
      bytes = await encodePack([], 'read-test');
    });

    it('is rejected when it is not a pack file', async () => {
      for (const text of ['', '\n', 'no corpus', '{"format":"other"}\n', '{']) {
        assert.equal(await refusal(Buffer.from(text)), 'is no file of a starter corpus');
      }
    });

    it('is rejected when it has another format version', async () => {
      const end = bytes.indexOf('\n');
      const header = { ...readPackHeader(bytes), version: 7 };
      const other = Buffer.concat([Buffer.from(JSON.stringify(header)), bytes.subarray(end)]);
      assert.equal(await refusal(other), 'has format version 7; this program reads version 1');
    });

    it('is rejected when it is truncated or was modified', async () => {
      const changed = Buffer.from(bytes);
      changed[changed.length - 1]! ^= 1;
      for (const damaged of [bytes.subarray(0, bytes.length - 3), changed])
        assert.equal(await refusal(damaged), 'does not match its own checksum: it is truncated or was changed');
    });
  });
});
