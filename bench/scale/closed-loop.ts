/** So many requests are under way at any moment, each on a connection that is kept: what the server can do at most. */
import { Agent } from 'node:http';
import { type Answered, type Call, send } from './calls.ts';
import { quantile } from './figures.ts';

export interface Load {
  /** Given the number of the request. */
  call(nth: number): Call;
  readonly connections: number;
  readonly seconds: number;
}

export interface Figures {
  readonly requests: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Of an answer, on average. */
  readonly bytes: number;
  /** What was no 200, or empty: `429`, `ECONNRESET`, with how often. */
  readonly wrong: Readonly<Record<string, number>>;
}

/** `{}`, `[]` and nothing are empty. */
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
