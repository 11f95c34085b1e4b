/** The two pages that every server serves: published for ours, files with gzip and Brotli twins for the others. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { publish } from '#core/site/builds.ts';
import { IndexWriter } from '#core/site/index-writer.ts';
import { PackWriter } from '#core/site/pack-writer.ts';
import { contentHash } from '#core/site/site-index.ts';

export interface MadePage {
  readonly name: string;
  readonly body: Buffer;
}

/** Words of the README: as compressible as text is. */
const pageOf = (name: string, bytes: number, words: readonly string[]): MadePage => {
  let text = `<!doctype html><html lang="en"><title>${name}</title>`;
  for (let at = 0; text.length < bytes; at += 17)
    text += `<p>${words.slice(at % 900, (at % 900) + 23).join(' ')} ${at}</p>\n`;
  return { name, body: Buffer.from(text.slice(0, bytes)) };
};

export const makePages = (text: string): readonly MadePage[] => {
  const words = text.replace(/[^\x20-\x7e]|[<>&]/g, ' ').split(/\s+/);
  return [pageOf('4-kb', 4096, words), pageOf('40-kb', 40_960, words)];
};

/** `<folder>/4-kb.html` with twins. */
export const writeFiles = async (folder: string, pages: readonly MadePage[]): Promise<void> => {
  await mkdir(folder, { recursive: true });
  for (const { name, body } of pages) {
    await writeFile(join(folder, `${name}.html`), body);
    await writeFile(join(folder, `${name}.html.gz`), gzipSync(body));
    await writeFile(join(folder, `${name}.html.br`), brotliCompressSync(body));
  }
};

/** Published as `generate` publishes, at `/4-kb.html`. */
export const publishPages = async (siteDir: string, pages: readonly MadePage[]): Promise<void> => {
  const build = 'b000001';
  const pack = new PackWriter(siteDir, build);
  const index = new IndexWriter({ kinds: [{ plugin: '', page: '', digest: '' }], twins: true, entries: pages.length });
  for (const { name, body } of pages) {
    const place = pack.add(body, { gzip: gzipSync(body), br: brotliCompressSync(body) });
    index.add({
      path: `/${name}.html`,
      type: 'text/html; charset=utf-8',
      role: 'page',
      kind: 0,
      version: '1',
      changedAt: null,
      modified: Date.now(),
      hash: contentHash(body),
      place,
    });
  }
  const sizes = new Map((await pack.finish()).map(({ name, bytes }) => [name, bytes]));
  const about = { madeAt: new Date().toISOString(), pages: pages.length, rendered: pages.length, bytes: 0 };
  await index.write(siteDir, build, { about, bytesOfPack: (name) => sizes.get(name) ?? 0 });
  await publish(siteDir, build, { isAutomatic: false });
};
