import { randomFillSync } from 'node:crypto';

/** Random bytes are generated in blocks: generating them one by one costs more than the rest of a published response. */
const pool = Buffer.alloc(8_192);
let used = pool.length;
const time = { at: 0, text: '' };

/** Returns an id of `req_`, the time and 64 random bits, which identifies a request in its response and in the log. */
export const newRequestId = (): string => {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += 8;
  const now = Date.now();
  if (now !== time.at) Object.assign(time, { at: now, text: now.toString(36) });
  return `req_${time.text}${pool.toString('hex', used - 8, used)}`;
};
