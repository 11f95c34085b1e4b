/** What the plugin may do with connections of devices to vendors. */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Config } from '#core/config.ts';
import type { Log } from '#core/log.ts';
import type { Database } from '#core/plugin.ts';
import type { Secrets } from '#core/secrets.ts';
import type { VendorScope } from '../vendors/vendor.ts';
import type { VendorErrorKind } from '../vendors/vendor-error.ts';
import type { DailyRow, MetricId, VendorSlug } from '../vitals.ts';
import type { FetchLimits } from './fetching.ts';
import type { KeepDays, SyncResult } from './syncing.ts';

/** One vendor as a device sees it. */
export interface ConnectionState {
  readonly vendor: VendorSlug;
  readonly name: string;
  readonly what: string;
  /** What is asked for, and why. */
  readonly asks: readonly VendorScope[];
  readonly status: 'not_configured' | 'disconnected' | 'pending' | 'connected' | 'needs_reauth';
  readonly connectedAt: Date | null;
  readonly lastSyncAt: Date | null;
  /** Granted. */
  readonly scopes: readonly string[];
  readonly metrics: readonly MetricId[];
  /** Set while the vendor failed, or asked for a pause. */
  readonly retryAt: Date | null;
}

/** As the vendor sent it; nothing of it is believed. */
export interface Callback {
  readonly code?: string;
  readonly state?: string;
  readonly error?: string;
}

/** `refused`: whether the person said no, or the vendor. Nothing of it repeats what the vendor said. */
export type Completion =
  | 'connected'
  | 'bad-state'
  | { readonly refused: 'by-person' | 'by-vendor' }
  | { readonly failed: VendorErrorKind };

export interface Connections {
  /** Of all vendors that have not ended; without a device nothing is connected. */
  list(device: string | null): Promise<readonly ConnectionState[]>;
  /** Why no connection to this vendor can begin; null when one can. */
  obstacle(vendor: VendorSlug): 'not-configured' | 'service-ended' | null;
  /** The device exists from now on. */
  begin(device: string, vendor: VendorSlug): Promise<{ readonly url: string } | 'not-configured' | 'service-ended'>;
  /** @throws when the database fails; the state is used up then, and the flow begins anew. */
  complete(device: string | null, vendor: VendorSlug, callback: Callback): Promise<Completion>;
  /** Whether there was a connection. The vendor is told at once; where that fails, the job tells it. */
  disconnect(device: string, vendor: VendorSlug): Promise<boolean>;
  sync(device: string, vendor: VendorSlug, keep: KeepDays, signal?: AbortSignal): Promise<SyncResult>;
  /** Connections whose next fetch is due; nobody else gets them for the next ten minutes. */
  due(limit: number): Promise<readonly { readonly device: string; readonly vendor: VendorSlug }[]>;
  /**
   * What a vendor posted by itself: rows for each device that is connected to that person, and the end of connections of
   * people who left there, whose days stay. Answers how many devices it was of.
   */
  receive(vendor: VendorSlug, body: unknown, keep: KeepPushed): Promise<number>;
  /** The job. Answers how many grants were ended. */
  revokeLeft(signal?: AbortSignal): Promise<number>;
  /** Part of erasing a device: its connections go, their grants wait for `revokeLeft`. */
  release(em: EntityManager, device: string): Promise<number>;
  /** Part of moving to another device. */
  move(em: EntityManager, devices: { readonly from: string; readonly to: string }): Promise<void>;
}

/** Pushed rows come one kind at a time, each with a source of its own: rows of other sources stay. */
export type KeepPushed = (em: EntityManager, device: string, rows: readonly DailyRow[]) => Promise<void>;

export interface ConnectionParts {
  readonly db: Database;
  readonly secrets: Secrets;
  readonly config: Config;
  readonly log: Log;
  readonly fetch?: typeof fetch;
  readonly now?: () => number;
  readonly limits?: Partial<FetchLimits>;
}
