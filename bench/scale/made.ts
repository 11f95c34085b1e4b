/** Names the routes and the job that bench/scale/service.ts adds to the service. */
export const BENCH_PATH = '/api/bench';
export const JOB = 'bench_purge_throttles';
export const TICK_SECONDS = 2;
/** Bootstrap secret that creates the first admin key of a service used for one benchmark. */
export const SECRET = 'only-for-the-benchmark';
/** Value of a limit that must never be reached. */
export const MANY = '1000000000';
