/** Publishes made-up files like `generate`, without pages and a database. */
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { publish } from '#core/site/builds.ts';
import { IndexWriter } from '#core/site/index-writer.ts';
import { PackWriter } from '#core/site/pack-writer.ts';
import { contentHash, type Role } from '#core/site/site-index.ts';

export interface MadeFile {
  readonly path: string;
  readonly text: string;
  readonly type?: string;
  readonly role?: Role;
  readonly modified?: Date;
  /** Omits the compressed variants when true. */
  readonly plain?: boolean;
}

const KINDS = [{ plugin: 'made', page: 'made', digest: 'made' }];

/** Writes a build with its own pack and does not publish it. */
export const writeMadeBuild = async (siteDir: string, build: string, files: readonly MadeFile[]): Promise<void> => {
  const pack = new PackWriter(siteDir, build);
  const index = new IndexWriter({ kinds: KINDS, twins: true, entries: files.length });
  for (const { path, text, type = 'text/html; charset=utf-8', role = 'page', modified = new Date(), plain } of files) {
    const body = Buffer.from(text);
    const place = pack.add(
      body,
      plain ? { gzip: null, br: null } : { gzip: gzipSync(body), br: brotliCompressSync(body) },
    );
    const common = { path, type, role, kind: 0, version: '1', changedAt: null, modified: modified.getTime() };
    index.add({ ...common, hash: contentHash(body), place });
  }
  const packs = new Map((await pack.finish()).map(({ name, bytes }) => [name, bytes]));
  const about = { madeAt: new Date().toISOString(), pages: files.length, rendered: files.length, bytes: 0 };
  await index.write(siteDir, build, { about, bytesOfPack: (name) => packs.get(name) ?? 0 });
};

/** Writes a build and publishes it. */
export const publishMade = async (siteDir: string, build: string, files: readonly MadeFile[]): Promise<void> => {
  await writeMadeBuild(siteDir, build, files);
  await publish(siteDir, build, { isAutomatic: false });
};
