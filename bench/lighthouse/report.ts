/** Formats Lighthouse results as a table, and as the README that is committed. */

export interface Measured {
  readonly kind: string;
  readonly path: string;
  /** Scores from 0 to 100; `seo` is null for pages with noindex. */
  readonly scores: {
    readonly performance: number;
    readonly accessibility: number;
    readonly bestPractices: number;
    readonly seo: number | null;
  };
  /** Number of runs; more than one when the first was below the goal, in which case the median is shown. */
  readonly runs: number;
  readonly firstPaintMs: number;
  readonly largestPaintMs: number;
  readonly blockingMs: number;
  readonly shift: number;
  /** Bytes transferred for everything that the page loads. */
  readonly bytes: number;
  /** Weighted audits that score below 0.9, by category. */
  readonly failed: readonly string[];
  readonly version: string;
}

const seconds = (milliseconds: number): string => (milliseconds / 1000).toFixed(1);

const rowOf = ({ path, scores, runs, ...figures }: Measured): string =>
  [
    `\`${path}\``,
    `${scores.performance}${runs > 1 ? ` (of ${runs})` : ''}`,
    scores.accessibility,
    scores.bestPractices,
    scores.seo ?? 'noindex',
    seconds(figures.firstPaintMs),
    seconds(figures.largestPaintMs),
    Math.round(figures.blockingMs),
    figures.shift.toFixed(3),
    Math.round(figures.bytes / 1000),
  ].join(' | ');

const HEAD = [
  'page | performance | accessibility | best practices | SEO | first paint, s | largest paint, s | blocked, ms | shift | kB',
  '---|---|---|---|---|---|---|---|---|---',
];

export const tableOf = (measured: readonly Measured[]): string =>
  [...HEAD, ...measured.map(rowOf)].map((row) => `| ${row} |`).join('\n');

export const reportOf = (
  measured: readonly Measured[],
  { goal, cores, day }: { readonly goal: number; readonly cores: number; readonly day: string },
): string => {
  const notes = measured
    .filter(({ failed }) => failed.length)
    .map(({ path, failed }) => `- \`${path}\`: ${failed.join('; ')}`);
  return `# Lighthouse (${day}, Lighthouse ${measured[0]?.version}, Debian's Chromium, ${cores} shared cores)

\`npm run bench -- lighthouse\`: each kind of page of [page-kinds.ts](../audit/page-kinds.ts) by its usual case, on Lighthouse's
default mobile profile (a phone of 2016 on slow 4G, simulated), against a server of its own with the starter content and its
pages published. Goal: ${goal} in each; SEO not where a page asks not to be found. Where performance was under it, the page was
measured three times and the middle one counts.

${tableOf(measured)}
${notes.length ? `\nNot at their best:\n\n${notes.join('\n')}\n` : ''}`;
};
