import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { API_VERSION } from '#core/http/core-routes.ts';
import type { Context, Host } from '#core/plugin.ts';
import type { ObjectPart } from '#core/storage/object-store.ts';
import { evidencePlugin } from '#plugins/evidence/index.ts';
import { createDownloadLimit, type DownloadLimit } from './download-limit.ts';
import { keyOf } from './files.ts';
import { signerOf } from './making/signature.ts';
import type { Making } from './making/write-snapshot.ts';
import { publishSnapshot } from './publishing.ts';

export interface SnapshotServices {
  /** Returns the inputs of a snapshot of the current data. */
  making(context: Context): Promise<Making>;
  /** Publishes a snapshot; the caller must hold the lease. */
  publish(context: Context): Promise<Readonly<Record<string, number>>>;
  /** Opens a file or a part of it; resolves to null when the object does not exist. */
  read(id: string, name: string, part?: ObjectPart): Promise<Readable | null>;
  /** Public key in PEM format. */
  readonly signingKey: string;
  readonly places: DownloadLimit;
}

export const startSnapshots = (host: Host): SnapshotServices => {
  const { objects, db, config, contentDir } = host;
  const signer = signerOf(host.secrets);
  const making: SnapshotServices['making'] = async ({ datasets, signal, use }) => ({
    datasets,
    software: { name: 'supplement-evidence-base', version: API_VERSION },
    indexVersion: use(evidencePlugin).index.state().version,
    baseUrl: config.text('BASE_URL'),
    signer,
    terms: await readFile(join(contentDir, 'LICENSE'), 'utf8').catch(() => ''),
    signal,
  });
  return {
    making,
    publish: async (context) =>
      publishSnapshot({
        db,
        objects,
        making: await making(context),
        workFolder: await host.dataDir(),
        keep: config.integer('SNAPSHOTS_KEEP'),
      }),
    read: (id, name, part) => objects.read(keyOf(id, name), part),
    signingKey: signer.publicKey,
    places: createDownloadLimit(host.counters),
  };
};
