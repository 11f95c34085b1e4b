/**
 * Measures the quality of answers: whether the right abstract is found and cited, whether quotes match the stored text, whether
 * questions without evidence stay unanswered, the refusals, and the stance model.
 * Usage: node bench/ask/ask.ts [data folder, default ../shared/data]
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { boot } from '#core/boot.ts';
import { createLog } from '#core/log.ts';
import { type AnswerBody, type AnswerEngine, createAnswerEngine } from '#plugins/answers/engine/port.ts';
import type { refusalOf } from '#plugins/answers/engine/refusal.ts';
import { pubmed } from '#plugins/evidence/importers/pubmed.ts';
import { importFile } from '#plugins/evidence/importing.ts';
import { type EvidenceServices, evidencePlugin } from '#plugins/evidence/index.ts';
import { plugins } from '#plugins/index.ts';
import { type InteractionServices, interactionsPlugin } from '#plugins/interactions/index.ts';
import { type OutcomeServices, outcomesPlugin } from '#plugins/outcomes/index.ts';
import { type VocabularyServices, vocabularyPlugin } from '#plugins/vocabulary/index.ts';
import { asPubMed } from './pubmedqa-base.ts';
import { FICTITIOUS, OFF_TOPIC } from './questions.ts';
import { refusalFigures } from './refusals.ts';
import { crossValidate, L2, type LabelledQuestion, readLabelled } from './stance-model.ts';

const data = process.argv[2] ?? join(import.meta.dirname, '../../../shared/data');
const all = readLabelled(join(data, 'pubmedqa/pqal-dev.json'));
if (!all) {
  console.log(`No data at ${data}: nothing to measure.`);
  process.exit(0);
}

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;
const shareOf = <T>(list: readonly T[], holds: (one: T) => boolean): number =>
  list.filter(holds).length / Math.max(1, list.length);
const quantile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0;

const answerTo = async (engine: AnswerEngine, question: string): Promise<AnswerBody> => {
  const request = {
    question,
    max_citations: 8,
    audience: 'consumer',
    language: 'en',
    history: [],
    model_consent: false,
  } as const;
  for await (const event of engine.ask(request, new AbortController().signal))
    if (event.type === 'final') return event.answer;
  throw new Error('no final event');
};

interface Base {
  readonly engine: AnswerEngine;
  readonly evidence: EvidenceServices;
  readonly names: Parameters<typeof refusalOf>[2];
  /** Stored texts by source, read from the database and not through the engine. */
  readonly stored: ReadonlyMap<string, Readonly<Record<string, string>>>;
}

const withBase = async (withConclusion: boolean, work: (base: Base) => Promise<void>): Promise<void> => {
  const folder = await mkdtemp(join(tmpdir(), 'ekb-bench-'));
  try {
    const environment = {
      DATA_DIR: join(folder, 'data'),
      BASE_URL: 'http://bench.test',
      STARTER_PRODUCTS: 'none',
      STARTER_EVIDENCE: 'none',
    };
    const runtime = await boot({ plugins, role: 'command', environment, dotEnvPath: null, log: createLog('silent') });
    const evidence = runtime.servicesOf(evidencePlugin) as EvidenceServices;
    const vocabulary = runtime.servicesOf(vocabularyPlugin) as VocabularyServices;
    const interactions = runtime.servicesOf(interactionsPlugin) as InteractionServices;
    const file = join(folder, 'abstracts.xml');
    await writeFile(file, asPubMed(all, withConclusion));
    await importFile(runtime.db, pubmed, file, {
      signal: AbortSignal.timeout(600_000),
      grader: await evidence.grader(),
    });
    await evidence.catchUp();
    const models = { language: null, vision: null, embedder: null, crossEncoder: null };
    const engine = createAnswerEngine({
      evidence,
      vocabulary,
      interactions,
      outcomes: runtime.servicesOf(outcomesPlugin) as OutcomeServices,
      models,
      db: runtime.db,
      log: createLog('silent'),
    });
    const rows = (await runtime.db.read((em) =>
      em.execute('select source_id, title, abstract, summary from evidence_source where removed_at is null'),
    )) as Record<string, string>[];
    const stored = new Map(rows.map((row) => [row.source_id ?? '', row]));
    await work({
      engine,
      evidence,
      stored,
      names: { terms: await vocabulary.terms(), drugs: await interactions.drugs() },
    });
    await runtime.stop();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

const idOf = ({ pmid }: LabelledQuestion): string => `pmid-${pmid}`;

/** Counts the quotes that match the stored text exactly, character by character. */
const holds = (stored: Base['stored'], { citations }: AnswerBody): number =>
  citations.filter(
    ({ source_id: id, quote, quote_from: from, quote_start: start, quote_end: end, quote_verified: said }) =>
      said && quote !== '' && stored.get(id)?.[from]?.slice(start, end) === quote,
  ).length;

const measureAnswers = async ({ engine, evidence, stored }: Base): Promise<void> => {
  const ranks: number[] = [];
  const answers: { one: LabelledQuestion; answer: AnswerBody; ms: number }[] = [];
  for (const one of all) {
    const { rows } = await evidence.search({ text: one.question.slice(0, 500), limit: 50 });
    ranks.push(rows.findIndex(({ sourceId }) => sourceId === idOf(one)));
    const startedAt = performance.now();
    const answer = await answerTo(engine, one.question);
    answers.push({ one, answer, ms: performance.now() - startedAt });
  }
  const answered = answers.filter(({ answer }) => answer.status === 'answered');
  const cited = answered.filter(({ one, answer }) => answer.citations.some(({ source_id: id }) => id === idOf(one)));
  const quotes = answers.reduce((sum, { answer }) => sum + answer.citations.length, 0);
  const verified = answers.reduce((sum, { answer }) => sum + holds(stored, answer), 0);
  console.log(
    `search: right abstract first ${percent(shareOf(ranks, (rank) => rank === 0))}, in eight ${percent(shareOf(ranks, (rank) => rank >= 0 && rank < 8))}`,
  );
  console.log(
    `answered ${percent(answered.length / all.length)} of ${all.length}, refused ${answers.filter(({ answer }) => answer.status === 'refused').length}; right abstract cited in ${percent(cited.length / all.length)} of all, ${percent(cited.length / Math.max(1, answered.length))} of those answered`,
  );
  const silent = answers.filter(({ answer }) => answer.status !== 'answered');
  console.log(
    `unanswered, for example: ${silent
      .slice(0, 4)
      .map(({ one }) => one.question)
      .join(' | ')}`,
  );
  console.log(`quotes: ${quotes}, verified letter by letter ${(verified / Math.max(1, quotes)).toFixed(4)}`);
  console.log(
    `answers: p50 ${quantile(
      answers.map(({ ms }) => ms),
      0.5,
    ).toFixed(0)} ms, p99 ${quantile(
      answers.map(({ ms }) => ms),
      0.99,
    ).toFixed(0)} ms`,
  );
  const stances = cited.map(
    ({ one, answer }) => [one.verdict, answer.citations.find(({ source_id: id }) => id === idOf(one))?.stance] as const,
  );
  const pointed = stances.filter(([, stance]) => stance !== 'context');
  const right = pointed.filter(
    ([verdict, stance]) =>
      (verdict === 'yes' && stance === 'supports') || (verdict === 'no' && stance === 'contradicts'),
  );
  console.log(
    `stance of the right abstract: ${percent(pointed.length / Math.max(1, stances.length))} point somewhere, ${percent(right.length / Math.max(1, pointed.length))} of them the right way (trained on the same questions: see the cross-validation for the honest figure)`,
  );
};

const measureAbstention = async ({ engine }: Base): Promise<void> => {
  for (const [name, questions] of [
    ['other subjects', OFF_TOPIC],
    ['supplements that do not exist', FICTITIOUS],
  ] as const) {
    const wrong: string[] = [];
    for (const question of questions) {
      const { status } = await answerTo(engine, question);
      if (status === 'answered') wrong.push(question);
    }
    console.log(
      `abstains on ${name}: ${questions.length - wrong.length} of ${questions.length}${wrong.length ? `; answered: ${wrong.join(' | ')}` : ''}`,
    );
  }
};

const measureRefusals = ({ names }: Base): void => {
  for (const line of refusalFigures(names)) console.log(line);
};

for (const withConclusion of [false, true]) {
  console.log(
    `\n${all.length} abstracts of PubMedQA ${withConclusion ? 'with' : 'without'} their conclusions, beside the starter content; titles left out`,
  );
  await withBase(withConclusion, async (base) => {
    await measureAnswers(base);
    await measureAbstention(base);
    if (!withConclusion) measureRefusals(base);
  });
}
console.log('\nstance model, five-fold cross-validation on the same questions');
const figures = crossValidate(all, L2);
for (const [view, of] of [
  ['abstract without conclusion', figures.abstract],
  ['with conclusion', figures.whole],
] as const)
  console.log(
    `${view}: accuracy ${percent(of.accuracy)} (majority ${percent(of.majority)}), macro-F1 ${of.macroF1.toFixed(3)}, direction right ${percent(of.direction)}; where belief is at least 0.65: ${percent(of.sure.share)} of questions, ${percent(of.sure.accuracy)} right`,
  );
for (const { question, truth, said, belief } of figures.whole.mistakes.slice(0, 4))
  console.log(`wrong: “${question}” is ${truth}, called ${said} at ${belief.toFixed(2)}`);
process.exit(0);
