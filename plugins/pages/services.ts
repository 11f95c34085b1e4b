import type { Host } from '#core/plugin.ts';
import { type Benchmark, readBenchmark } from './benchmark-content.ts';

export interface PageServices {
  /** Content of content/benchmark.yaml, read at startup. */
  readonly benchmark: Benchmark;
}

export const startPages = async ({ contentDir }: Host): Promise<PageServices> => ({
  benchmark: await readBenchmark(contentDir),
});
