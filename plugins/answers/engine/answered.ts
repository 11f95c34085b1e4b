/** Yields the events of a question that sources answer. */

import { findRows } from '#core/db/find-rows.ts';
import { Permission } from '#core/models/permission.ts';
import { Source, type SourceRow } from '#plugins/evidence/index.ts';
import { answerBody, citationOf } from './answer-body.ts';
import { type Asking, itemsOf, rounded, status } from './asking.ts';
import { balanceOf, confidenceOf } from './balance.ts';
import { chooseEvidence } from './choose-evidence.ts';
import { AnswerText } from './compose.ts';
import { type EvidenceItem, isRegistered } from './evidence-item.ts';
import { addExtractive, apartBecause, type Evidence, isScattered, openingOf } from './extractive.ts';
import { followUps } from './follow-ups.ts';
import { foundInteractions, type InteractionAnswer, interactionSummary } from './interaction-block.ts';
import { partlyNote } from './missing-evidence.ts';
import { gradeLines, gradesOf, mostByGrades } from './outcome-grade.ts';
import type { AskEvent, EngineParts } from './port.ts';
import { isOverview } from './question.ts';
import { recordLines } from './record-lines.ts';
import type { Candidate, Found } from './retrieval.ts';
import { leaveUnanswered } from './unanswered.ts';
import { asksForKind, asksForList, leftOutNote, listSupplements } from './which-help.ts';
import { addWritten } from './written.ts';

/** Returns the sources of interaction records that exist in the base, so that they may be quoted with the others. */
const sourcesOfInteractions = async (
  parts: EngineParts,
  answers: readonly InteractionAnswer[],
): Promise<Candidate[]> => {
  const ids = foundInteractions(answers).flatMap(({ sources }) =>
    sources.flatMap(({ source_id: id }) => (id ? [id] : [])),
  );
  if (!ids.length) return [];
  const wanted = { sourceId: { $in: [...new Set(ids)] }, removedAt: null };
  const rows = await parts.db.read((em) => findRows<SourceRow>(em, Source, wanted));
  return rows
    .filter(({ retractionStatus }) => retractionStatus !== 'retracted')
    .map((row) => ({ row, relevance: 0.9, coverage: 1 }));
};

const merge = (a: readonly Candidate[], b: readonly Candidate[]): Candidate[] => [
  ...new Map([...b, ...a].map((candidate) => [candidate.row.sourceId, candidate])).values(),
];

/** Yields the deltas and the citations that each one confirms, in the order of the text. */
function* told(text: AnswerText, chosen: readonly EvidenceItem[]): Generator<AskEvent> {
  const confirmed = new Set<number>();
  for (const piece of text.pieces) {
    yield { type: 'delta', text: piece.text };
    for (const n of piece.citations) {
      const item = chosen[n - 1];
      if (!item || confirmed.has(n)) continue;
      confirmed.add(n);
      yield { type: 'citation', n, source_id: item.row.sourceId, quote: item.quote.text };
    }
  }
}

const NO_CONSENT = {
  code: 'model_consent_missing',
  message: 'The question was not sent to the language model, as nobody agreed to that; this answer is made of quotes.',
};

/**
 * Writes the answer with the model when one is configured and the user agreed, otherwise from quotes. Returns the name of the
 * writer.
 */
const write = async (asking: Asking, text: AnswerText, evidence: Evidence): Promise<string> => {
  const { parts, request, question, signal, warnings } = asking;
  const permission = Permission.ofPerson(request.model_consent);
  if (parts.models.language && !permission) warnings.push(NO_CONSENT);
  if (parts.models.language && permission) {
    const written = await addWritten(text, evidence, {
      model: parts.models.language,
      permission,
      question,
      request,
      signal,
      log: parts.log,
    });
    warnings.push(...written.warnings);
    if (written.model) return written.model;
  }
  addExtractive(text, evidence, question, request.audience);
  return 'extractive';
};

/** Yields the sources first, then the verified text piece by piece, then the complete answer. */
export async function* answerBySources(
  asking: Asking,
  found: Found,
  interactions: readonly InteractionAnswer[],
): AsyncGenerator<AskEvent> {
  const { parts, request, question, warnings, signal } = asking;
  if (asksForList(question)) {
    if (yield* listSupplements(asking)) return;
    // The other sources found are about another kind of supplement.
    if (asksForKind(question)) return yield* leaveUnanswered(asking, found, interactions);
  }
  const fitting = itemsOf(asking, merge(found.fitting, await sourcesOfInteractions(parts, interactions)));
  const chosen = chooseEvidence(fitting, { most: request.max_citations, spread: isOverview(question) });
  if (!chosen.length) {
    if (yield* listSupplements(asking)) return;
    return yield* leaveUnanswered(asking, found, interactions);
  }
  const evidence: Evidence = { chosen, fitting: fitting.filter((item) => !isRegistered(item)) };
  const citations = chosen.map((item, at) => citationOf(item, at + 1));
  yield { type: 'sources', citations };
  yield status('generating', 0.5);
  const text = new AnswerText();
  for (const line of await recordLines(parts, question, interactions)) text.note(line);
  text.note(leftOutNote(question));
  if (found.partly) text.note(partlyNote(question));
  const before = warnings.length;
  const model = await write(asking, text, evidence);
  const grades = await gradesOf(parts, question);
  const terms = await parts.vocabulary.terms();
  for (const line of gradeLines(grades, question, terms)) text.note(line);
  signal.throwIfAborted();
  yield status('verifying', 0.9);
  for (const warning of warnings.slice(before)) yield { type: 'warning', ...warning };
  yield* told(text, chosen);
  const asksHarm = question.asks.has('harm');
  const body = answerBody(parts, request, {
    status: 'answered',
    answer: text.text,
    summary: interactionSummary(interactions) || openingOf(evidence, question).text,
    confidence: confidenceOf(evidence.fitting, {
      coverage: found.coverage,
      asksHarm,
      partly: found.partly,
      scattered: isScattered(evidence, question) || apartBecause(evidence, question) !== '',
      most: mostByGrades(grades),
    }),
    claims: [...text.claims],
    citations,
    evidence_balance: balanceOf(evidence.fitting),
    interactions: [...interactions],
    coverage: rounded(found.coverage),
    model,
    follow_ups: await followUps(question, {
      terms,
      interactions: parts.interactions,
      near: [...found.aboutSubject, ...found.fitting],
    }),
    resolved: [...question.resolved],
    warnings: [...warnings],
  });
  yield { type: 'final', answer: body };
}
