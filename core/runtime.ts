/** The state of a running process: created by boot, used by http, generate, jobs and commands. */
import type { Config } from './config.ts';
import type { OpenCounters } from './counters/counters.ts';
import type { OpenDatabase } from './db/database.ts';
import type { Gatekeeper, Principal } from './http/gatekeeper.ts';
import type { Log } from './log.ts';
import type { OpenModels } from './models/open-models.ts';
import type { AnyPlugin, Context, Session } from './plugin.ts';
import type { PageRenderer } from './render/page-renderer.ts';
import type { Secrets } from './secrets.ts';

export interface Runtime {
  readonly config: Config;
  readonly log: Log;
  readonly db: OpenDatabase;
  readonly models: OpenModels;
  readonly counters: OpenCounters;
  /** In start order: dependencies first. */
  readonly plugins: readonly AnyPlugin[];
  readonly gatekeeper: Gatekeeper | null;
  readonly pages: PageRenderer;
  readonly startedAt: Date;
  servicesOf(plugin: AnyPlugin): unknown;
  readonly secrets: Secrets;
  contextOf(
    plugin: AnyPlugin,
    request: {
      requestId: string;
      signal: AbortSignal;
      principal: Principal;
      device: string | null;
      session: Session;
    },
  ): Context;
  /** Returns the next run of a job; null when it is not scheduled in this process. */
  nextRunOf(jobId: string): Date | null;
  /** Stops plugins in reverse order and closes the database. */
  stop(): Promise<void>;
}
