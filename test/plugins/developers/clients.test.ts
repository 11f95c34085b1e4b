/** Tests the generated clients: types, retries and webhook verification. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { api } from '../../support/client.ts';
import { type SharedService, sharedService } from '../../support/shared.ts';

const run = promisify(execFile);
const modules = join(import.meta.dirname, '../../../node_modules');

/** Starts a server that replies with these statuses and then with 200, as an overloaded service does. */
const busyServer = async (statuses: number[]): Promise<{ server: Server; url: string; times: number[] }> => {
  const times: number[] = [];
  const server = createServer((_request, reply) => {
    times.push(Date.now());
    const status = statuses.shift() ?? 200;
    reply.writeHead(status, { 'Content-Type': 'application/json', ...(status !== 200 && { 'Retry-After': '1' }) });
    const error = { detail: 'Busy', code: 'reduced_capacity', status, request_id: 'req_1' };
    reply.end(JSON.stringify(status === 200 ? { suggestions: [], status: 'ok' } : error));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, times };
};

const SECRET = `whsec_${Buffer.from('a secret of twenty-four b').toString('base64')}`;
const sign = (id: string, at: number, body: string): string =>
  createHmac('sha256', Buffer.from(SECRET.slice(6), 'base64'))
    .update(`${id}.${at}.${body}`)
    .digest('base64');
const deliveries = () => {
  const body = '{"type":"webhook.test","data":{"ä":1}}';
  const now = Math.floor(Date.now() / 1000);
  const headers = (at: number, signature: string) => ({
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(at),
    'webhook-signature': signature,
  });
  const good = sign('msg_1', now, body);
  return {
    body,
    good: headers(now, `v1a,AAAA v1,${good}`),
    wrong: headers(now, `v1,${good.replace(/^./, (first) => (first === 'A' ? 'B' : 'A'))}`),
    old: headers(now - 400, `v1,${sign('msg_1', now - 400, body)}`),
  };
};

describe('the generated clients', function () {
  this.timeout(300_000);
  let service: SharedService;
  let folder: string;
  let python = false;
  before(async () => {
    service = await sharedService();
    folder = await mkdtemp(join(tmpdir(), 'ekb-clients-'));
    const files = { 'evidence_base.ts': 'typescript.ts', 'evidence_base.py': 'python.py' };
    for (const [name, source] of Object.entries(files)) {
      const { text } = await api(service).get(`/developers/clients/${source}`).buffer(true).expect(200);
      await writeFile(join(folder, name), (text ?? '').replaceAll('http://evidence.test', service.url));
    }
    await writeFile(join(folder, 'package.json'), '{"type":"module"}');
    await symlink(modules, join(folder, 'node_modules'));
    python = await run('python3', ['-c', 'import sys; assert sys.version_info >= (3, 9)']).then(
      () => true,
      () => false,
    );
  });
  after(() => rm(folder, { recursive: true, force: true }));

  /** Runs a program beside the client, and returns the JSON that it printed last. */
  const ask = async (program: 'node' | 'python3', code: string): Promise<unknown> => {
    const file = join(folder, program === 'node' ? 'asking.ts' : 'asking.py');
    await writeFile(file, code);
    const { stdout } = await run(program === 'node' ? process.execPath : program, [file], {
      cwd: folder,
      env: { ...process.env, EKB_KEY: service.admin.key },
    });
    return JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
  };
  const ts = (code: string): Promise<unknown> =>
    ask('node', `import { env } from 'node:process';\nimport * as made from './evidence_base.ts';\n${code}`);
  const py = (code: string): Promise<unknown> =>
    ask('python3', `import json, os\nimport evidence_base as made\n${code}`);

  it('compile under strict TypeScript settings, with a program that uses their types', async () => {
    const use = `import { ApiError, EvidenceBase, type EvidenceSearchReply, eachPage } from './evidence_base.ts';
      const base = new EvidenceBase({ key: 'x' });
      export const first = async (): Promise<string> => {
        const reply: EvidenceSearchReply = await base.evidenceSearch({ q: 'zinc', top_k: 3, min_quality_tier: 'A' });
        const year: number | null | undefined = reply.results[0]?.year;
        for await (const page of eachPage((given) => base.productsBrands(given), { page_size: 5 })) void page.brands.length;
        // @ts-expect-error: q is needed
        await base.evidenceSearch({});
        // @ts-expect-error: no such tier
        await base.evidenceSearch({ q: 'zinc', min_quality_tier: 'Z' });
        return String(year) + String(new ApiError(401, {}, null).code);
      };`;
    await writeFile(join(folder, 'use.ts'), use);
    const options =
      '--noEmit --strict --target es2024 --module nodenext --erasableSyntaxOnly --allowImportingTsExtensions --noUncheckedIndexedAccess --exactOptionalPropertyTypes --types node';
    const tsc = join(modules, 'typescript/bin/tsc');
    const { stdout } = await run(process.execPath, [tsc, ...options.split(' '), 'use.ts'], { cwd: folder }).catch(
      (error: { stdout: string }) => error,
    );
    assert.equal(stdout, '');
  });

  it('call the running service, expose error codes, and iterate over pages (TypeScript)', async () => {
    const answer = await ts(`
      const base = new made.EvidenceBase({ key: env.EKB_KEY });
      const found = await base.interactionsCheck({ supplement: 'st johns wort', drug: 'warfarin' });
      const failure = await base.supplementsRead({ slug: 'nosuch' }).catch((error) => [error.name, error.status, error.code]);
      const problem = await base.evidenceSearch({ q: '' }).catch((error) => error.problems[0].loc);
      const pages = [];
      for await (const page of made.eachPage((given) => base.productsBrands(given), { supplement: 'magnesium', page_size: 20 }))
        pages.push(...page.brands.map(({ slug }) => slug));
      const csv = await base.exportCsv({ vertical: 'magnesium-sleep' });
      console.log(JSON.stringify({ found: found.found, failure, problem, distinct: new Set(pages).size === pages.length, brands: pages.length, csv: csv.slice(0, 9) }));`);
    const { body } = await api(service).get('/api/brands?supplement=magnesium').expect(200);
    assert.deepEqual(answer, {
      found: true,
      failure: ['ApiError', 404, 'not_found'],
      problem: ['query', 'q'],
      distinct: true,
      brands: body.total,
      csv: 'source_id',
    });
  });

  it('call the running service, expose error codes, and iterate over pages (Python)', async function () {
    if (!python) this.skip();
    const answer = await py(`
base = made.EvidenceBase(key=os.environ["EKB_KEY"])
found = base.interactions_check(supplement="st johns wort", drug="warfarin")
def told(call):
    try: call()
    except made.ApiError as error: return error
failure = told(lambda: base.supplements_read(slug="nosuch"))
problem = told(lambda: base.evidence_search(q=""))
brands = [b["slug"] for page in made.each_page(base.products_brands, supplement="magnesium", page_size=20) for b in page["brands"]]
csv = base.export_csv(vertical="magnesium-sleep")
print(json.dumps({"found": found["found"], "failure": [failure.status, failure.code], "problem": problem.problems[0]["loc"], "distinct": len(set(brands)) == len(brands), "brands": len(brands), "csv": csv[:9]}))`);
    const { body } = await api(service).get('/api/brands?supplement=magnesium').expect(200);
    assert.deepEqual(answer, {
      found: true,
      failure: [404, 'not_found'],
      problem: ['query', 'q'],
      distinct: true,
      brands: body.total,
      csv: 'source_id',
    });
  });

  /** Programs by language: a GET that is rejected twice, and a POST that is rejected once with 503. */
  const PROGRAMS = {
    TypeScript: (url: string) =>
      ts(`
      const base = new made.EvidenceBase({ baseUrl: '${url}' });
      const answer = await base.drugsSuggest({ q: 'war' });
      const sent = await base.feedbackSend({ category: 'other', message: 'x' }).catch((error) => [error.status, error.retryAfter]);
      console.log(JSON.stringify([answer.status, sent]));`),
    Python: (url: string) =>
      py(`
base = made.EvidenceBase(base_url="${url}")
answer = base.drugs_suggest(q="war")
try: sent = base.feedback_send(body={"category": "other", "message": "x"})
except made.ApiError as error: sent = [error.status, error.retry_after]
print(json.dumps([answer["status"], sent]))`),
  };
  for (const [language, program] of Object.entries(PROGRAMS))
    it(`wait for Retry-After, and do not retry a POST that may have been processed (${language})`, async function () {
      if (language === 'Python' && !python) this.skip();
      const { server, url, times } = await busyServer([429, 503, 200, 503]);
      try {
        assert.deepEqual(await program(url), ['ok', [503, 1]]);
        assert.equal(times.length, 4);
        const [first = 0, second = 0, third = 0] = times;
        assert.ok(second - first >= 990 && third - second >= 990, times.join(' '));
      } finally {
        server.close();
      }
    });

  it('accept only a webhook signed with the secret within the time limit (TypeScript)', async () => {
    const { body, ...headers } = deliveries();
    const answer = await ts(`
      const given = ${JSON.stringify({ body, headers })};
      const check = (headers) => made.verifyWebhook({ secret: '${SECRET}', headers, body: given.body }).then(({ type }) => type, (error) => error.message);
      console.log(JSON.stringify([await check(given.headers.good), await check(given.headers.wrong), await check(given.headers.old), await check({})]));`);
    assert.deepEqual(answer, [
      'webhook.test',
      'The signature of the webhook does not fit',
      'The webhook was sent too long ago, or its time is missing',
      'The webhook was sent too long ago, or its time is missing',
    ]);
  });

  it('accept only a webhook signed with the secret within the time limit, as text or bytes (Python)', async function () {
    if (!python) this.skip();
    const { body, ...headers } = deliveries();
    const answer = await py(`
given = json.loads(${JSON.stringify(JSON.stringify({ body, headers }))})
def check(headers, body):
    try: return made.verify_webhook("${SECRET}", headers, body)["type"]
    except ValueError as error: return str(error)
print(json.dumps([check(given["headers"]["good"], given["body"]), check(given["headers"]["good"], given["body"].encode()), check(given["headers"]["wrong"], given["body"]), check(given["headers"]["old"], given["body"])]))`);
    assert.deepEqual(answer, [
      'webhook.test',
      'webhook.test',
      'The signature of the webhook does not fit',
      'The webhook was sent too long ago, or its time is missing',
    ]);
  });
});
