/** Requests one published page at a steady rate from a separate thread, and reports the latency of each response. */
import { Agent, get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';

const { url, everyMs } = workerData as { readonly url: string; readonly everyMs: number };
const agent = new Agent({ keepAlive: true, maxSockets: 64 });
const times: number[] = [];
let failed = 0;
let isEnding = false;
let open = 0;

/** Measures latency from the time at which the request was due; otherwise a late sender would hide the wait. */
const ask = (due: number): void => {
  open += 1;
  const end = (isGood: boolean): void => {
    open -= 1;
    if (isGood) times.push(performance.now() - due);
    else failed += 1;
  };
  get(url, { agent, timeout: 30_000 }, (reply) => {
    reply.resume().on('end', () => end(reply.statusCode === 200));
  }).on('error', () => end(false));
};

parentPort?.on('message', () => {
  isEnding = true;
});

const startedAt = performance.now();
for (let sent = 0; !isEnding; sent += 1) {
  const due = startedAt + sent * everyMs;
  const wait = due - performance.now();
  if (wait > 0) await sleep(wait);
  ask(due);
}
while (open > 0) await sleep(10);
agent.destroy();
parentPort?.postMessage({ times, failed });
parentPort?.close();
