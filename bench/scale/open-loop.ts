/**
 * Requests at a constant rate, whatever becomes of those before: what readers do, who do not wait for each other. The time
 * of each counts from when it was planned, so that a server that stands still for a second is seen by all that came in it
 * (coordinated omission), and so is a sender that comes late itself.
 */
import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Answered, type Call, send } from './calls.ts';

/** How often it is looked for what is due, in milliseconds. */
const TURN_MS = 5;
const MAX_CONNECTIONS = 512;
/** A connection that waited for so long is let go: the service announces that it ends them after 75 s, and may be doing so. */
const IDLE_MS = 60_000;

export interface Stream {
  readonly base: string;
  readonly perSecond: number;
  /** Given the number of the request. */
  call(nth: number): Call;
  /** @param milliseconds since it was planned */
  answered(nth: number, answered: Answered, milliseconds: number): void;
}

export interface OpenLoop {
  readonly sent: () => number;
  /** The most that a request was sent behind its time since this was asked last, in milliseconds. */
  takeLateness(): number;
  /** No more is sent; resolves when all that was is answered. */
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
