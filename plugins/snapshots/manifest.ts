/** Defines the manifest of a snapshot, which is stored as manifest.json in its folder and as a row for all nodes. */
import { type Static, Type } from 'typebox';

/** Version of the format; increases when programs that read snapshots must change. */
export const FORMAT = 1;

const Digest = Type.String({ pattern: '^[0-9a-f]{64}$' });
const Bytes = Type.Integer({ minimum: 0 });

export const Licence = Type.Object({
  id: Type.String({ description: 'Of the SPDX list.' }),
  name: Type.String(),
  url: Type.String(),
  terms: Type.String({ description: 'What it covers, what is in the public domain, what each row says of itself.' }),
});

export const DatasetEntry = Type.Object({
  name: Type.String(),
  title: Type.String(),
  description: Type.String(),
  rows: Type.Integer({ minimum: 0 }),
  unique_by: Type.String({ description: 'The member that is different in each row.' }),
  file: Type.String({ description: 'JSON Lines, packed with gzip.' }),
  bytes: Bytes,
  sha256: Digest,
  unpacked_bytes: Bytes,
  unpacked_sha256: Type.String({ ...Digest, description: 'The same rows have the same, whatever packed them.' }),
  schema: Type.String({ description: 'The file with the JSON Schema of a row.' }),
  schema_sha256: Digest,
  license: Licence,
});
export type DatasetEntry = Static<typeof DatasetEntry>;

export const manifestMembers = {
  format: Type.Integer(),
  id: Type.String(),
  digest: Type.String({ ...Digest, description: 'Of all rows, schemas and licences: the same data have the same.' }),
  read_from: Type.String({ format: 'date-time' }),
  made_at: Type.String({ format: 'date-time' }),
  software: Type.Object({ name: Type.String(), version: Type.String() }),
  index_version: Type.String({ description: 'Of the search index when reading began.' }),
  base_url: Type.String({ description: 'The instance that made it.' }),
  signing_key: Type.String({ description: 'Ed25519, PEM: SHA256SUMS.sig is the signature of SHA256SUMS by it.' }),
  datasets: Type.Array(DatasetEntry),
};
export const Manifest = Type.Object(manifestMembers);
export type Manifest = Static<typeof Manifest>;

/** A file of a snapshot. */
export interface SnapshotFile {
  readonly name: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** Pattern of an id: the creation time and the beginning of the digest, so that ids are unique. */
export const ID_PATTERN = '^[0-9]{8}-[0-9]{6}-[0-9a-f]{8}$';

export const idOf = (madeAt: Date, digest: string): string => {
  const [day = '', time = ''] = madeAt.toISOString().replace(/[-:]/g, '').split('T');
  return `${day}-${time.slice(0, 6)}-${digest.slice(0, 8)}`;
};
