/** Yields the events of a question for which there is nothing to quote. */

import { answerBody } from './answer-body.ts';
import { type Asking, rounded } from './asking.ts';
import { AnswerText } from './compose.ts';
import { isRegistered } from './evidence-item.ts';
import { followUps } from './follow-ups.ts';
import {
  foundInteractions,
  type InteractionAnswer,
  interactionConfidence,
  interactionSummary,
} from './interaction-block.ts';
import { isOutside, missingAnswer, OUTSIDE_ANSWER, whatWouldAnswer } from './missing-evidence.ts';
import { gradeLines, gradesOf, mostByGrades } from './outcome-grade.ts';
import type { AskEvent, AskRequest } from './port.ts';
import { hasIntake, recordLines } from './record-lines.ts';
import type { Found } from './retrieval.ts';
import { leftOutNote } from './which-help.ts';

const INTAKE_SUMMARY = 'An authority’s reference intake is on record; no study here answers how much one person needs.';

/** Returns whether the request limits its sources. Such a question is not answered from other sources. */
const isLimited = ({ vertical, supplement, source_class, min_quality_tier }: AskRequest): boolean =>
  Boolean(vertical || supplement || source_class || min_quality_tier);

/**
 * Yields an answer from what is on record: interactions, intakes or grades. When there is nothing, the status is
 * `insufficient_evidence`.
 */
export async function* leaveUnanswered(
  asking: Asking,
  found: Found,
  interactions: readonly InteractionAnswer[],
): AsyncGenerator<AskEvent> {
  const { parts, request, question, warnings } = asking;
  const registered = [...found.fitting, ...found.aboutSubject].filter(isRegistered).map(({ row }) => row);
  const wouldAnswer = isOutside(question) ? OUTSIDE_ANSWER : whatWouldAnswer(question, registered);
  const terms = await parts.vocabulary.terms();
  const interacts = foundInteractions(interactions).length > 0;
  const onRecord = interacts || hasIntake(question, terms);
  const { answer, summary } = missingAnswer(question, { found, wouldAnswer, index: parts.evidence.index, onRecord });
  const text = new AnswerText();
  for (const line of await recordLines(parts, question, interactions, { cautions: true })) text.note(line);
  text.note(leftOutNote(question));
  // A grade based on a known review answers the question even when no source of it is available to quote.
  const grades = isLimited(request) ? [] : await gradesOf(parts, question);
  for (const line of gradeLines(grades, question, terms)) text.note(line);
  if (!grades.length) text.note(answer);
  yield { type: 'sources', citations: [] };
  for (const piece of text.pieces) yield { type: 'delta', text: piece.text };
  const body = answerBody(parts, request, {
    status: onRecord || grades.length ? 'answered' : 'insufficient_evidence',
    answer: text.text,
    summary: interacts
      ? interactionSummary(interactions)
      : onRecord
        ? INTAKE_SUMMARY
        : (grades[0]?.assessments[0]?.summary ?? '') || summary,
    confidence: interacts
      ? interactionConfidence(interactions)
      : onRecord && !question.asks.has('harm')
        ? 'moderate'
        : grades.length
          ? mostByGrades(grades)
          : 'very_low',
    interactions: [...interactions],
    coverage: rounded(found.coverage),
    what_would_answer: wouldAnswer,
    follow_ups: await followUps(question, { terms, interactions: parts.interactions, near: found.aboutSubject }),
    resolved: [...question.resolved],
    warnings: [...warnings],
  });
  yield { type: 'final', answer: body };
}
