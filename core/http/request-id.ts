import { randomFillSync } from 'node:crypto';

/** Random bytes are drawn by the thousand: one by one they cost more than the rest of a published answer. */
const pool = Buffer.alloc(8_192);
let used = pool.length;
const time = { at: 0, text: '' };

/** `req_`, the time and 64 random bits: names one request in its answer and in the log. */
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
