/** Provides shared helpers for the snapshot tests, which fetch snapshots as any client would. */
import { strict as assert } from 'node:assert';
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { type JobOutcome, runJob } from '#core/jobs/scheduler.ts';
import type { Job } from '#core/plugin.ts';
import { snapshotsPlugin } from '#plugins/snapshots/index.ts';
import { newDataDir, type TestService } from '../../support/service.ts';

export const job = (snapshotsPlugin.jobs as readonly Job[])[0] as Job;

export const makeSnapshot = (service: TestService): Promise<JobOutcome> =>
  runJob(service.runtime, snapshotsPlugin, job);

export interface FileEntry {
  readonly name: string;
  readonly url: string;
  readonly media_type: string;
  readonly bytes: number;
  readonly sha256: string;
}

export interface ManifestAnswer {
  readonly id: string;
  readonly digest: string;
  readonly made_at: string;
  readonly checked_at: string;
  readonly datasets: readonly {
    readonly name: string;
    readonly unique_by: string;
    readonly rows: number;
    readonly file: string;
    readonly schema: string;
    readonly bytes: number;
    readonly sha256: string;
    readonly unpacked_bytes: number;
    readonly unpacked_sha256: string;
    readonly license: { readonly id: string; readonly terms: string };
  }[];
  readonly files: readonly FileEntry[];
}

export const manifestOf = async (service: TestService, id = 'latest'): Promise<ManifestAnswer> => {
  const reply = await fetch(`${service.url}/api/snapshots/${id}`);
  assert.equal(reply.status, 200);
  return (await reply.json()) as ManifestAnswer;
};

/** Returns the URL of a file on this server. */
export const urlOf = ({ url }: TestService, { url: address }: FileEntry): string =>
  `${url}${new URL(address).pathname}`;

/** Downloads every file of a snapshot over HTTP into a new folder. */
export const fetchAll = async (service: TestService, { files }: ManifestAnswer): Promise<string> => {
  const folder = await newDataDir();
  for (const file of files) {
    const reply = await fetch(urlOf(service, file));
    assert.equal(reply.status, 200, file.name);
    await writeFile(join(folder, file.name), Buffer.from(await reply.arrayBuffer()));
  }
  return folder;
};

/** Returns the output of `sha256sum -c`; throws if a checksum does not match. */
export const checkSums = async (folder: string): Promise<string> =>
  (await promisify(execFile)('sha256sum', ['-c', 'SHA256SUMS'], { cwd: folder })).stdout;

export const rowsIn = (packed: Buffer): Record<string, unknown>[] => {
  const text = gunzipSync(packed).toString();
  assert.ok(text === '' || text.endsWith('\n'));
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));
};
