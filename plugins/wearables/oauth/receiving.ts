/** What vendors post by themselves, for the devices that are connected to the person it is of. */
import { vendorOf } from '../vendors/index.ts';
import type { VendorSlug } from '../vitals.ts';
import type { KeepPushed } from './connection-types.ts';
import type { Syncing } from './syncing.ts';
import { userKey } from './tokens.ts';

export const receiving =
  ({ db, secrets, now }: Syncing, slug: VendorSlug) =>
  async (body: unknown, keep: KeepPushed): Promise<number> => {
    let devices = 0;
    for (const [user, rows] of vendorOf(slug).readPush?.(body) ?? []) {
      if (!rows.length) continue;
      devices += await db.write(async (em) => {
        const connected = (await em.execute(
          `update wearable_connection set last_sync_at = ? where vendor = ? and vendor_user = ? returning device`,
          [new Date(now()), slug, userKey(secrets, slug, user)],
        )) as unknown as { device: string }[];
        for (const { device } of connected) await keep(em, device, rows);
        return connected.length;
      });
    }
    return devices;
  };
