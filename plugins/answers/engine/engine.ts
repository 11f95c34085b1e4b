/** Converts a question into events: reads it, refuses it or retrieves sources for it, and reports what the sources say. */
import { answerBySources } from './answered.ts';
import { type Asking, addWarnings, status } from './asking.ts';
import { checkInteractions } from './interaction-block.ts';
import type { AnswerEngine, AskEvent, AskRequest, EngineParts } from './port.ts';
import { readQuestion } from './read-question.ts';
import { refusalOf } from './refusal.ts';
import { refuse } from './refused.ts';
import { retrieve } from './retrieval.ts';

async function* ask(parts: EngineParts, request: AskRequest, signal: AbortSignal): AsyncGenerator<AskEvent> {
  yield status('retrieving', 0);
  const { evidence, vocabulary, interactions: services } = parts;
  const question = await readQuestion(request, { vocabulary, interactions: services, index: evidence.index });
  const book = { terms: await vocabulary.terms(), drugs: await services.drugs() };
  const asking: Asking = { parts, request, question, signal, book, warnings: [] };
  const kind = refusalOf(request.question, request.history, book);
  if (kind) return yield* refuse(asking, kind);
  const found = await retrieve({ evidence, book }, question, request);
  signal.throwIfAborted();
  yield status('reranking', 0.3);
  const interactions = await checkInteractions(services, question);
  addWarnings(asking, found);
  for (const warning of asking.warnings) yield { type: 'warning', ...warning };
  yield* answerBySources(asking, found, interactions);
}

/**
 * Creates an engine over these services. A question costs one to three searches, and uses a model only when one is
 * configured.
 */
export const createAnswerEngine = (parts: EngineParts): AnswerEngine => ({
  ask: (request, signal) => ask(parts, request, signal),
});
