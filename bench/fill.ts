/**
 * Fills an empty base by `npm run import -- pubmed-search` from a local server that emulates PubMed's E-utilities; measures the
 * speed, and checks that ten kills (SIGKILL) at random moments neither lose nor duplicate records. The records are synthetic:
 * sentences assembled from a few words, for load only.
 * Usage: node bench/fill.ts [records, default 15000] [kills, default 10]
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { coreSettings, loadConfig } from '#core/config.ts';
import { openDatabase } from '#core/db/database.ts';
import { createLog } from '#core/log.ts';
import { PubmedServer } from './pubmed-server.ts';

const RECORDS = Number(process.argv[2] ?? 15_000);
const KILLS = Number(process.argv[3] ?? 10);
const FIRST = 910_000_000;
const MAIN = join(import.meta.dirname, '../core/main.ts');

const SUPPLEMENTS = ['magnesium', 'zinc', 'creatine', 'ashwagandha', 'caffeine', 'curcumin', 'melatonin', 'vitamin D'];
const OUTCOMES = ['sleep', 'anxiety', 'blood pressure', 'muscle strength', 'common cold', 'cognition', 'fatigue'];
const PEOPLE = ['older adults', 'athletes', 'women after the menopause', 'students', 'people with type 2 diabetes'];
const pick = (list: readonly string[], number: number): string => list[number % list.length] ?? '';

const synthetic = (pmid: number): string => {
  const [supplement, outcome, people] = [pick(SUPPLEMENTS, pmid), pick(OUTCOMES, pmid >> 3), pick(PEOPLE, pmid >> 6)];
  const sentence = (number: number): string =>
    `In visit ${number} the ${pick(PEOPLE, pmid + number)} who took ${supplement} reported on ${pick(OUTCOMES, pmid + number)} ${20 + ((pmid * number) % 60)} points against ${30 + ((pmid + number) % 40)} with placebo (p = 0.0${1 + (pmid % 8)}).`;
  const abstract = Array.from({ length: 10 }, (_, at) => sentence(at + 1)).join(' ');
  return `<PubmedArticle><MedlineCitation><PMID Version="1">${pmid}</PMID><Article>
<Journal><JournalIssue><Volume>7</Volume><PubDate><Year>${2000 + (pmid % 25)}</Year></PubDate></JournalIssue><Title>Journal of Synthetic Records</Title></Journal>
<ArticleTitle>Synthetic record ${pmid}: ${supplement} and ${outcome} in ${people}, a randomised trial.</ArticleTitle>
<Abstract><AbstractText>We randomly assigned ${40 + (pmid % 300)} ${people} to ${supplement} or placebo in a double-blind trial. ${abstract} ${supplement} improved ${outcome}.</AbstractText></Abstract>
<PublicationTypeList><PublicationType>Randomized Controlled Trial</PublicationType></PublicationTypeList>
</Article></MedlineCitation></PubmedArticle>`;
};

const pmids = Array.from({ length: RECORDS }, (_, at) => FIRST + at);
let sent = 0;
const pubmed = new PubmedServer({
  article: (pmid) => synthetic(pmid),
  find: () => pmids,
  dayOf: (pmid) => `${2000 + (pmid % 25)}/0${1 + (pmid % 9)}/15`,
});
pubmed.faultFor = (asked) => {
  if (asked.utility === 'efetch') sent += pubmed.pagePmids(asked).length;
  return undefined;
};

interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly seconds: number;
}

const settingsFor = (dataDir: string): Record<string, string> => ({
  DATA_DIR: dataDir,
  BASE_URL: 'http://bench.test',
  LOG_LEVEL: 'silent',
  STARTER_PRODUCTS: 'none',
  NCBI_BASE_URL: address,
  NCBI_EMAIL: 'bench@example.org',
  NCBI_API_KEY: 'synthetic',
});

const start = (dataDir: string, ...args: readonly string[]): { child: ChildProcess; ended: Promise<Ended> } => {
  const { PATH = '', HOME = '' } = process.env;
  const startedAt = performance.now();
  const child = spawn(process.execPath, [MAIN, ...args], {
    env: { PATH, HOME, ...settingsFor(dataDir) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let stdout = '';
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  const ended = once(child, 'close').then(([status]) => ({
    status: status as number | null,
    stdout,
    seconds: (performance.now() - startedAt) / 1000,
  }));
  return { child, ended };
};

const fill = (dataDir: string) => start(dataDir, 'import', 'pubmed-search', '--query', 'synthetic');

/**
 * Kills a run at a random moment within `withinMs` milliseconds of its first page request; returns its output, or null when it
 * ended before.
 */
const killOne = async (dataDir: string, withinMs: number): Promise<string | null> => {
  pubmed.asked = [];
  const { child, ended } = fill(dataDir);
  while (!pubmed.to('efetch').length && child.exitCode === null) await sleep(5);
  await sleep(Math.random() * withinMs);
  child.kill('SIGKILL');
  const { status, stdout } = await ended;
  return status === null ? stdout.trim() : null;
};

const countIn = async (dataDir: string, sql: string): Promise<number> => {
  const db = await openDatabase(loadConfig(coreSettings, settingsFor(dataDir), null), [], createLog('silent'));
  try {
    const rows = (await db.read((em) => em.execute(sql))) as unknown as { n: number }[];
    return Number(rows[0]?.n);
  } finally {
    await db.close();
  }
};

const describeState = async (dataDir: string): Promise<string> => {
  const inRange = `origin = 'pubmed' and origin_key::bigint >= ${FIRST}`;
  const records = await countIn(dataDir, `select count(*)::int as n from evidence_record where ${inRange}`);
  const sources = await countIn(
    dataDir,
    `select count(*)::int as n from evidence_source where pmid <> '' and pmid::bigint >= ${FIRST} and removed_at is null`,
  );
  const queue = await countIn(dataDir, 'select count(*)::int as n from evidence_pubmed_queue');
  return `${records} records and ${sources} sources in the base, ${queue} left in the queue`;
};

const lastLine = (stdout: string): string => stdout.trim().split('\n').at(-1) ?? '';

const address = await pubmed.listen();
const folder = await mkdtemp(join(tmpdir(), 'ekb-bench-'));
try {
  const [clean, killed] = [join(folder, 'clean'), join(folder, 'killed')];
  for (const dataDir of [clean, killed]) await start(dataDir, 'migrate').ended;
  console.log(`${RECORDS} synthetic records (for load only), embedded database, 10 requests a second at most`);

  const first = await fill(clean).ended;
  const requests = pubmed.asked.length;
  console.log(`fill       ${lastLine(first.stdout)}`);
  console.log(
    `           ${requests} requests (${pubmed.to('esearch').length} searches), ${first.seconds.toFixed(1)} s with the start of the program`,
  );
  console.log(`           ${await describeState(clean)}`);
  const again = await fill(clean).ended;
  console.log(`again      ${lastLine(again.stdout)}`);

  sent = 0;
  // On average, half of the work is done at the last kill.
  const withinMs = (first.seconds * 1000) / KILLS;
  for (let kill = 1; kill <= KILLS; kill += 1) {
    const printed = await killOne(killed, withinMs);
    if (printed === null) throw new Error(`The run ended before kill ${kill}: take more records, or fewer kills.`);
    console.log(`kill ${kill}: ${printed}`);
  }
  const last = await fill(killed).ended;
  console.log(last.stdout.trim());
  console.log(`           ${await describeState(killed)}, exit status ${last.status}`);
  console.log(`           ${sent} records were sent, ${sent - RECORDS} of them more than once because of the kills`);
} finally {
  pubmed.close();
  await rm(folder, { recursive: true, force: true });
}
