/**
 * Tests the path from actions of editors, operators and readers to a receiver, with the worker of the running server.
 */
import { strict as assert } from 'node:assert';
import { syncContent } from '#core/content-sync.ts';
import { api } from '../../support/client.ts';
import { ingest, madeArticle, madeFile, temporaryFolder, useService, zincTrial } from '../evidence/support.ts';
import { GINKGO, madeRule, putContent, ruleFile } from '../interactions/rule-content.ts';
import { fixture, importPaths } from '../products/support.ts';
import { adminOf, change, type Receiver, type Registered, retraction, startReceiver, verified } from './support.ts';

type Event = { readonly type: string; readonly data: Record<string, unknown>; readonly index_version: string };

describe('webhook events of real changes', function () {
  this.timeout(300_000);
  const files = temporaryFolder();
  before(() => putContent(files));
  const base = useService(() => ({ contentDir: files.path(), settings: { WEBHOOK_ALLOW_PRIVATE: 'on' } }));
  let receiver: Receiver;
  let hook: Registered;
  let admin: ReturnType<typeof adminOf>;
  beforeEach(async () => {
    admin = adminOf(base.service, base.client.key);
    receiver = await startReceiver();
    hook = await admin.register(receiver.url);
  });
  afterEach(async () => {
    await admin.delete(`/api/webhooks/${hook.id}`).expect(200);
    await receiver.stop();
  });

  const events = async (count: number): Promise<Event[]> => {
    await receiver.waitFor(count);
    return receiver.requests.map((request) => verified(request, hook.secret) as Event);
  };
  const kinds = (list: readonly Event[]): string[] => list.map(({ type }) => type).sort();

  it('report a source that an import adds and a later import retracts', async () => {
    const pmid = 99_600_001;
    await ingest(base.service, 'pubmed', await files.put('one.xml', madeFile(madeArticle(zincTrial(pmid)))));
    assert.deepEqual(kinds(await events(2)), ['evidence.created', 'index.published']);
    await ingest(
      base.service,
      'retractions',
      await files.put('list.tsv', `pmid\tdoi\tnature\n${pmid}\t\tRetraction\n`),
    );
    const all = await events(4);
    const retracted = all.find(({ type }) => type === 'evidence.retracted');
    const { old, ...rest } = retracted?.data ?? {};
    assert.deepEqual(rest, {
      source_id: `pmid-${pmid}`,
      pmid: String(pmid),
      doi: `10.5555/made.${pmid}`,
      new: { quality_tier: 'D', retraction_status: 'retracted' },
      url: `http://evidence.test/v1/evidence/pmid-${pmid}`,
    });
    assert.ok(old);
    const health = await api(base.service).get('/api/health').expect(200);
    assert.match(String(health.body.index_version), new RegExp(`^${retracted?.index_version.slice(0, 1)}`));
  });

  it('report one event with counts for an import of many sources', async () => {
    const many = Array.from({ length: 120 }, (_, at) => madeArticle(zincTrial(99_610_000 + at)));
    await ingest(base.service, 'pubmed', await files.put('many.xml', madeFile(...many)));
    const [event, ...others] = await events(1);
    assert.deepEqual(others, []);
    assert.equal(event?.type, 'index.published');
    assert.deepEqual([event?.data.part, event?.data.source], ['corpus', 'pubmed']);
    assert.equal((event?.data.counts as { added?: number } | undefined)?.added, 120);
  });

  it('report an interaction whose severity increases in content/', async () => {
    const rules = (severity: string) =>
      ruleFile('ginkgo', [...GINKGO, madeRule('ginkgo-metformin', { with: { drug: 'metformin' }, severity })]);
    await files.put('interactions/ginkgo.yaml', rules('moderate'));
    await syncContent(base.service.runtime, files.path());
    await files.put('interactions/ginkgo.yaml', rules('major'));
    await syncContent(base.service.runtime, files.path());
    const all = await events(2);
    assert.deepEqual(
      all.map(({ type, data }) => ({ type, ...data })).sort((a, b) => a.type.localeCompare(b.type)),
      [
        {
          type: 'interaction.created',
          interaction_id: 'ginkgo-metformin',
          supplement_slug: 'ginkgo',
          new: { severity: 'moderate' },
          url: 'http://evidence.test/interactions/ginkgo',
        },
        {
          type: 'interaction.severity_changed',
          interaction_id: 'ginkgo-metformin',
          supplement_slug: 'ginkgo',
          old: { severity: 'moderate' },
          new: { severity: 'major' },
          url: 'http://evidence.test/interactions/ginkgo',
        },
      ],
    );
    await api(base.service).get('/interactions/ginkgo').expect(200);
  });

  it('report imported products, and each recalled product once', async () => {
    await importPaths(base.service, 'dsld', [fixture('dsld')]);
    await importPaths(base.service, 'recalls', [fixture('dsld-recalls.json')]);
    await importPaths(base.service, 'recalls', [fixture('dsld-recalls.json')]);
    await change(base.service, retraction('pmid-last'));
    let all: Event[] = [];
    for (let count = 1; !all.some(({ data }) => data.source_id === 'pmid-last'); count += 1) all = await events(count);
    const created = all.filter(({ type }) => type === 'product.created').map(({ data }) => data);
    assert.ok(created.length > 3, kinds(all).join());
    assert.match(String(created[0]?.url), /^http:\/\/evidence\.test\/product\/\d+$/);
    const recalled = all.filter(({ type }) => type === 'product.recalled').map(({ data }) => data);
    const named = new Set(recalled.map(({ dsld_id, recall_number }) => `${dsld_id} ${recall_number}`));
    assert.ok(recalled.length > 0);
    assert.equal(named.size, recalled.length);
    const published = all.filter(({ type, data }) => type === 'index.published' && data.source === 'recalls');
    assert.equal(published.length, 1);
  });

  it('include a test event on request, whose response reports the delivery', async () => {
    const { body } = await admin.post(`/api/webhooks/${hook.id}/test`).expect(200);
    assert.deepEqual([body.status, body.response_status, body.attempts], ['delivered', 204, 1]);
    const [event] = await events(1);
    assert.equal(event?.type, 'webhook.test');
  });
});
