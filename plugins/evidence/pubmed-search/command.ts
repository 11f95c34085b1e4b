/** Command `npm run import -- pubmed-search`: imports records from PubMed. */

import type { Context, Importer } from '#core/plugin.ts';
import { progressBar, rateAndTimeLeft } from '#core/progress.ts';
import type { Eutilities } from '../importers/eutilities.ts';
import type { EvidenceServices } from '../services.ts';
import { clientFrom } from './client.ts';
import { refusalIn } from './ncbi-away.ts';
import { OPTIONS_USAGE, parseOptions } from './options.ts';
import { planSearches } from './plan-searches.ts';
import type { PlannedSearch } from './planned-search.ts';
import { runSearches, type SearchReport } from './run.ts';
import { type CountedSearch, printDryRun, printSkipped, printSummary } from './summary.ts';

type Out = (line: string) => void;

interface Work {
  readonly client: Eutilities;
  readonly searches: readonly PlannedSearch[];
}

const countOne = async (client: Eutilities, planned: PlannedSearch, signal: AbortSignal): Promise<CountedSearch> => {
  const { label } = planned;
  if ('pmids' in planned) return { label, count: planned.pmids.length, problem: '' };
  try {
    return { label, count: (await client.esearch(planned.search, 0, signal)).count, problem: '' };
  } catch (error) {
    return { label, count: 0, problem: refusalIn(error, signal) };
  }
};

const dryRun = async ({ signal }: Pick<Context, 'signal'>, { client, searches }: Work, out: Out): Promise<boolean> => {
  const counted: CountedSearch[] = [];
  for (const planned of searches) counted.push(await countOne(client, planned, signal));
  printDryRun(out, counted);
  return counted.every(({ problem }) => !problem);
};

/** Runs the searches with a progress line on the terminal, first for the searches and then for the records. */
const runVisibly = async (
  { db, services, signal }: Context<EvidenceServices>,
  { client, searches }: Work,
  out: Out,
): Promise<SearchReport> => {
  let bar = progressBar('searching PubMed', searches.length);
  let fetchingSince = 0;
  try {
    return await runSearches(
      {
        db,
        client,
        signal,
        grader: await services.grader(),
        onSearched: (searched) => bar.update(searched, 'searches'),
        onListed: ({ isContinued, found, waiting }) => {
          bar.stop();
          const start = isContinued ? 'Continuing where an interrupted run stopped: ' : '';
          out(`${start}${found} records found, ${waiting} to fetch.`);
          bar = progressBar('fetching records', waiting);
          fetchingSince = performance.now();
        },
        onProgress: (stored, of, { added, changed, skipped }) => {
          const seconds = (performance.now() - fetchingSince) / 1000;
          const speed = rateAndTimeLeft(stored, of, seconds);
          bar.update(stored, `${speed}; ${added} added, ${changed} changed, ${skipped} skipped`);
        },
      },
      searches,
    );
  } finally {
    bar.stop();
  }
};

export const pubmedSearch: Importer<EvidenceServices> = {
  id: 'pubmed-search',
  summary: `searches PubMed and fetches what it finds: ${OPTIONS_USAGE}`,
  takesOptions: true,
  run: async (context, args, out) => {
    const options = parseOptions(args);
    const client = clientFrom(context.config);
    const { searches, wrongLines } = await planSearches(context, options);
    if (options.isDryRun) {
      const isClean = await dryRun(context, { client, searches }, out);
      printSkipped(out, wrongLines);
      return isClean && !wrongLines.length;
    }
    const startedAt = performance.now();
    const report = await runVisibly(context, { client, searches }, out);
    printSummary(out, report, (performance.now() - startedAt) / 1000);
    printSkipped(out, wrongLines);
    return !report.counts.skipped && !wrongLines.length;
  },
};
