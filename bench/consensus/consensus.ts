/**
 * Prints how far the grades of the base agree with named authorities: `node bench/consensus/consensus.ts [--data <folder>]`.
 * Prints two tables: one for the base as it is served; and one for the statements of Cochrane reviews with that review excluded
 * from the input, so that the grade must follow from all other sources. Without --data, a base is built from the starter content
 * (about two minutes).
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { boot } from '../../core/boot.ts';
import { createLog } from '../../core/log.ts';
import { systemContext } from '../../core/system-context.ts';
import { agentsPlugin } from '../../plugins/agents/index.ts';
import { evidencePlugin } from '../../plugins/evidence/index.ts';
import { findingsPlugin } from '../../plugins/findings/index.ts';
import { plugins } from '../../plugins/index.ts';
import { claimsFor, outcomeClaims } from '../../plugins/outcomes/claims.ts';
import { assess } from '../../plugins/outcomes/grading/assess.ts';
import type { Assessment } from '../../plugins/outcomes/grading/assessment.ts';
import { conditionFinder } from '../../plugins/outcomes/grading/population.ts';
import { outcomesPlugin } from '../../plugins/outcomes/index.ts';
import { readSources } from '../../plugins/outcomes/material.ts';
import { vocabularyPlugin } from '../../plugins/vocabulary/index.ts';
import { CERTAINTIES, type Compared, compare } from './compare.ts';
import { readStatements, type Statement } from './statements.ts';

const { values } = parseArgs({
  options: { data: { type: 'string' }, statements: { type: 'string' }, all: { type: 'boolean', default: false } },
});
const dataDir = values.data ?? (await mkdtemp(join(tmpdir(), 'ekb-bench-')));
const runtime = await boot({
  plugins,
  role: 'command',
  environment: { DATA_DIR: dataDir, LOG_LEVEL: 'silent', STARTER_PRODUCTS: 'none' },
  dotEnvPath: null,
  log: createLog('silent'),
});
const signal = AbortSignal.timeout(900_000);
// This context belongs to a plugin that may use all plugins needed below.
const { use, db } = systemContext(runtime, agentsPlugin, signal);

const { starter } = use(evidencePlugin);
starter.begin();
await sleep(500);
while (starter.stages().some(({ status }) => status === 'running')) await sleep(500);
const outcomes = use(outcomesPlugin);
await outcomes.catchUp(signal);

const statements = readStatements(values.statements);
const served = new Map((await outcomes.all()).map((grade) => [grade.vertical, grade.assessments]));

const percent = (part: number, whole: number): string =>
  whole ? `${((100 * part) / whole).toFixed(1)} %`.padStart(7) : '–'.padStart(7);

const report = (title: string, compared: readonly Compared[]): void => {
  const agreed = compared.filter(({ verdict }) => verdict === 'agree');
  const rated = agreed.filter(({ steps }) => steps !== null);
  const within = rated.filter(({ steps }) => Math.abs(steps ?? 9) <= 1);
  const exact = rated.filter(({ steps }) => steps === 0);
  console.log(`\n${title}: ${compared.length} statements`);
  console.log(`  direction agrees                     ${percent(agreed.length, compared.length)}   (goal 95 %)`);
  console.log(`  certainty within one step, of those  ${percent(within.length, rated.length)}   (goal 95 %)`);
  console.log(`  certainty exact, of those            ${percent(exact.length, rated.length)}   (goal 75 %)`);
  const kinds = Map.groupBy(compared, ({ verdict }) => verdict);
  for (const [kind, of] of [...kinds].toSorted((a, b) => b[1].length - a[1].length))
    console.log(`  ${kind.padEnd(20)} ${String(of.length).padStart(4)}`);
};

const listDisagreements = (compared: readonly Compared[]): void => {
  const wrong = compared.filter(({ verdict, steps }) => verdict !== 'agree' || Math.abs(steps ?? 0) > 1 || values.all);
  for (const { statement: s, verdict, direction, certainty, against } of wrong)
    console.log(
      [
        s.id,
        `${s.supplement}-${s.topic} (${s.population})`,
        `${s.authority}: ${s.direction}, ${s.certainty}`,
        direction ? `we: ${direction}, ${certainty}` : 'we: –',
        verdict,
        against,
      ].join(' | '),
    );
};

const terms = await use(vocabularyPlugin).terms();
const book = await use(findingsPlugin).book();
const findCondition = conditionFinder([...terms.conditions.values()]);

/** Assesses a statement's question without the findings of the statement's own source. */
const withoutOwn = async (statement: Statement): Promise<readonly Assessment[]> => {
  const { supplement, topic } = statement;
  const vertical = `${supplement}-${topic}`;
  const own = `doi:${/10\.1002\/14651858\.\w+/i.exec(statement.address)?.[0].toLowerCase() ?? ''}`;
  const sources = (await db.read((em) => readSources(em, [vertical]))).get(vertical) ?? [];
  const findings = (book.byVertical.get(vertical) ?? []).filter(({ source }) => !source.startsWith(own));
  const key = { vertical, supplement, topic };
  return assess({
    supplement,
    topic,
    findings,
    sources: sources.filter(({ doi }) => !`doi:${doi.toLowerCase()}`.startsWith(own)),
    claims: outcomeClaims(claimsFor(key, terms), new Set()),
    findCondition,
    ownConditions: new Set(
      [...terms.conditions.values()].flatMap(({ slug, topics }) => (topics.includes(topic) ? [slug] : [])),
    ),
    sourceIds: new Map(),
  });
};

try {
  const asServed = statements.map((one) => compare(one, served.get(`${one.supplement}-${one.topic}`) ?? []));
  report('As served', asServed);
  const reviews = statements.filter(({ authority }) => /cochrane/i.test(authority));
  const keptOut: Compared[] = [];
  for (const one of reviews) keptOut.push(compare(one, await withoutOwn(one)));
  report(
    'Cochrane statements, as served',
    asServed.filter(({ statement }) => reviews.includes(statement)),
  );
  report('Cochrane statements, the review itself kept out', keptOut);
  report(
    'All other authorities',
    asServed.filter(({ statement }) => !reviews.includes(statement)),
  );
  console.log('\nDisagreements, as served:');
  listDisagreements(asServed);
  const grades = (await outcomes.all()).filter(({ assessed }) => assessed);
  console.log(`\nAssessed outcomes: ${grades.length} of ${served.size}; by certainty and direction:`);
  for (const level of CERTAINTIES) {
    const of = grades.filter(({ certainty }) => certainty === level);
    const count = (code: string): string => `${code} ${of.filter(({ direction }) => direction === code).length}`;
    console.log(
      `  ${level.padEnd(10)} ${String(of.length).padStart(4)}  ${['positive', 'null', 'negative', 'mixed', 'unclear'].map(count).join(', ')}`,
    );
  }
} finally {
  await runtime.stop();
  if (!values.data) await rm(dataDir, { recursive: true, force: true });
}
