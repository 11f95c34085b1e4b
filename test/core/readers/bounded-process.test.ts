/** Tests the child processes that read untrusted files, and their limits. */
import { deepEqual, equal, ok, rejects } from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createBoundedProcesses, type ProcessLimits } from '#core/readers/bounded-process.ts';

/** Obeys the message: replies, fills memory outside or inside the heap, loops forever or exits. */
const CHILD = `
const kept = [];
const fill = (make) => { for (;;) kept.push(make()); };
process.on('message', ({ what }) => {
  if (what === 'answer') process.send({ pid: process.pid });
  else if (what === 'buffers') fill(() => Buffer.alloc(8_000_000, 1));
  else if (what === 'heap') fill(() => Array.from({ length: 10_000 }, (_, at) => ({ at })));
  else if (what === 'spin') for (;;);
  else if (what === 'settings') process.send({ settings: Object.keys(process.env) });
  else process.exit(1);
});
process.once('disconnect', () => process.exit(0));
`;

interface Told {
  readonly what: string;
}
interface Answer {
  readonly pid?: number;
  readonly settings?: readonly string[];
}

const usual: ProcessLimits = {
  heapMegabytes: 128,
  residentMegabytes: 300,
  seconds: 60,
  idleSeconds: 60,
  atOnce: 2,
};

describe('bounded process', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'ekb-bounded-'));
    await writeFile(join(folder, 'child.mjs'), CHILD);
  });
  after(() => rm(folder, { recursive: true }));

  const create = (limits: Partial<ProcessLimits> = {}) =>
    createBoundedProcesses<Told, Answer>({
      script: pathToFileURL(join(folder, 'child.mjs')),
      limits: { ...usual, ...limits },
    });
  const ask = async (
    processes: ReturnType<typeof create>,
    what: string,
    more: { signal?: AbortSignal; onSpent?: (seconds: number) => void } = {},
  ) => {
    let heard: Answer = {};
    const onMessage = (answer: Answer): boolean => {
      heard = answer;
      return true;
    };
    const failure = await processes.run({ message: { what }, onMessage, ...more });
    return { failure, ...heard };
  };

  it('is reused for the next file, and receives no settings', async () => {
    const processes = create();
    const [first, second] = [await ask(processes, 'answer'), await ask(processes, 'answer')];
    ok(first.pid);
    equal(second.pid, first.pid);
    const { settings = [] } = await ask(processes, 'settings');
    deepEqual(
      settings.filter((name) => !/^(NODE_CHANNEL|PWD|OLDPWD|_|SHLVL)/.test(name)),
      [],
    );
    await processes.stop();
  });

  it('is killed when its heap or other memory exceeds the limit, and replaced by another', async () => {
    const processes = create();
    equal((await ask(processes, 'buffers')).failure, 'too_much_memory');
    equal((await ask(processes, 'heap')).failure, 'too_much_memory');
    equal((await ask(processes, 'answer')).failure, null);
    await processes.stop();
  });

  it('is killed when it takes too long, and reports its processor time', async () => {
    const processes = create({ seconds: 1 });
    let spent = 0;
    const { failure } = await ask(processes, 'spin', {
      onSpent: (seconds) => {
        spent = seconds;
      },
    });
    equal(failure, 'took_too_long');
    ok(spent > 0 && spent < 5, `${spent} s`);
    await processes.stop();
  });

  it('does not affect other work when it crashes', async () => {
    const processes = create();
    equal((await ask(processes, 'die')).failure, 'crashed');
    equal((await ask(processes, 'answer')).failure, null);
    await processes.stop();
  });

  it('runs in parallel up to the limit, and ends on an abort, on stop() or on retire()', async () => {
    const processes = create({ atOnce: 2 });
    const stopping = new AbortController();
    const spinning = ask(processes, 'spin', { signal: stopping.signal });
    equal((await ask(processes, 'answer')).failure, null);
    stopping.abort(new Error('the file was deleted'));
    await rejects(spinning, /the file was deleted/);
    await processes.retire();
    const last = ask(processes, 'spin');
    await processes.stop();
    await rejects(last, /stopped/);
  });
});
