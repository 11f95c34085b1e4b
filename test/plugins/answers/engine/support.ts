/** Runs the engine on its own service, with made-up records beside the starter content. */
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createLog } from '#core/log.ts';
import type { LanguageModel } from '#core/models/port.ts';
import {
  type AnswerBody,
  type AnswerEngine,
  type AskEvent,
  type AskRequest,
  createAnswerEngine,
} from '#plugins/answers/engine/port.ts';
import { type EvidenceServices, evidencePlugin } from '#plugins/evidence/index.ts';
import { type InteractionServices, interactionsPlugin } from '#plugins/interactions/index.ts';
import { type OutcomeServices, outcomesPlugin } from '#plugins/outcomes/index.ts';
import { type VocabularyServices, vocabularyPlugin } from '#plugins/vocabulary/index.ts';
import { newDataDir, startService, type TestService } from '../../../support/service.ts';
import { ingest, type MadeArticle, madeArticle, madeFile, query } from '../../evidence/support.ts';

export interface Asked {
  readonly events: readonly AskEvent[];
  readonly answer: AnswerBody;
}

export interface EngineBase {
  readonly service: TestService;
  /** Asks the engine without a language model. */
  ask(question: string, more?: Partial<AskRequest>): Promise<Asked>;
  /** Asks an engine that uses this language model. */
  askWith(model: LanguageModel, question: string, more?: Partial<AskRequest>): Promise<Asked>;
  /** Reads the title, summary and abstract of a source from the database. */
  stored(sourceId: string): Promise<Readonly<Record<string, string>>>;
  readonly evidence: EvidenceServices;
  readonly vocabulary: VocabularyServices;
  readonly interactions: InteractionServices;
}

export const collect = async (
  engine: AnswerEngine,
  question: string,
  more: Partial<AskRequest> = {},
): Promise<Asked> => {
  const request: AskRequest = {
    question,
    max_citations: 8,
    audience: 'consumer',
    language: 'en',
    history: [],
    model_consent: false,
    ...more,
  };
  const events: AskEvent[] = [];
  for await (const event of engine.ask(request, AbortSignal.timeout(30_000))) events.push(event);
  const last = events.at(-1);
  if (last?.type !== 'final') throw new Error('the last event is not the answer');
  return { events, answer: last.answer };
};

const NO_MODELS = { language: null, vision: null, embedder: null, crossEncoder: null };

/** Starts the service before the first test of the calling describe, and stops it after the last. */
export const useEngine = (articles: readonly MadeArticle[] = []): EngineBase => {
  const base = {} as { -readonly [key in keyof EngineBase]: EngineBase[key] };
  before(async function () {
    this.timeout(180_000);
    const service = await startService();
    const folder = await newDataDir();
    if (articles.length) {
      const file = join(folder, 'made.xml');
      await writeFile(file, madeFile(...articles.map(madeArticle)));
      await ingest(service, 'pubmed', file);
    }
    await rm(folder, { recursive: true });
    const evidence = service.runtime.servicesOf(evidencePlugin) as EvidenceServices;
    const vocabulary = service.runtime.servicesOf(vocabularyPlugin) as VocabularyServices;
    const interactions = service.runtime.servicesOf(interactionsPlugin) as InteractionServices;
    const engineOf = (language: LanguageModel | null): AnswerEngine =>
      createAnswerEngine({
        evidence,
        vocabulary,
        interactions,
        outcomes: service.runtime.servicesOf(outcomesPlugin) as OutcomeServices,
        models: { ...NO_MODELS, language },
        db: service.runtime.db,
        log: createLog('silent'),
      });
    const plain = engineOf(null);
    Object.assign(base, {
      service,
      evidence,
      vocabulary,
      interactions,
      ask: (question: string, more?: Partial<AskRequest>) => collect(plain, question, more),
      askWith: (model: LanguageModel, question: string, more?: Partial<AskRequest>) =>
        collect(engineOf(model), question, { model_consent: true, ...more }),
      stored: async (id: string) => {
        const [row] = await query<Record<string, string>>(
          service,
          'select title, summary, abstract from evidence_source where source_id = ?',
          [id],
        );
        return row ?? {};
      },
    });
  });
  after(() => base.service?.stop());
  return base;
};

/** Returns the lines of an answer that are neither headings nor notes; each must carry a citation mark. */
export const factsIn = ({ answer }: AnswerBody): string[] =>
  answer.split('\n').filter((line) => line.trim() !== '' && !/^(?:\*\*|_)/.test(line));

/** Concatenates the text of all deltas. */
export const textOf = (events: readonly AskEvent[]): string =>
  events.map((event) => (event.type === 'delta' ? event.text : '')).join('');
