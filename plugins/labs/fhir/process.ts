/** Reads FHIR in a separate process, which bounds its memory and time. */
import {
  createBoundedProcesses,
  type Failure,
  type ProcessLimits,
  type Reported,
} from '#core/readers/bounded-process.ts';
import type { Book, Marker } from '#plugins/biomarkers/index.ts';
import type { ImportedReport } from './observations-to-report.ts';
import type { FhirFile, FhirProblem } from './read-fhir.ts';

export type ToChild =
  | { readonly kind: 'book'; readonly markers: readonly Marker[] }
  | { readonly kind: 'read'; readonly path: string };

export type FromChild =
  | { readonly kind: 'report'; readonly report: ImportedReport }
  | { readonly kind: 'done'; readonly rest: Omit<FhirFile, 'reports'> }
  | { readonly kind: 'problem'; readonly problem: FhirProblem }
  | { readonly kind: 'failed' };

export interface FhirOptions extends Reported {
  readonly signal?: AbortSignal;
}

export interface FhirReader {
  /** Reads a file. Rejects only when `signal` aborts or the reader is stopped. */
  read(path: string, options?: FhirOptions): Promise<FhirFile | FhirProblem>;
  /** Stops the processes after they have finished their current work. */
  retire(): Promise<void>;
  stop(): Promise<void>;
}

const usual: ProcessLimits = {
  seconds: 30,
  idleSeconds: 60,
  heapMegabytes: 512,
  residentMegabytes: 768,
  atOnce: 2,
};

const PROBLEMS: Readonly<Record<Failure, FhirProblem>> = {
  crashed: { type: 'value_error', msg: 'The file could not be read. Export it again, as FHIR in JSON.' },
  took_too_long: { type: 'too_long', msg: 'The file took too long to read. Export a shorter time.' },
  too_much_memory: {
    type: 'too_long',
    msg: 'The file takes more memory to read than we give one file. Export a shorter time.',
  },
};

export const createFhirReader = (book: Book, limits: Partial<ProcessLimits> = {}): FhirReader => {
  const processes = createBoundedProcesses<ToChild, FromChild>({
    script: new URL('./child.ts', import.meta.url),
    greeting: { kind: 'book', markers: book.markers },
    limits: { ...usual, ...limits },
  });
  return {
    read: async (path, options) => {
      const reports: ImportedReport[] = [];
      let result: FhirFile | FhirProblem = PROBLEMS.crashed;
      const failure = await processes.run({
        ...options,
        message: { kind: 'read', path },
        onMessage: (told) => {
          if (told.kind === 'report') reports.push(told.report);
          else if (told.kind === 'done') result = { ...told.rest, reports };
          else if (told.kind === 'problem') result = told.problem;
          return told.kind !== 'report';
        },
      });
      return failure ? PROBLEMS[failure] : result;
    },
    retire: () => processes.retire(),
    stop: () => processes.stop(),
  };
};
