import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { LINES, reportPdf } from '../plugins/labs/support.ts';
import { startProgram } from '../support/program.ts';
import { discard, newPlace } from '../support/service.ts';
import { until } from '../support/until.ts';
import { environmentOf, KILLS, killAfter, moments, type Place, withDatabase } from './support.ts';

/** The time from the upload of a report to the end of its reading, including the start of the reader process. */
const READING_MS = 1_200;

const serverOn = async (place: Place) => {
  const settings = {
    ...environmentOf(place),
    PORT: '0',
    BASE_URL: '',
    STARTER_PRODUCTS: 'none',
    STARTER_EVIDENCE: 'none',
    GENERATE_PAGES: 'off',
  };
  const running = startProgram(['serve'], settings);
  const [, url = ''] = await running.waitFor(/is at (http:\S+)/);
  return { running, url };
};

describe('server killed while it receives and reads a laboratory report', () => {
  let place: Place;
  before(async function () {
    this.timeout(300_000);
    place = await newPlace();
  });
  after(() => discard(place));

  it('reads every accepted report after a restart and leaves no partial report', async function () {
    this.timeout(600_000);
    for (const [at, moment] of moments(READING_MS, Math.min(KILLS, 3)).entries()) {
      const { running, url } = await serverOn(place);
      const form = new FormData();
      form.append('consent', 'true');
      form.append('file', new Blob([new Uint8Array(await reportPdf(LINES))]), 'report.pdf');
      const sending = { method: 'POST', body: form, redirect: 'manual' } as const;
      const sent = fetch(`${url}/blood-test/upload`, sending).catch(() => undefined);
      // Every second kill happens after the upload was accepted, even on a slow machine.
      if (at % 2) await sent;
      await killAfter(running, moment);
    }
    // The claims of a killed server last another two minutes, except in the embedded database.
    const stored = await withDatabase(place, async (em) => {
      await em.execute('update lab_report set claimed_until = now() where claimed_until is not null');
      return (await em.execute('select id, files from lab_report')) as unknown as { id: string; files: number }[];
    });
    assert.ok(stored.length > 0, 'no upload was taken before a kill');
    const { running } = await serverOn(place);
    const files = () => readdir(join(place.dataDir, 'objects/lab-uploads'), { recursive: true }).catch(() => []);
    const isOpen = (name: string): boolean => stored.some(({ id }) => name.startsWith(`${id}/`));
    await until(async () => !(await files()).some(isOpen), 'the end of all reading', 200);
    running.child.kill('SIGTERM');
    await running.finished;
    const left = await withDatabase(place, (em) => em.execute('select state, files, attempts from lab_report'));
    for (const row of left as unknown as { state: string; files: number; attempts: number }[])
      assert.deepEqual([row.state, row.files], ['ready', 0]);
  });

  it('deletes partially received files on restart', async function () {
    this.timeout(300_000);
    const received = async (): Promise<readonly string[]> =>
      (await readdir(join(place.dataDir, 'uploads'), { recursive: true, withFileTypes: true }).catch(() => []))
        .filter((entry) => entry.isFile() && entry.parentPath.endsWith('files'))
        .map(({ name }) => name);
    const first = await serverOn(place);
    const half = connect(Number(new URL(first.url).port), '127.0.0.1').on('error', () => undefined);
    const part =
      '--x\r\nContent-Disposition: form-data; name="file"; filename="report.pdf"\r\nContent-Type: application/pdf\r\n\r\n%PDF-1.7';
    half.write(
      `POST /blood-test/upload HTTP/1.1\r\nHost: localhost\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: 200000\r\n\r\n${part}${' ferritin 12'.repeat(8_000)}`,
    );
    await until(async () => (await received()).length === 1);
    first.running.child.kill('SIGKILL');
    await first.running.finished;
    assert.equal((await received()).length, 1);
    const second = await serverOn(place);
    assert.deepEqual(await received(), []);
    second.running.child.kill('SIGTERM');
    await second.running.finished;
  });
});
