/** Processes data that vendors push, for the devices that are connected to their user. */
import { vendorOf } from '../vendors/index.ts';
import type { VendorSlug } from '../vitals.ts';
import type { KeepPushed } from './connection-types.ts';
import type { Syncing } from './syncing.ts';
import { userKeys } from './tokens.ts';

/**
 * Minimum age of a connection to delete. The notice about a person who left and reconnected at once can arrive after the new
 * connection was created.
 */
const JUST_CONNECTED_MS = 2 * 60_000;

const someOf = (keys: readonly string[]): string => keys.map(() => '?').join(', ');

export const receiving =
  ({ db, secrets, now }: Syncing, slug: VendorSlug) =>
  async (body: unknown, keep: KeepPushed): Promise<number> => {
    const { readPush, readLeavers } = vendorOf(slug);
    let devices = 0;
    for (const [user, rows] of readPush?.(body) ?? []) {
      if (!rows.length) continue;
      const keys = userKeys(secrets, slug, user);
      devices += await db.write(async (em) => {
        const connected = (await em.execute(
          `update wearable_connection set last_sync_at = ?, vendor_user = ?
           where vendor = ? and vendor_user in (${someOf(keys)}) returning device`,
          [new Date(now()), keys[0], slug, ...keys],
        )) as unknown as { device: string }[];
        for (const { device } of connected) await keep(em, device, rows);
        return connected.length;
      });
    }
    for (const user of readLeavers?.(body) ?? []) {
      const keys = userKeys(secrets, slug, user);
      const gone = (await db.write((em) =>
        em.execute(
          `delete from wearable_connection where vendor = ? and vendor_user in (${someOf(keys)}) and connected_at < ?
           returning device`,
          [slug, ...keys, new Date(now() - JUST_CONNECTED_MS)],
        ),
      )) as unknown as { device: string }[];
      devices += gone.length;
    }
    return devices;
  };
