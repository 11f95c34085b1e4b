/** Runs every example of the portal's pages, unchanged, against the running service. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { api } from '../../support/client.ts';
import { type SharedService, sharedService } from '../../support/shared.ts';
import { type CodeBlock, codeBlocks } from './support.ts';

const run = promisify(execFile);
const PUBLIC = 'http://evidence.test';

/** The pages that show code, by path. */
const START = [
  '/developers',
  '/developers/docs',
  '/developers/health-ai',
  '/developers/labs',
  '/developers/supplement-retail',
  '/developers/sandbox',
  '/developers/playground',
];

interface Example extends CodeBlock {
  readonly page: string;
}

const has = (program: string, ...args: string[]): Promise<boolean> =>
  run(program, args).then(
    () => true,
    () => false,
  );

/** Limits concurrency, because each example is its own process. */
const SIDE_BY_SIDE = 4;
const inTurn = async <T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> => {
  const rest = [...items];
  const walk = async (): Promise<void> => {
    for (let item = rest.shift(); item !== undefined; item = rest.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, walk));
};

describe('the examples of the developer portal', function () {
  this.timeout(600_000);
  let service: SharedService;
  let folder: string;
  let examples: readonly Example[];
  const here = (text: string): string => text.replaceAll(PUBLIC, service.url);
  const of = (language: string): readonly Example[] => {
    const found = examples.filter((example) => example.language === language);
    return [...new Map(found.map((example) => [example.code, example])).values()];
  };
  const environment = () => ({ ...process.env, EKB_KEY: service.admin.key });

  before(async () => {
    service = await sharedService();
    folder = await mkdtemp(join(tmpdir(), 'ekb-examples-'));
    const get = async (path: string) => (await api(service).get(path).expect(200)).text;
    const index = await get('/developers/reference');
    const tags = [...index.matchAll(/<h2 id="[^"]+"><a href="([^"]+)"/g)].map(([, path = '']) => path);
    assert.ok(tags.length > 10);
    const all: Example[] = [];
    for (const page of [...START, ...tags])
      all.push(...codeBlocks(await get(page)).map((block) => ({ ...block, page })));
    examples = all;
    const picture = sharp({ create: { width: 800, height: 400, channels: 3, background: '#336699' } });
    // Calls that write files run in their own folder.
    await mkdir(join(folder, 'curl'));
    await writeFile(join(folder, 'curl/front.jpg'), await picture.jpeg().toBuffer());
    const files = { 'evidence_base.ts': 'typescript.ts', 'evidence_base.py': 'python.py' };
    for (const [name, source] of Object.entries(files))
      await writeFile(join(folder, name), here(await get(`/developers/clients/${source}`)));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  /** Returns whether the response is acceptable; a placeholder in the path may also lead to 404 with not_found. */
  const isRight = (status: number, body: string): boolean =>
    (status >= 200 && status < 300) || (status === 404 && /"code":\s?"not_found"/.test(body));

  it('exist for every operation in curl, TypeScript and Python', () => {
    assert.ok(of('curl').length > 60, String(of('curl').length));
    assert.ok(of('typescript').length > 50, String(of('typescript').length));
    assert.equal(of('typescript').length, of('python').length);
  });

  it('run with curl', async function () {
    if (!(await has('curl', '--version'))) this.skip();
    const wrong: string[] = [];
    await inTurn(of('curl'), async ({ page, code }) => {
      // A block may contain several commands, one per line; each prints its status after the body.
      const script = here(code).replace(/^curl /gm, "curl -s -S -w '\\n%{http_code}\\n' ");
      const { stdout } = await run('sh', ['-c', script], {
        cwd: join(folder, 'curl'),
        env: environment(),
        maxBuffer: 1 << 28,
      });
      const statuses = [...stdout.matchAll(/^(\d{3})$/gm)].map(([, status]) => Number(status));
      if (!statuses.length || !statuses.every((status) => isRight(status, stdout)))
        wrong.push(`${page}: ${code}\n${stdout.slice(-600)}`);
    });
    assert.deepEqual(wrong, []);
  });

  /**
   * Runs all examples of a language in one process, one after the other, and prints `!` and the reason for each
   * failure. The output of the examples is ignored: an example that fails throws an error.
   */
  const runAll = async (language: string, ending: string, driver: string, program: string) => {
    const names: string[] = [];
    for (const [at, { code }] of of(language).entries()) {
      names.push(`example_${at}.${ending}`);
      await writeFile(join(folder, `example_${at}.${ending}`), code);
    }
    await writeFile(join(folder, `driver.${ending}`), driver.replace('NAMES', JSON.stringify(names)));
    const { stdout } = await run(program, [join(folder, `driver.${ending}`)], {
      cwd: folder,
      env: { ...environment(), PYTHONPATH: folder },
      maxBuffer: 1 << 28,
    });
    const told = [...stdout.matchAll(/^(!?)(example_(\d+)\S+) ?(.*)$/gm)];
    assert.equal(told.length, names.length, stdout.slice(-2_000));
    const failed = told.filter(([, mark, , , why = '']) => mark && !/ not found\b/.test(why));
    assert.deepEqual(
      failed.map(([, , , at, why]) => `${of(language)[Number(at)]?.code}\n${why}`),
      [],
    );
  };

  it('run as TypeScript', () =>
    runAll(
      'typescript',
      'ts',
      `const { log } = console;
      console.log = () => undefined;
      for (const name of NAMES)
        await import('./' + name).then(() => log(name), (error) => log('!' + name + ' ' + error.message + JSON.stringify(error.problems ?? '')));`,
      process.execPath,
    ));

  it('run as Python', async function () {
    if (!(await has('python3', '-c', 'import sys; assert sys.version_info >= (3, 9)'))) this.skip();
    await runAll(
      'python',
      'py',
      `import contextlib, io, runpy
for name in NAMES:
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            runpy.run_path(name, run_name="__main__")
        print(name)
    except Exception as error:
        print("!" + name, str(error).replace("\\n", " "), getattr(error, "problems", "") or "", sep=" ")
`,
      'python3',
    );
  });
});
