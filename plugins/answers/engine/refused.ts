/** Yields the events of a refused question. */
import { answerBody } from './answer-body.ts';
import type { Asking } from './asking.ts';
import { AnswerText } from './compose.ts';
import { checkInteractions, foundInteractions, interactionLine } from './interaction-block.ts';
import type { AskEvent } from './port.ts';
import type { RefusalKind } from './refusal.ts';
import { isUrgent, refusalAnswer } from './refusal-answer.ts';

/** Yields a refusal without search or evidence; in an emergency the instructions come first. */
export async function* refuse(asking: Asking, kind: RefusalKind): AsyncGenerator<AskEvent> {
  const { parts, question, request } = asking;
  const terms = await parts.vocabulary.terms();
  const { refusal, answer, summary } = await refusalAnswer(kind, question, { terms, interactions: parts.interactions });
  const interactions = kind === 'stop_medicine' ? await checkInteractions(parts.interactions, question) : [];
  const lines = foundInteractions(interactions).map(interactionLine);
  const text = new AnswerText();
  for (const line of isUrgent(kind) ? [] : lines) text.note(line);
  text.note(answer);
  for (const piece of text.pieces) yield { type: 'delta', text: piece.text };
  const body = answerBody(parts, request, {
    status: 'refused',
    answer: text.text,
    summary,
    refusal,
    interactions: [...interactions],
    resolved: [...question.resolved],
  });
  yield { type: 'final', answer: body };
}
