/** What bench/scale/service.ts adds to the service, by name. */
export const BENCH_PATH = '/api/bench';
export const JOB = 'bench_purge_throttles';
export const TICK_SECONDS = 2;
/** Opens the first admin key of a service that lives for one benchmark. */
export const SECRET = 'only-for-the-benchmark';
/** Of a limit that is not to be met. */
export const MANY = '1000000000';
