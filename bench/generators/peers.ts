/** Runs the other generators as their documentation shows, each in a process of its own, and answers what they said. */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LabelFacts } from './facts.ts';

export interface GeneratorRun {
  readonly name: string;
  readonly pages: number;
  /** As the program says it: without its own start. */
  readonly buildSeconds: number;
  /** From the start of the process to its end. */
  readonly processSeconds: number;
  /** Bytes of a page in the mean. */
  readonly meanBytes: number;
  readonly residentMb: number;
}

const here = import.meta.dirname;

/** Seconds, and the peak resident memory by GNU time where it is there. */
export const timedProcess = (command: string, args: readonly string[], options: object) => {
  const timer = existsSync('/usr/bin/time');
  const startedAt = performance.now();
  const run = timer
    ? spawnSync('/usr/bin/time', ['-f', 'resident %M kB', command, ...args], { encoding: 'utf8', ...options })
    : spawnSync(command, [...args], { encoding: 'utf8', ...options });
  const processSeconds = (performance.now() - startedAt) / 1000;
  if (run.status) throw new Error(`${command} ended with ${run.status}: ${run.stderr}\n${run.stdout}`);
  const residentMb = Math.round(Number(/resident (\d+) kB/.exec(run.stderr)?.[1] ?? 0) / 1024);
  return { processSeconds, residentMb, words: `${run.stdout}\n${run.stderr}` };
};

const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.html'))
    .map((file) => join(folder, file));

const meanBytesOf = (files: readonly string[]): number =>
  files.length ? Math.round(files.reduce((sum, file) => sum + statSync(file).size, 0) / files.length) : 0;

/** Where the version that the bench's own package names is installed; null where it is not. */
export const eleventyProgram = (): string | null => {
  const file = join(here, '../sites/node_modules/@11ty/eleventy/cmd.cjs');
  return existsSync(file) ? file : null;
};

export const runEleventy = (program: string, work: string, factsFile: string): GeneratorRun => {
  const [input, output] = [join(work, 'eleventy'), join(work, 'eleventy-out')];
  mkdirSync(input, { recursive: true });
  cpSync(join(here, 'eleventy'), input, { recursive: true });
  const { processSeconds, residentMb, words } = timedProcess(
    process.execPath,
    [program, `--input=.`, `--output=${output}`, '--config=eleventy.config.mjs'],
    { cwd: input, env: { ...process.env, BENCH_FACTS: factsFile, NODE_OPTIONS: '--max-old-space-size=8192' } },
  );
  const said = /Wrote ([\d,]+) files? in ([\d.]+) seconds/.exec(words);
  const files = filesBelow(output);
  const buildSeconds = said ? Number(said[2]) : processSeconds;
  return {
    name: 'Eleventy',
    pages: files.length,
    buildSeconds,
    processSeconds,
    meanBytes: meanBytesOf(files),
    residentMb,
  };
};

/** Hugo of this version has no content adapters: its input is a folder of files, written before the clock runs. */
export const runHugo = (work: string, facts: readonly LabelFacts[]): GeneratorRun => {
  const site = join(work, 'hugo');
  cpSync(join(here, 'hugo'), site, { recursive: true });
  const content = join(site, 'content/product');
  mkdirSync(content, { recursive: true });
  for (const { name, ...rest } of facts)
    writeFileSync(join(content, `${rest.id}.md`), `${JSON.stringify({ title: name, ...rest })}\n`);
  const { processSeconds, residentMb, words } = timedProcess('hugo', ['--source', site, '--quiet=false'], {});
  const said = /Total in (\d+) ms/.exec(words);
  const files = filesBelow(join(site, 'public'));
  const buildSeconds = said ? Number(said[1]) / 1000 : processSeconds;
  return { name: 'Hugo', pages: files.length, buildSeconds, processSeconds, meanBytes: meanBytesOf(files), residentMb };
};

export const samplePage = (work: string, name: 'eleventy-out' | 'hugo/public', id: number): string =>
  readFileSync(join(work, name, 'product', `${id}.html`), 'utf8');
