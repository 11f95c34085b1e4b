/**
 * Runs Lucene's BM25 on the same documents in a separate JVM. Needs a JDK (17 for Lucene 9) and the folder LUCENE_JARS with
 * lucene-core and lucene-analysis-common; ../README.md explains how to get them.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SearchDocument } from '#core/search/port.ts';

export interface LuceneRun {
  readonly hits: ReadonlyMap<string, readonly string[]>;
  /** Build time, in seconds. */
  readonly build: number;
  /** Milliseconds per query, the minimum of five rounds after two warm-up rounds. */
  readonly p50: number;
  readonly p99: number;
  /** Size of the heap, in bytes. */
  readonly heap: number;
  readonly disk: number;
}

/** Returns why Lucene cannot run here, or null when it can. */
export function luceneMissing(): string | null {
  const jars = process.env.LUCENE_JARS;
  if (!jars) return 'LUCENE_JARS names no folder with its jars';
  const names = readdirSync(jars, { recursive: true }).map(String);
  for (const jar of ['lucene-core', 'lucene-analysis-common']) {
    if (!names.some((name) => name.startsWith(jar))) return `${jars} has no ${jar}`;
  }
  if (spawnSync('javac', ['-version']).status !== 0) return 'there is no JDK (javac)';
  return null;
}

const rows = (texts: readonly { id: string; text: string }[]): string =>
  texts.map(({ id, text }) => `${id}\t${text.replace(/\s+/g, ' ').trim()}\n`).join('');

export interface LuceneTask {
  readonly documents: readonly SearchDocument[];
  readonly queries: readonly { id: string; text: string }[];
  /** Number of hits per query. */
  readonly depth: number;
  /** Number of queries that are timed. */
  readonly timed: number;
}

/**
 * Builds the index and runs all queries.
 * @throws Error with the JVM's output when it fails.
 */
export function runLucene({ documents, queries, depth, timed }: LuceneTask): LuceneRun {
  const folder = mkdtempSync(join(tmpdir(), 'lucene-'));
  try {
    const classes = `${join(process.env.LUCENE_JARS ?? '', '*')}:${folder}`;
    must('javac', ['-cp', classes, '-d', folder, join(import.meta.dirname, 'Search.java')]);
    const texts = documents.map(({ id, text }) => ({ id, text: `${text.title ?? ''} ${text.abstract ?? ''}` }));
    writeFileSync(join(folder, 'documents.tsv'), rows(texts));
    writeFileSync(join(folder, 'queries.tsv'), rows(queries));
    const said = must('java', ['-Xmx2g', '-cp', classes, 'Search', folder, String(depth), String(timed)]);
    const lines = readFileSync(join(folder, 'hits.tsv'), 'utf8').trimEnd().split('\n');
    const hits = new Map(
      lines.map((line) => {
        const [query = '', ...ids] = line.split('\t');
        return [query, ids] as const;
      }),
    );
    return { hits, ...(JSON.parse(said) as Omit<LuceneRun, 'hits'>) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function must(command: string, words: readonly string[]): string {
  const { status, stdout, stderr, error } = spawnSync(command, words, { encoding: 'utf8', maxBuffer: 2 ** 26 });
  if (status !== 0) throw new Error(`${command}: ${error?.message ?? stderr}`);
  return stdout;
}
