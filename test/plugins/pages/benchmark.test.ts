import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ContentError } from '#core/errors.ts';
import { type Benchmark, readBenchmark } from '#plugins/pages/benchmark-content.ts';
import { type SharedService, sharedService } from '../../support/shared.ts';

const CONTENT = join(import.meta.dirname, '../../../content');

describe('/benchmark', () => {
  let service: SharedService;
  let html: string;
  let benchmark: Benchmark;
  before(async () => {
    service = await sharedService();
    const reply = await fetch(`${service.url}/benchmark`);
    assert.equal(reply.status, 200);
    html = await reply.text();
    benchmark = await readBenchmark(CONTENT);
  });

  it('shows every set with its limitations and its command', () => {
    const sets = benchmark.part.flatMap((part) => part.sets);
    assert.ok(sets.length >= 6);
    assert.equal([...html.matchAll(/What it is not: /g)].length, sets.length);
    for (const { command, slug } of sets) {
      assert.ok(html.includes(`id="${slug}"`));
      assert.ok(html.includes(`<span class="code">${command}</span>`), command);
    }
  });

  it('sorts each table by value, and includes published results of others', () => {
    const [dev = ''] = html.slice(html.indexOf('id="nfcorpus-dev"')).split('</table>');
    const shown = [...dev.matchAll(/<td class="figure"[^>]*>([\d.]+)<\/td>/g)].map(([, n]) => Number(n));
    assert.ok(shown.length >= 4);
    assert.deepEqual(
      shown,
      shown.toSorted((a, b) => b - a),
    );
    assert.match(html, /published: /);
  });

  it('draws a chart for each measure with several figures, with the same figures in a table below', () => {
    const [dev = ''] = html.slice(html.indexOf('id="nfcorpus-dev"')).split('</table>');
    const [drawn = '', table = ''] = dev.split('</figure>');
    const valuesIn = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, n = '']) => n);
    assert.deepEqual(
      valuesIn(drawn, /<text class="chart-value"[^>]*>([^<]+)</g),
      valuesIn(table, /<td class="figure"[^>]*>([^<]+)</g),
    );
    assert.match(drawn, /<title id="[^"]+">NFCorpus, development questions: nDCG@10</);
  });

  it('lists before the failures where other systems are better and where ours scores low', () => {
    const behind = html.slice(html.indexOf('id="behind"'), html.indexOf('id="failures"'));
    assert.match(behind, /Time of a search: Lucene 9\.12\.3, BM25: p50 0\.24 ms, ours 2\.51 ms/);
    assert.match(behind, /direction agrees: only 51\.9 %/);
  });

  it('names the source of each third-party figure', () => {
    for (const { peers } of benchmark.part.flatMap((part) => part.sets.flatMap((set) => set.figures)))
      for (const { source, measured, address } of peers)
        assert.ok(source && (measured === 'here' || address), `${source} has an address`);
  });

  it('explains nDCG@10 in plain words, and lists the known failures', () => {
    assert.match(html, /of the ten sources on the first page, how many are the right ones/);
    assert.ok(benchmark.known_failures.length > 0);
    for (const failure of benchmark.known_failures) assert.ok(html.includes(failure.slice(0, 30)));
  });

  it('lists only commands that exist', async () => {
    const index = await readFile(join(CONTENT, '../bench/index.ts'), 'utf8');
    for (const { command } of benchmark.part.flatMap((part) => part.sets)) {
      const [, names = ''] = /^npm run bench -- (.+)$/.exec(command) ?? [];
      assert.ok(names, command);
      // Numbers after a name are its arguments.
      for (const name of names.split(' ').filter((word) => !/^\d+$/.test(word)))
        assert.match(index, new RegExp(`^ {2}'?${name}'?: \\[`, 'm'), name);
    }
  });

  it('rejects an invalid file with file, line and field, and is empty without a file', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'ekb-benchmark-'));
    try {
      assert.deepEqual(await readBenchmark(folder), { part: [], known_failures: [] });
      await writeFile(
        join(folder, 'benchmark.yaml'),
        'part:\n  - title: Finding\n    about: Something\n    sets: []\nknown_failures: []\n',
      );
      await assert.rejects(readBenchmark(folder), (error) => {
        assert.ok(error instanceof ContentError);
        assert.match(error.message, /^content\/benchmark\.yaml:4: field part\.0\.sets /);
        return true;
      });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
