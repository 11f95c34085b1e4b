/** Prints the summary at the end of the command. */

import type { SearchReport } from './run.ts';

type Out = (line: string) => void;
type Counts = Readonly<Record<string, number>>;

export interface CountedSearch {
  readonly label: string;
  readonly count: number;
  /** Reason why the search could not be counted; "" when it was. */
  readonly problem: string;
}

/** Maximum number of reasons printed one by one; the rest is only counted. */
const PRINTED = 50;

const inWords = (found: number, repeated: number, counts: Counts): string => {
  const of = (name: string): string => `${counts[name] ?? 0} ${name}`;
  const before = repeated ? `, ${repeated} found before` : '';
  const removed = counts.removed ? `, ${of('removed')}` : '';
  return `${found} found${before}, ${of('added')}, ${of('changed')}, ${of('unchanged')}${removed}, ${of('skipped')}`;
};

/** Prints the results of each search and of all, and the reasons for skipped records. */
export const printSummary = (out: Out, report: SearchReport, seconds: number): void => {
  const { searches, counts, skipped } = report;
  let [found, repeated] = [0, 0];
  for (const search of searches) {
    out(`${search.label}: ${inWords(search.found, search.repeated, search.counts)}`);
    found += search.found;
    repeated += search.repeated;
  }
  const fetched = found - repeated;
  const rate = report.isContinued ? '' : ` (${Math.round(fetched / Math.max(seconds, 0.001))} records/s)`;
  const noun = searches.length === 1 ? 'search' : 'searches';
  out(`${searches.length} ${noun}: ${inWords(found, repeated, counts)} in ${seconds.toFixed(1)} s${rate}`);
  const reasons = [...listProblems(searches), ...skipped.map(({ pmid, reason }) => `PMID ${pmid}: ${reason}`)];
  printSkipped(out, reasons);
};

const listProblems = (searches: readonly { readonly label: string; readonly problem: string }[]): readonly string[] =>
  searches.flatMap(({ label, problem }) => (problem ? [`${label}: ${problem}`] : []));

/** Prints the skipped items up to a maximum, and the number of the others. */
export const printSkipped = (out: Out, reasons: readonly string[]): void => {
  for (const reason of reasons.slice(0, PRINTED)) out(`  skipped ${reason}`);
  if (reasons.length > PRINTED) out(`  … and ${reasons.length - PRINTED} more`);
};

/** Prints the number of records that each search would return. */
export const printDryRun = (out: Out, counted: readonly CountedSearch[]): void => {
  for (const { label, count } of counted) out(`${label}: ${count} records`);
  const total = counted.reduce((sum, { count }) => sum + count, 0);
  const noun = counted.length === 1 ? 'search' : 'searches';
  out(
    `${counted.length} ${noun}: ${total} records, those found by several searches counted each time. This was a dry run: nothing was fetched or written.`,
  );
  printSkipped(out, listProblems(counted));
};
