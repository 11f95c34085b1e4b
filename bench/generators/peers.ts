/** Runs the other generators as their documentation shows, each in a separate process, and returns their figures. */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LabelFacts } from './facts.ts';

export interface GeneratorRun {
  readonly name: string;
  readonly pages: number;
  /** Build time that the program reports, in seconds, without its startup. */
  readonly buildSeconds: number;
  /** Seconds from the start of the process to its end. */
  readonly processSeconds: number;
  /** Mean size of a page, in bytes. */
  readonly meanBytes: number;
  readonly residentMb: number;
}

const here = import.meta.dirname;

/** Runs a command; returns its duration in seconds and, if GNU time is installed, its peak resident memory. */
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

/** Returns the path of the Eleventy version that the package in bench/sites pins, or null when it is not installed. */
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

/**
 * Runs Hugo. This version has no content adapters, so its input is a folder of files, which is written before the timer starts.
 */
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
