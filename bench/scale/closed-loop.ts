/** Keeps a constant number of requests in flight on keep-alive connections, which measures the maximum throughput of a server. */
import { Agent } from 'node:http';
import { type Answered, type Call, send } from './calls.ts';
import { quantile } from './figures.ts';

export interface Load {
  /** Returns the call with the given sequence number. */
  call(nth: number): Call;
  readonly connections: number;
  readonly seconds: number;
}

export interface Figures {
  readonly requests: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Mean size of a response. */
  readonly bytes: number;
  /** Responses that were not 200 or were empty: `429`, `ECONNRESET`, with their counts. */
  readonly wrong: Readonly<Record<string, number>>;
}

/** Returns whether a response is a 200 with content; `{}` and `[]` count as empty. */
const isRight = ({ status, bytes }: Answered): boolean => status === 200 && bytes > 2;

export const hammer = async (base: string, { call, connections, seconds }: Load): Promise<Figures> => {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const times: number[] = [];
  const wrong: Record<string, number> = {};
  let [sent, bytes] = [0, 0];
  const began = performance.now();
  const until = began + 1000 * seconds;
  const one = async (): Promise<void> => {
    while (performance.now() < until) {
      const since = performance.now();
      const answered = await send(base, call(sent++), agent);
      times.push(performance.now() - since);
      bytes += answered.bytes;
      const why = answered.error || String(answered.status);
      if (!isRight(answered)) wrong[why] = (wrong[why] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: connections }, one));
  const elapsed = (performance.now() - began) / 1000;
  agent.destroy();
  times.sort((a, b) => a - b);
  return {
    requests: times.length,
    perSecond: times.length / elapsed,
    p50Ms: quantile(times, 0.5),
    p99Ms: quantile(times, 0.99),
    bytes: bytes / times.length,
    wrong,
  };
};
