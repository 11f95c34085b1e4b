/** Provides one service with the real content and a few fictional records, shared by the suites that only read. */
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { atEnd, newDataDir, startService } from '../../support/service.ts';
import { type Base, clientOf, ingest, madeArticle, madeFile, zincTrial } from './support.ts';

export const TRIAL = 99001001;
export const RETRACTED = 99001002;
/** PMID of a record that has only a PMID and a title. */
export const BARE = 99001003;
/** Path of a file with two registered trials. */
const STUDIES = join(import.meta.dirname, '../../fixtures/import/studies.json');

export interface RealBase extends Base {
  /** Lines that the service has logged so far. */
  readonly log: readonly string[];
}

const start = async (): Promise<RealBase> => {
  const log: string[] = [];
  const service = await startService({ onLog: (line) => log.push(line) });
  atEnd.push(() => service.stop());
  const folder = await newDataDir();
  const made = join(folder, 'made.xml');
  const retracted = { types: ['Randomized Controlled Trial', 'Retracted Publication'] };
  const bare = madeArticle({ pmid: BARE, title: 'Quokkamarginalia', journal: '' });
  await writeFile(made, madeFile(madeArticle(zincTrial(TRIAL)), madeArticle(zincTrial(RETRACTED, retracted)), bare));
  await ingest(service, 'pubmed', made);
  await ingest(service, 'ctgov', STUDIES);
  await rm(folder, { recursive: true });
  return { service, client: await clientOf(service), log };
};

let started: Promise<RealBase> | null = null;

/** Must be called in a describe. The shared service is stopped after all suites. */
export const useRealBase = (): RealBase => {
  const base = {} as RealBase;
  before(async function () {
    this.timeout(180_000);
    started ??= start();
    Object.assign(base, await started);
  });
  return base;
};
