import assert from 'node:assert/strict';
import { syncContent } from '#core/content-sync.ts';
import {
  idsOf,
  ingest,
  levelIndex,
  MADE_TOPICS,
  madeArticle,
  madeEntry,
  madeFile,
  madeSupplement,
  revisionsOf,
  temporaryFolder,
  useService,
  zincTrial,
} from './support.ts';

/** Builds a JATS full text with a licence and no year. */
const jatsArticle = (ids: { pmid?: number; doi?: string }): string =>
  `<?xml version="1.0"?>
<article xmlns:xlink="http://www.w3.org/1999/xlink" article-type="research-article"><front>
<journal-meta><journal-title-group><journal-title>Zinc, as the full text has it</journal-title></journal-title-group></journal-meta>
<article-meta>
${ids.pmid ? `<article-id pub-id-type="pmid">${ids.pmid}</article-id>` : ''}${ids.doi ? `<article-id pub-id-type="doi">${ids.doi}</article-id>` : ''}
<title-group><article-title>Zinc for colds, as the full text has it</article-title></title-group>
<contrib-group><contrib contrib-type="author"><name><surname>Writer</surname><given-names>Wendy</given-names></name></contrib></contrib-group>
<volume>9</volume>
<permissions><license xlink:href="http://creativecommons.org/licenses/by/4.0/"><license-p>Free.</license-p></license></permissions>
</article-meta></front></article>`;

const nbibRecord = (lines: readonly string[]): string => `\n${lines.join('\n')}\n`;

describe('records of one source from several origins', () => {
  const content = temporaryFolder();
  const files = temporaryFolder();
  before(async () => {
    await content.put('topics.yaml', MADE_TOPICS);
    await content.put('supplements/zinc.md', madeSupplement('Zinc'));
  });
  const base = useService(() => ({ contentDir: content.path() }));

  const pubmed = async (...articles: Parameters<typeof madeArticle>[0][]) =>
    ingest(base.service, 'pubmed', await files.put('pubmed.xml', madeFile(...articles.map(madeArticle))));
  const jats = async (ids: { pmid?: number; doi?: string }) =>
    ingest(base.service, 'jats', await files.put('article.nxml', jatsArticle(ids)));
  const editor = async (pmid: number): Promise<void> => {
    await content.put(`sources/of-${pmid}.yaml`, madeEntry({ pmid: String(pmid) }));
    await syncContent(base.service.runtime, content.path());
    await levelIndex(base.service);
  };
  // biome-ignore lint/suspicious/noExplicitAny: records as the API sends them
  const list = async (): Promise<any[]> => (await base.client.sources({ page_size: 200 }).expect(200)).body.sources;
  const withPmid = async (pmid: number) => (await list()).filter((source) => source.pmid === String(pmid));
  const withDoi = async (doi: string) => (await list()).filter((source) => source.doi === doi);

  it('are merged into one source, in the order of precedence editor, PubMed, full text', async () => {
    const pmid = 99003001;
    await pubmed(zincTrial(pmid, { journal: 'J Invented Nutr' }));
    await jats({ pmid });
    await editor(pmid);
    const [source, ...others] = await withPmid(pmid);
    assert.deepEqual(others, []);
    assert.equal(source.source_id, `pmid-${pmid}`);
    assert.deepEqual(
      {
        title: source.title,
        journal: source.journal,
        year: source.year,
        sample: source.sample_size,
        direction: source.effect_direction,
        funding: source.funding,
        text: source.abstract_or_summary,
        doi: source.doi,
        license: source.license,
        authors: source.authors,
      },
      {
        title: 'Zinc for colds, as the editor has it',
        journal: 'Journal of Invented Nutrition',
        year: 2020,
        sample: '90',
        direction: 'null',
        funding: 'public',
        text: 'In 90 invented adults zinc made no difference to the length of a cold over five winters.',
        doi: `10.5555/made.${pmid}`,
        license: 'CC BY',
        authors: ['Writer W'],
      },
    );
    const found = await base.client.search({ q: 'zinc common cold lozenges', top_k: 50 });
    assert.equal(idsOf(found.body.results).filter((id) => id === source.source_id).length, 1);
  });

  it('are merged into the same source in any order of import', async () => {
    const orders: [number, (pmid: number) => (() => Promise<unknown>)[]][] = [
      [99003011, (pmid) => [() => pubmed(zincTrial(pmid)), () => jats({ pmid }), () => editor(pmid)]],
      [99003012, (pmid) => [() => editor(pmid), () => jats({ pmid }), () => pubmed(zincTrial(pmid))]],
      [99003013, (pmid) => [() => jats({ pmid }), () => pubmed(zincTrial(pmid)), () => editor(pmid)]],
    ];
    const seen: string[] = [];
    for (const [pmid, stepsOf] of orders) {
      for (const step of stepsOf(pmid)) await step();
      const [source, ...others] = await withPmid(pmid);
      assert.deepEqual(others, []);
      seen.push(JSON.stringify({ ...source, updated_at: '' }).replaceAll(String(pmid), '…'));
    }
    assert.equal(new Set(seen).size, 1);
  });

  it('are merged by DOI when one has no PMID, under the id of the first', async () => {
    const [pmid, doi] = [99003021, '10.5555/made.99003021'];
    await jats({ doi });
    const [first] = await withDoi(doi);
    assert.match(first.source_id, /^doi-[0-9a-f]{16}$/);
    await pubmed(zincTrial(pmid));
    const joined = await withDoi(doi);
    assert.deepEqual([idsOf(joined), joined[0].pmid], [[first.source_id], String(pmid)]);
    assert.match(joined[0].title, /^Zinc lozenges/);
  });

  it('are merged when a later record has the PMID of one and the DOI of the other', async () => {
    const [pmid, doi] = [99003031, '10.5555/made.99003031'];
    await pubmed(zincTrial(pmid, { doi: '' }));
    await jats({ doi });
    assert.equal((await withDoi(doi)).length + (await withPmid(pmid)).length, 2);
    const link = nbibRecord([`PMID- ${pmid}`, 'TI  - Zinc, as an export has it', `AID - ${doi} [doi]`]);
    await ingest(base.service, 'nbib', await files.put('export.nbib', link));
    assert.deepEqual(idsOf(await withDoi(doi)), [`pmid-${pmid}`]);
    assert.equal((await withPmid(pmid))[0].license, 'CC BY');
    const { body } = await base.client.search({ q: 'zinc as the full text has it', top_k: 50 });
    assert.equal(body.results.filter((one: { doi: string }) => one.doi === doi).length, 1);
    // A repeated import of the full text alone still belongs to the merged source.
    await jats({ doi });
    assert.deepEqual(idsOf(await withDoi(doi)), [`pmid-${pmid}`]);
  });

  it('are not merged when their PMIDs differ, even with the same DOI', async () => {
    const doi = '10.5555/two.in.one';
    await pubmed(zincTrial(99003041, { doi }), zincTrial(99003042, { doi }));
    assert.deepEqual(idsOf(await withDoi(doi)).sort(), ['pmid-99003041', 'pmid-99003042']);
  });

  it('are counted once when one file contains an article twice, and the last version is stored', async () => {
    const [earlier, later] = [
      zincTrial(99003051, { title: 'Zinc, first version.' }),
      zincTrial(99003051, { title: 'Zinc, second version.' }),
    ];
    const report = await pubmed(earlier, later);
    assert.deepEqual([report.read, report.added, report.unchanged], [2, 1, 1]);
    assert.deepEqual(
      (await withPmid(99003051)).map(({ title }) => title),
      ['Zinc, second version.'],
    );
  });

  it('are not merged when they are a registered trial and an article that names it', async () => {
    const nct = 'NCT99000021';
    await ingest(base.service, 'ctgov', 'test/fixtures/import/studies.json');
    await pubmed(
      zincTrial(99003061, { abstract: `Registered as ${nct}. We gave zinc for the common cold to 80 adults.` }),
    );
    const named = (await list()).filter((source) => source.nct_id === nct);
    assert.deepEqual(idsOf(named).sort(), [`nct-${nct}`, 'pmid-99003061']);
    assert.deepEqual(named.map(({ source_class: name }) => name).sort(), ['clinical_trial', 'pubmed_article']);
  });

  it('do not change other sources', async () => {
    const before = await revisionsOf(base.service);
    await pubmed(zincTrial(99003071));
    const after = await revisionsOf(base.service);
    for (const [id, state] of before) assert.equal(after.get(id), state, id);
    assert.equal(after.size, before.size + 1);
  });
});
