/**
 * Parses mutated PDF, PNG, JPEG, XML, ZIP and FHIR files with the production parsers in their processes. Exits with status 1 when
 * a file crashed a process or took more processor time than a file may.
 * Usage: node bench/fuzz-files.ts [files, default 10000] [seed, default 1]
 */
import { fuzzFiles } from './attacks/fuzz.ts';

const [files = 10_000, seed = 1] = process.argv.slice(2).map(Number);
const startedAt = performance.now();
const { outcomes, findings, slowest } = await fuzzFiles({
  files,
  seed,
  onFile: (done) => {
    if (done % 500 === 0) console.error(`${done} files after ${((performance.now() - startedAt) / 1000).toFixed(0)} s`);
  },
});
console.log('| what became of it | files |\n|---|---|');
for (const [outcome, count] of [...outcomes].sort()) console.log(`| ${outcome} | ${count} |`);
console.log('\nslowest, in processor seconds:');
for (const { format, seed: own, outcome, seconds } of slowest)
  console.log(`${seconds.toFixed(2)} ${format} ${own} ${outcome}`);
console.log(`\n${files} files, ${findings.length} findings, seed ${seed}`);
for (const { format, seed: own, outcome, seconds } of findings)
  console.log(`finding: ${format} ${own} ${outcome} ${seconds.toFixed(2)} s`);
if (findings.length) process.exitCode = 1;
