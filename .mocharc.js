import { availableParallelism } from 'node:os';

export default {
  require: ['./test/support/service.ts'],
  extension: ['ts'],
  exit: true,
  // Ends what hangs; no test is about time, and a machine may have much else to do.
  timeout: 300_000,
  reporter: 'spec',
  // Files run side by side, each in one of these processes; each process needs about a gigabyte.
  parallel: true,
  jobs: Math.min(4, Math.max(2, availableParallelism())),
};
