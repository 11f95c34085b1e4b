/** Manages the connections of devices to vendors: authorisation, completion, synchronisation and disconnection. */
import { touch } from '#plugins/devices/index.ts';
import { vendorOf, vendors } from '../vendors/index.ts';
import type { Vendor } from '../vendors/vendor.ts';
import type { VendorSlug } from '../vitals.ts';
import { authorizeUrl, newVerifier } from './client.ts';
import { connecting, refusal } from './connecting.ts';
import type { ConnectionParts, ConnectionState, Connections } from './connection-types.ts';
import { FETCH_LIMITS, vendorFetch } from './fetching.ts';
import { programmesOf } from './programme.ts';
import { receiving } from './receiving.ts';
import { releaseConnections, revokeDue } from './revocations.ts';
import { addState, pendingVendors, takeState } from './states.ts';
import { type Syncing, syncConnection } from './syncing.ts';
import { type Connection, moveConnections, readConnections } from './tokens.ts';

export type { Callback, Completion, ConnectionState, Connections, KeepPushed } from './connection-types.ts';
export type { KeepDays, SyncResult } from './syncing.ts';

/** Duration of the lease on due connections, during which no other process receives them. */
const CLAIM_MS = 10 * 60_000;

/**
 * Creates the service that manages connections.
 * @throws OperatorError when WEARABLE_ENDPOINTS is invalid.
 */
export const createConnections = (given: ConnectionParts): Connections => {
  const { db, secrets, log, config, now = Date.now } = given;
  const programmes = programmesOf(config);
  const fetching = { fetch: given.fetch ?? fetch, limits: { ...FETCH_LIMITS, ...given.limits }, now };
  const patientFetch = vendorFetch(fetching);
  const partsFor = (signal?: AbortSignal): Syncing => ({
    db,
    secrets,
    log,
    now,
    signal,
    patientFetch,
    fetch: vendorFetch({ ...fetching, signal }),
  });
  const connect = connecting(partsFor());
  return {
    list: (device) =>
      db.read(async (em) => {
        const rows = device === null ? [] : await readConnections({ em, secrets }, device);
        const pending = device === null ? new Set() : await pendingVendors(em, device, now());
        return vendors
          .filter(({ hasEnded }) => !hasEnded)
          .map((vendor) => {
            const row = rows.find((one) => one.vendor === vendor.slug);
            const without = pending.has(vendor.slug) ? 'pending' : 'disconnected';
            return stateOf(vendor, row ?? (programmes.of(vendor) ? without : 'not_configured'), now());
          });
      }),
    obstacle: (slug) => {
      const vendor = vendorOf(slug);
      if (vendor.hasEnded) return 'service-ended';
      return programmes.of(vendor) ? null : 'not-configured';
    },
    begin: async (device, slug) => {
      const vendor = vendorOf(slug);
      if (vendor.hasEnded) return 'service-ended';
      const programme = programmes.of(vendor);
      if (!programme) return 'not-configured';
      const verifier = newVerifier();
      const state = await db.write(async (em) => {
        await touch(em, device);
        return addState({ em, secrets, now: now() }, { device, vendor: slug }, verifier);
      });
      return { url: await authorizeUrl(programme, { state, verifier }) };
    },
    complete: async (device, slug, { code, state, error }) => {
      // The state is consumed in a separate transaction, so that it stays used whatever happens afterwards.
      const verifier = state
        ? await db.write((em) => takeState({ em, secrets, now: now() }, state, { device, vendor: slug }))
        : null;
      if (error) return refusal(error);
      if (device === null || verifier === null) return 'bad-state';
      const programme = programmes.of(vendorOf(slug));
      if (!programme || !code) return { failed: 'refused' };
      return connect(programme, { device, code, verifier });
    },
    disconnect: async (device, vendor) => {
      const ids = await db.write((em) => releaseConnections({ em, secrets }, { device, vendor, now: now() }));
      for (const id of ids) await revokeDue(partsFor(), programmes, id);
      return ids.length > 0;
    },
    sync: async (device, slug, keep, signal) => {
      const programme = programmes.of(vendorOf(slug));
      if (!programme) return { outcome: 'not-configured' };
      return syncConnection(partsFor(signal), programme, { whose: { device, vendor: slug }, keep });
    },
    due: async (limit) =>
      (await db.write((em) =>
        em.execute(
          `update wearable_connection set next_sync_at = ? where (device, vendor) in
           (select device, vendor from wearable_connection where status = 'connected' and next_sync_at <= ?
            order by next_sync_at limit ? for update skip locked) returning device, vendor`,
          [new Date(now() + CLAIM_MS), new Date(now()), limit],
        ),
      )) as unknown as { device: string; vendor: VendorSlug }[],
    receive: (slug, body, keep) => receiving(partsFor(), slug)(body, keep),
    revokeLeft: (signal) => revokeDue(partsFor(signal), programmes),
    release: async (em, device) => (await releaseConnections({ em, secrets }, { device, now: now() })).length,
    move: (em, devices) => moveConnections({ em, secrets }, devices),
  };
};

const stateOf = (
  { slug, name, what, scopes: asks, metrics }: Vendor,
  is: Connection | Exclude<ConnectionState['status'], Connection['status']>,
  now: number,
): ConnectionState => {
  const row = typeof is === 'string' ? null : is;
  const isBlocked = row?.blockedUntil && row.blockedUntil.getTime() > now;
  return {
    vendor: slug,
    name,
    what,
    asks,
    metrics,
    status: typeof is === 'string' ? is : is.status,
    connectedAt: row?.connectedAt ?? null,
    lastSyncAt: row?.lastSyncAt ?? null,
    scopes: row?.scopes ?? [],
    retryAt: isBlocked ? row.blockedUntil : null,
  };
};
