/**
 * Sends requests at a constant rate, whether or not earlier ones have been answered, because readers do not wait for each other.
 * Latency counts from the scheduled time, so that a stall of a second affects every request scheduled in it (coordinated
 * omission), and so does a delay of the sender.
 */
import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Answered, type Call, send } from './calls.ts';

/** Interval at which due requests are sent, in milliseconds. */
const TURN_MS = 5;
const MAX_CONNECTIONS = 512;
/** Idle connections are closed after this time: the service announces that it closes them after 75 s, and may be doing so. */
const IDLE_MS = 60_000;

export interface Stream {
  readonly base: string;
  readonly perSecond: number;
  /** Returns the call with the given sequence number. */
  call(nth: number): Call;
  /** @param milliseconds since the scheduled time */
  answered(nth: number, answered: Answered, milliseconds: number): void;
}

export interface OpenLoop {
  readonly sent: () => number;
  /** Returns the maximum delay of a request after its scheduled time since the last call, in milliseconds. */
  takeLateness(): number;
  /** Stops sending; resolves when all requests have been answered. */
  stop(): Promise<void>;
}

export const startOpenLoop = ({ base, perSecond, call, answered }: Stream): OpenLoop => {
  const agent = new Agent({ keepAlive: true, maxSockets: MAX_CONNECTIONS, timeout: IDLE_MS });
  const began = performance.now();
  const underWay = new Set<Promise<void>>();
  let [sent, lateness, isOver] = [0, 0, false];
  const one = async (nth: number, planned: number): Promise<void> => {
    lateness = Math.max(lateness, performance.now() - planned);
    const answer = await send(base, call(nth), agent);
    answered(nth, answer, performance.now() - planned);
  };
  const run = async (): Promise<void> => {
    while (!isOver) {
      const due = Math.floor(((performance.now() - began) * perSecond) / 1000);
      while (sent < due) {
        const asked = one(sent, began + (1000 * sent) / perSecond).finally(() => underWay.delete(asked));
        underWay.add(asked);
        sent += 1;
      }
      await sleep(TURN_MS);
    }
  };
  const running = run();
  return {
    sent: () => sent,
    takeLateness: () => {
      const most = lateness;
      lateness = 0;
      return most;
    },
    stop: async () => {
      isOver = true;
      await running;
      await Promise.all(underWay);
      agent.destroy();
    },
  };
};
