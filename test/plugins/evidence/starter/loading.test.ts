import assert from 'node:assert/strict';
import { startService, type TestService } from '../../../support/service.ts';
import { startBeside } from '../../../support/shared.ts';
import { until } from '../../../support/until.ts';
import {
  clientOf,
  ingest,
  levelIndex,
  MADE_TOPICS,
  madeArticle,
  madeFile,
  madeSupplement,
  query,
  servicesOf,
  temporaryFolder,
  zincTrial,
} from '../support.ts';
import { jsonLines, packFolder, zincPaper } from './support.ts';

const PMIDS = Array.from({ length: 450 }, (_, at) => String(99_008_000 + at));

describe('the starter corpus in a server', function () {
  this.timeout(120_000);
  const content = temporaryFolder();
  const inputs = temporaryFolder();
  const settings = { STARTER_EVIDENCE: 'all' };
  let service: TestService;
  let client: Awaited<ReturnType<typeof clientOf>>;

  const stageOf = ({ runtime }: TestService) => servicesOf({ runtime } as TestService).starter.stages()[0];
  const runs = () => query<{ id: string }>(service, "select id from import_run where kind = 'corpus'");

  before(async () => {
    await content.put('topics.yaml', MADE_TOPICS);
    await content.put('supplements/zinc.md', madeSupplement('Zinc'));
    await inputs.put('abstracts.jsonl.gz', jsonLines(PMIDS.map((pmid) => zincPaper(pmid))));
    const { bytes } = await packFolder(inputs.path());
    await content.put('evidence/corpus.jsonl.br', bytes);
    service = await startService({ contentDir: content.path(), settings });
    await until(() => stageOf(service)?.status === 'ok');
    await levelIndex(service);
    client = await clientOf(service);
  });
  after(() => service.stop());

  it('is loaded in the background with its progress in the pipeline status', async () => {
    const { body } = await client.get('/api/pipeline/status').expect(200);
    const stage = body.stages.find(({ name }: { name: string }) => name === 'load_evidence');
    assert.deepEqual([stage.status, stage.items], ['ok', PMIDS.length]);
    const stats = await client.get('/api/stats').expect(200);
    assert.equal(stats.body.sources.total, PMIDS.length);
  });

  it('is graded by the extracted values of the abstracts', async () => {
    const { body } = await client.sources({ page_size: 1 }).expect(200);
    const [source] = body.sources;
    assert.deepEqual(
      [source.evidence_level, source.sample_size_n, source.species, source.verticals, source.abstract_or_summary],
      ['rct', 240, 'human', ['zinc-colds'], ''],
    );
  });

  it('includes the extracted values with sentence numbers, but no text of the abstract', async () => {
    const { body } = await client.get(`/v1/evidence/pmid-${PMIDS[1]}`).expect(200);
    const { sentences, dose, comparator, duration, sample_size, outcomes } = body.details;
    assert.deepEqual(
      [sentences, dose.value, dose.sentence, comparator.value, comparator.sentence, duration, sample_size.sentence],
      [4, '75 mg', 1, 'placebo', 1, null, 1],
    );
    assert.deepEqual(
      outcomes.map(({ topic, outcome }: { topic: string; outcome: string }) => [topic, outcome]),
      [['colds', 'common cold']],
    );
    assert.ok(dose.probability > 0.5 && dose.probability < 1);
    assert.deepEqual(body.passages, {});
  });

  it('is found by a word that occurs only in the abstracts', async () => {
    const { body } = await client.search({ q: 'wombats' }).expect(200);
    assert.ok(body.results.length > 0);
    assert.deepEqual((await client.search({ q: 'platypus' })).body.results, []);
  });

  it('is not loaded again at the next start', async () => {
    const before = await runs();
    const beside = await startBeside(service, { contentDir: content.path(), settings });
    try {
      await until(() => stageOf(beside)?.status === 'ok');
    } finally {
      await beside.stop();
    }
    assert.deepEqual(await runs(), before);
  });

  it('is replaced by the abstract itself when that is imported', async () => {
    const trial = zincTrial(99_008_000, { title: zincPaper(PMIDS[0] ?? '').title, doi: undefined });
    const path = await inputs.put('one.xml', madeFile(madeArticle(trial)));
    const report = await ingest(service, 'pubmed', path);
    assert.deepEqual([report.added, report.changed], [0, 1]);
    const [row] = await query<{ index_words: string; abstract: string; origins: string[] }>(
      service,
      "select index_words, abstract, origins from evidence_source where pmid = '99008000'",
    );
    assert.equal(row?.index_words, '');
    assert.ok(row?.abstract.startsWith('We randomly assigned'));
    assert.deepEqual(row?.origins, ['corpus', 'pubmed']);
    const { body } = await client.get('/v1/evidence/pmid-99008000').expect(200);
    assert.match(body.passages[body.details.comparator.sentence], /zinc lozenges or placebo/);
  });

  it('loses the papers that a later version no longer includes', async () => {
    await inputs.put('abstracts.jsonl.gz', jsonLines(PMIDS.slice(0, 449).map((pmid) => zincPaper(pmid))));
    await content.put('evidence/corpus.jsonl.br', (await packFolder(inputs.path())).bytes);
    const beside = await startBeside(service, { contentDir: content.path(), settings });
    try {
      await until(() => stageOf(beside)?.status === 'ok');
    } finally {
      await beside.stop();
    }
    const [row] = await query<{ n: number }>(
      service,
      'select count(*)::int as n from evidence_source where removed_at is null',
    );
    assert.equal(row?.n, 449);
  });

  it('is not loaded, with the reason in the status, when the file is damaged', async () => {
    const { bytes } = await packFolder(inputs.path());
    await content.put('evidence/corpus.jsonl.br', bytes.subarray(0, bytes.length - 20));
    const beside = await startBeside(service, { contentDir: content.path(), settings });
    try {
      await until(() => stageOf(beside)?.status === 'failed');
      assert.equal(stageOf(beside)?.note, 'the file does not match its own checksum: it is truncated or was changed');
    } finally {
      await beside.stop();
    }
  });
});
