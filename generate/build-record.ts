/** What the published build is made of; an unknown or damaged record means a full build. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { replaceFile } from './write.ts';

/** Raise it when the writing of pages changes. */
export const GENERATOR_VERSION = 'generate-1';

export interface RecordedPage {
  readonly file: string;
  /** Page version + template closure + base context + generator version. */
  readonly digest: string;
  readonly changedAt: string | null;
}

export interface BuildRecord {
  readonly generator: string;
  /** Folder below DATA_DIR/site/builds. */
  readonly build: string;
  /** Digest of robots.txt and the sitemaps. */
  readonly discovery: string;
  readonly pages: ReadonlyMap<string, RecordedPage>;
}

const path = (siteDir: string): string => join(siteDir, 'build-record.json');

export const readRecord = async (siteDir: string): Promise<BuildRecord | null> => {
  try {
    const { generator, build, discovery, pages } = JSON.parse(await readFile(path(siteDir), 'utf8'));
    if (generator !== GENERATOR_VERSION || !/^b\d+$/.test(build) || !Array.isArray(pages)) return null;
    return { generator, build, discovery, pages: new Map(pages) };
  } catch {
    return null;
  }
};

export const writeRecord = (siteDir: string, record: BuildRecord): Promise<void> =>
  replaceFile(path(siteDir), JSON.stringify({ ...record, pages: [...record.pages] }));
