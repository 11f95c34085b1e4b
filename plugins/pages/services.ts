import type { Host } from '#core/plugin.ts';
import { type Benchmark, readBenchmark } from './benchmark-content.ts';

export interface PageServices {
  /** What content/benchmark.yaml says, read at the start. */
  readonly benchmark: Benchmark;
}

export const startPages = async ({ contentDir }: Host): Promise<PageServices> => ({
  benchmark: await readBenchmark(contentDir),
});
