/** One service with the real content and a few made-up records, shared by the suites that only read. */
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { atEnd, newDataDir, startService } from '../../support/service.ts';
import { type Base, clientOf, ingest, madeArticle, madeFile, zincTrial } from './support.ts';

export const TRIAL = 99001001;
export const RETRACTED = 99001002;
/** Has a PMID and a title, and nothing else. */
export const BARE = 99001003;
/** Two registered trials. */
const STUDIES = join(import.meta.dirname, '../../fixtures/import/studies.json');

export interface RealBase extends Base {
  /** What the service logged so far. */
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

/** To be called in a describe; nobody stops the service. */
export const useRealBase = (): RealBase => {
  const base = {} as RealBase;
  before(async function () {
    this.timeout(180_000);
    started ??= start();
    Object.assign(base, await started);
  });
  return base;
};
