/** Limits the number of concurrent downloads per caller. Bytes are not counted, because connections share the bandwidth. */
import type { Readable } from 'node:stream';
import type { Counters } from '#core/counters/counters.ts';
import { coreErrors } from '#core/errors.ts';
import { quotaAddress } from '#core/http/client-address.ts';
import type { Principal } from '#core/http/gatekeeper.ts';

export const DOWNLOADS = { bucket: 'downloads', perMinute: 60, perDay: 2_000 } as const;
const AT_ONCE = 4;

export interface DownloadLimit {
  /**
   * Opens a stream while holding one of the caller's permits, which is released when the stream closes.
   * @throws AppError 429, bucket `downloads`.
   */
  within(caller: Principal, open: () => Promise<Readable | null>): Promise<Readable | null>;
}

const tooMany = () =>
  coreErrors.quota_exceeded(
    { bucket: DOWNLOADS.bucket, used: AT_ONCE + 1, limit: AT_ONCE },
    { headers: { 'Retry-After': '5' }, body: { 'violated-policies': [DOWNLOADS.bucket], retry_after: 5 } },
  );

export const createDownloadLimit = ({ places, nameOf }: Counters): DownloadLimit => ({
  within: async (caller, open) => {
    const subject = caller.kind === 'key' ? caller.holderId : quotaAddress(caller.address);
    const release = await places.take(`downloads:${nameOf(subject)}`, AT_ONCE);
    if (!release) throw tooMany();
    try {
      const stream = await open();
      if (stream) stream.once('close', release);
      else release();
      return stream;
    } catch (error) {
      release();
      throw error;
    }
  },
});
