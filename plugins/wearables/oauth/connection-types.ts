/** Interface of the service that manages the connections of devices to vendors. */
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

/** State of one vendor for a device. */
export interface ConnectionState {
  readonly vendor: VendorSlug;
  readonly name: string;
  readonly what: string;
  /** Requested scopes, with reasons. */
  readonly asks: readonly VendorScope[];
  readonly status: 'not_configured' | 'disconnected' | 'pending' | 'connected' | 'needs_reauth';
  readonly connectedAt: Date | null;
  readonly lastSyncAt: Date | null;
  /** Granted scopes. */
  readonly scopes: readonly string[];
  readonly metrics: readonly MetricId[];
  /** Set while the vendor fails or has requested a pause. */
  readonly retryAt: Date | null;
}

/** Query of the callback as the vendor sent it; it is not trusted. */
export interface Callback {
  readonly code?: string;
  readonly state?: string;
  readonly error?: string;
}

/** Outcome of a flow. `refused` states whether the person or the vendor denied access. No text of the vendor is repeated. */
export type Completion =
  | 'connected'
  | 'bad-state'
  | { readonly refused: 'by-person' | 'by-vendor' }
  | { readonly failed: VendorErrorKind };

export interface Connections {
  /** Returns all vendors that have not ended; without a device, none is connected. */
  list(device: string | null): Promise<readonly ConnectionState[]>;
  /** Returns why no connection to this vendor can be started; null if one can. */
  obstacle(vendor: VendorSlug): 'not-configured' | 'service-ended' | null;
  /** Starts a flow and creates the device if needed. */
  begin(device: string, vendor: VendorSlug): Promise<{ readonly url: string } | 'not-configured' | 'service-ended'>;
  /**
   * Completes a flow.
   * @throws when the database fails; the state is then consumed, and the person has to start again.
   */
  complete(device: string | null, vendor: VendorSlug, callback: Callback): Promise<Completion>;
  /**
   * Disconnects a vendor. Returns whether there was a connection. The grant is revoked at once; if that fails, the job retries
   * it.
   */
  disconnect(device: string, vendor: VendorSlug): Promise<boolean>;
  sync(device: string, vendor: VendorSlug, keep: KeepDays, signal?: AbortSignal): Promise<SyncResult>;
  /** Claims connections whose next fetch is due; no other process receives them for ten minutes. */
  due(limit: number): Promise<readonly { readonly device: string; readonly vendor: VendorSlug }[]>;
  /**
   * Processes data that a vendor pushed: stores rows for each device that is connected to the user, and deletes the connections
   * of users who left, whose days are preserved. Returns the number of affected devices.
   */
  receive(vendor: VendorSlug, body: unknown, keep: KeepPushed): Promise<number>;
  /** Revokes the due grants; called by the job. Returns how many were revoked. */
  revokeLeft(signal?: AbortSignal): Promise<number>;
  /** Deletes the connections of a device that is erased; their grants wait for `revokeLeft`. */
  release(em: EntityManager, device: string): Promise<number>;
  /** Moves the connections to another device. */
  move(em: EntityManager, devices: { readonly from: string; readonly to: string }): Promise<void>;
}

/** Stores pushed rows. They arrive one kind at a time, each with its own source, so rows of other sources are preserved. */
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
