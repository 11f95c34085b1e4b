import assert from 'node:assert/strict';
import {
  changesAfter,
  idsOf,
  ingest,
  lastChange,
  MADE_TOPICS,
  madeArticle,
  madeDeletion,
  madeFile,
  madeSupplement,
  revisionsOf,
  servicesOf,
  temporaryFolder,
  useService,
  zincTrial,
} from './support.ts';

const jatsOf = (pmid: number): string =>
  `<article><front><article-meta><article-id pub-id-type="pmid">${pmid}</article-id><title-group><article-title>Zinc in full</article-title></title-group></article-meta></front></article>`;

describe('retractions, deletions and other updates', () => {
  const content = temporaryFolder();
  const files = temporaryFolder();
  before(async () => {
    await content.put('topics.yaml', MADE_TOPICS);
    await content.put('supplements/zinc.md', madeSupplement('Zinc'));
  });
  const base = useService(() => ({ contentDir: content.path() }));

  const pubmed = async (...parts: string[]) =>
    ingest(base.service, 'pubmed', await files.put('pubmed.xml', madeFile(...parts)));
  const list = async (...lines: string[]) =>
    ingest(base.service, 'retractions', await files.put('list.tsv', ['pmid\tdoi\tnature', ...lines, ''].join('\n')));
  const shown = async (pmid: number) => {
    const { body } = await base.client.sources({ page_size: 200, exclude_retracted: false }).expect(200);
    return body.sources.find((source: { pmid: string }) => source.pmid === String(pmid));
  };
  const statusOf = async (pmid: number): Promise<string> => (await shown(pmid)).retraction_status;
  const found = async (pmid: number, more: object = {}): Promise<boolean> =>
    idsOf((await base.client.search({ q: `number ${pmid}`, top_k: 50, ...more }).expect(200)).body.results).includes(
      `pmid-${pmid}`,
    );

  it('mark a stored source as retracted, exclude it from searches and add a change log entry', async () => {
    const pmid = 99004001;
    await pubmed(madeArticle(zincTrial(pmid)));
    const { quality_tier: tier } = await shown(pmid);
    assert.ok(await found(pmid));
    const last = await lastChange(base.service);
    const report = await list(`${pmid}\t\tRetraction`);
    assert.deepEqual([report.read, report.changed, report.unchanged], [1, 1, 0]);
    const source = await shown(pmid);
    assert.deepEqual([source.retraction_status, source.quality_tier], ['retracted', 'D']);
    assert.equal(await found(pmid), false);
    assert.equal(await found(pmid, { exclude_retracted: false }), true);
    const [retracted, published] = await changesAfter(base.service, last);
    assert.deepEqual(retracted, {
      kind: 'evidence.retracted',
      subject_id: `pmid-${pmid}`,
      data: {
        pmid: String(pmid),
        doi: `10.5555/made.${pmid}`,
        old: { quality_tier: tier, retraction_status: 'none' },
        new: { quality_tier: 'D', retraction_status: 'retracted' },
      },
    });
    assert.equal(published?.kind, 'index.published');
  });

  it('from a list apply to records imported later, by PMID or by DOI', async () => {
    await list('99004011\t\tRetraction', '\t10.5555/MADE.99004012\tRetraction', '\t\tRetraction');
    await pubmed(madeArticle(zincTrial(99004011)), madeArticle(zincTrial(99004012)), madeArticle(zincTrial(99004013)));
    assert.equal(await statusOf(99004011), 'retracted');
    assert.equal(await statusOf(99004012), 'retracted');
    assert.equal(await statusOf(99004013), 'none');
    assert.equal(await found(99004011), false);
  });

  it("persist when PubMed's record is imported again without them", async () => {
    await pubmed(madeArticle(zincTrial(99004021)));
    await list('99004021\t\tRetraction');
    await pubmed(madeArticle(zincTrial(99004021, { title: 'Zinc, a corrected title' })));
    assert.equal(await statusOf(99004021), 'retracted');
    assert.equal((await shown(99004021)).title, 'Zinc, a corrected title');
  });

  it('change nothing when the same list is imported again', async () => {
    await pubmed(madeArticle(zincTrial(99004031)));
    await list('99004031\t10.5555/made.99004031\tRetraction');
    const [before, last] = [await revisionsOf(base.service), await lastChange(base.service)];
    const report = await list('99004031\t10.5555/made.99004031\tRetraction');
    assert.deepEqual([report.changed, report.unchanged], [0, 1]);
    assert.deepEqual(await revisionsOf(base.service), before);
    assert.equal(await lastChange(base.service), last);
  });

  it('do not lower a status because of a less severe notice in the same or a later import', async () => {
    await pubmed(madeArticle(zincTrial(99004041)), madeArticle(zincTrial(99004042)));
    await list('99004041\t\tRetraction', '99004041\t\tCorrection', '99004041\t\tExpression of concern');
    assert.equal(await statusOf(99004041), 'retracted');
    await list('99004042\t\tRetraction');
    await list('99004042\t\tCorrection');
    assert.equal(await statusOf(99004042), 'retracted');
    const erratum = madeArticle({ pmid: 99004049, title: 'Erratum', links: [['ErratumFor', 99004042]] });
    await pubmed(erratum);
    assert.equal(await statusOf(99004042), 'retracted');
  });

  it('replace an expression of concern with a retraction', async () => {
    await pubmed(madeArticle(zincTrial(99004051)));
    await list('99004051\t\tExpression of concern');
    assert.equal(await statusOf(99004051), 'concern');
    assert.ok(await found(99004051), 'a doubtful source is still found');
    await list('99004051\t\tRetraction');
    assert.equal(await statusOf(99004051), 'retracted');
  });

  it('cancel a retraction after a reinstatement', async () => {
    await pubmed(madeArticle(zincTrial(99004061)));
    await list('99004061\t\tRetraction');
    await list('99004061\t\tReinstatement');
    assert.equal(await statusOf(99004061), 'none');
    assert.ok(await found(99004061));
  });

  it('are read from a notice linked to its article, imported before or after it', async () => {
    const notice = (pmid: number, of: number) =>
      madeArticle({ pmid, title: 'Retraction notice', types: ['Retraction Notice'], links: [['RetractionOf', of]] });
    await pubmed(madeArticle(zincTrial(99004071)), notice(99004079, 99004071));
    assert.equal(await statusOf(99004071), 'retracted');
    await pubmed(notice(99004078, 99004072));
    await pubmed(madeArticle(zincTrial(99004072)));
    assert.equal(await statusOf(99004072), 'retracted');
  });

  it('log a new record with the status retracted as a creation, not as a retraction', async () => {
    const last = await lastChange(base.service);
    await pubmed(madeArticle(zincTrial(99004081, { types: ['Retracted Publication'] })));
    assert.equal(await statusOf(99004081), 'retracted');
    assert.deepEqual(
      (await changesAfter(base.service, last)).map(({ kind }) => kind),
      ['evidence.created', 'index.published'],
    );
  });

  it('remove a source deleted by PubMed from lists and searches, and add a change log entry', async () => {
    const pmid = 99004091;
    await pubmed(madeArticle(zincTrial(pmid)));
    const last = await lastChange(base.service);
    const report = await pubmed(madeDeletion(pmid, 99004099));
    assert.deepEqual([report.read, report.removed, report.unchanged], [2, 1, 1]);
    assert.equal(await shown(pmid), undefined);
    assert.equal(await found(pmid, { exclude_retracted: false }), false);
    assert.equal(servicesOf(base.service).index.state().documents, (await revisionsOf(base.service)).size);
    const changes = await changesAfter(base.service, last);
    assert.deepEqual(
      changes.map(({ kind, subject_id: id }) => [kind, id]),
      [
        ['evidence.removed', `pmid-${pmid}`],
        ['index.published', 'pubmed'],
      ],
    );
  });

  it('restore a deleted source under the same id when PubMed publishes it again', async () => {
    const pmid = 99004101;
    await pubmed(madeArticle(zincTrial(pmid)));
    await pubmed(madeDeletion(pmid));
    const report = await pubmed(madeArticle(zincTrial(pmid)));
    assert.equal(report.added, 1);
    assert.equal((await shown(pmid)).source_id, `pmid-${pmid}`);
    assert.ok(await found(pmid));
  });

  it('do not remove a source that another origin still has', async () => {
    const pmid = 99004111;
    await pubmed(madeArticle(zincTrial(pmid)));
    await ingest(base.service, 'jats', await files.put('full.nxml', jatsOf(pmid)));
    await pubmed(madeDeletion(pmid));
    assert.equal((await shown(pmid)).title, 'Zinc in full');
  });

  it('apply a deletion when the same file also contains the article', async () => {
    const report = await pubmed(madeArticle(zincTrial(99004121)), madeDeletion(99004121));
    assert.deepEqual([report.read, report.added], [2, 0]);
    assert.equal(await shown(99004121), undefined);
  });

  it('are logged as evidence.tier_changed for a changed tier and as evidence.updated for a changed title', async () => {
    const pmid = 99004131;
    await pubmed(madeArticle(zincTrial(pmid)));
    const before = await shown(pmid);
    let last = await lastChange(base.service);
    await pubmed(madeArticle(zincTrial(pmid, { title: 'Zinc, a corrected title' })));
    assert.deepEqual((await changesAfter(base.service, last))[0]?.kind, 'evidence.updated');
    last = await lastChange(base.service);
    await pubmed(
      madeArticle(zincTrial(pmid, { title: 'Zinc, a corrected title', types: ['Editorial'], abstract: '' })),
    );
    const after = await shown(pmid);
    assert.notEqual(after.quality_tier, before.quality_tier);
    const [change] = await changesAfter(base.service, last);
    assert.deepEqual(change, {
      kind: 'evidence.tier_changed',
      subject_id: `pmid-${pmid}`,
      data: {
        pmid: String(pmid),
        doi: `10.5555/made.${pmid}`,
        old: { quality_tier: before.quality_tier },
        new: { quality_tier: after.quality_tier },
      },
    });
  });
});
