import { availableParallelism } from 'node:os';

export default {
  require: ['./test/support/service.ts'],
  extension: ['ts'],
  exit: true,
  timeout: 60_000,
  reporter: 'spec',
  // Files run side by side, each in one of these processes; each process needs about a gigabyte.
  parallel: true,
  jobs: Math.min(4, Math.max(2, availableParallelism())),
};
