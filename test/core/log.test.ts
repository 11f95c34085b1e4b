import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createLog } from '#core/log.ts';
import { bufferedWriter } from '#core/log-writer.ts';

const LOG = join(import.meta.dirname, '../../core/log.ts');

/** Runs a program that has `log`; returns its JSON lines, stderr, exit status and signal. */
const run = (program: string) => {
  const source = `import { createLog } from ${JSON.stringify(LOG)}; const log = createLog('info'); ${program}`;
  const { stderr, status, signal } = spawnSync(process.execPath, ['--input-type=module-typescript', '-e', source], {
    encoding: 'utf8',
  });
  return { lines: stderr.split('\n').filter((line) => line.startsWith('{')), stderr, status, signal };
};

const many =
  "for (let at = 0; at < 5000; at += 1) log.request({ id: 'req_' + at, method: 'GET', route: '/', status: 200, milliseconds: 1 });";

describe('log', () => {
  it('writes one line of JSON for each event, with its time and level', () => {
    const lines: string[] = [];
    const log = createLog('info', (line) => lines.push(line));
    log.info('began', { count: 1 });
    log.request({ id: 'req_1', method: 'GET', route: '/a/{b}', status: 200, milliseconds: 1.26 });
    log.warn('odd', { error: new Error('first\nsecond') });
    const [began, request, odd] = lines.map((line) => JSON.parse(line));
    assert.ok(Math.abs(Date.parse(began.time) - Date.now()) < 5_000);
    assert.deepEqual({ ...began, time: 0 }, { time: 0, level: 'info', event: 'began', count: 1 });
    const told = {
      level: 'info',
      event: 'request',
      request_id: 'req_1',
      method: 'GET',
      route: '/a/{b}',
      status: 200,
      ms: 1.3,
    };
    assert.deepEqual({ ...request, time: 0 }, { time: 0, ...told });
    assert.deepEqual([odd.level, odd.error.message], ['warn', 'first']);
  });

  it('writes only warnings and errors at level warn, and nothing at level silent', () => {
    for (const [level, expected] of [
      ['warn', ['warn', 'error']],
      ['silent', []],
    ] as const) {
      const lines: string[] = [];
      const log = createLog(level, (line) => lines.push(line));
      log.info('a');
      log.request({ id: '', method: 'GET', route: '/', status: 200, milliseconds: 0 });
      log.warn('b');
      log.error('c');
      assert.deepEqual(
        lines.map((line) => JSON.parse(line).level),
        expected,
      );
    }
  });

  it('buffers lines, and flushes them before an urgent line, after a delay or when the buffer is full', async () => {
    const written: string[] = [];
    const write = bufferedWriter((text) => written.push(text));
    write('a\n', false);
    write('b\n', false);
    assert.deepEqual(written, []);
    write('c\n', true);
    assert.deepEqual(written, ['a\nb\nc\n']);
    write('d\n', false);
    await sleep(120);
    assert.deepEqual(written, ['a\nb\nc\n', 'd\n']);
    write('x'.repeat(40_000), false);
    assert.equal(written.length, 3, 'a full bundle waits for nothing');
  });

  it('loses no line at an orderly exit', () => {
    for (const end of ['', 'process.exit(3);']) {
      const { lines, status } = run(`${many} ${end}`);
      assert.equal(lines.length, 5000);
      assert.equal(JSON.parse(lines[4999] ?? '').request_id, 'req_4999');
      assert.equal(status, end ? 3 : 0);
    }
  });

  it('loses no line of several logs in one process, which share one exit handler', () => {
    const { lines, stderr } = run(
      "for (let at = 0; at < 30; at += 1) createLog('info').info('log_' + at); log.info('hooks', { count: process.listenerCount('exit') });",
    );
    const told = lines.map((line) => JSON.parse(line));
    assert.deepEqual(
      told.map(({ event }) => event),
      [...Array.from({ length: 30 }, (_, at) => `log_${at}`), 'hooks'],
    );
    assert.equal(told[30].count, 1);
    assert.doesNotMatch(stderr, /MaxListeners/);
  });

  it('loses no line to a fatal error', () => {
    for (const end of ["throw new Error('fatal');", "void Promise.reject(new Error('fatal'));"]) {
      const { lines, stderr, status } = run(`${many} ${end}`);
      assert.equal(lines.length, 5000);
      assert.ok(stderr.includes('fatal'));
      assert.equal(status, 1);
    }
  });

  it('writes a warning before the process is killed', () => {
    const { lines, signal } = run("log.info('a'); log.warn('b'); process.kill(process.pid, 'SIGKILL'); for (;;);");
    assert.deepEqual(
      lines.map((line) => JSON.parse(line).event),
      ['a', 'b'],
    );
    assert.equal(signal, 'SIGKILL');
  });
});
