/** Holds the context and helpers that all ways of answering a question share. */
import { type EvidenceItem, toEvidenceItem } from './evidence-item.ts';
import { type NameBook, namesInText } from './names-in-text.ts';
import type { AskEvent, AskRequest, EngineParts, Stage } from './port.ts';
import type { Question } from './question.ts';
import type { Candidate, Found } from './retrieval.ts';

export interface Asking {
  readonly parts: EngineParts;
  readonly request: AskRequest;
  readonly question: Question;
  readonly signal: AbortSignal;
  readonly book: NameBook;
  readonly warnings: { code: string; message: string }[];
}

export const status = (stage: Stage, progress: number): AskEvent => ({
  type: 'status',
  stage,
  progress,
});

/** Rounds to two decimal places. */
export const rounded = (share: number): number => Math.round(share * 100) / 100;

/**
 * Builds an item for each candidate, with its best sentence and its stance. Candidates that may not be quoted are left out.
 */
export const itemsOf = ({ parts, question, book }: Asking, candidates: readonly Candidate[]): EvidenceItem[] => {
  const { index } = parts.evidence;
  const wanted = new Set([...question.topics, ...question.conditions].map(({ slug }) => slug));
  const onTopic = (text: string): boolean =>
    !wanted.size || namesInText(book, text).some(({ slug }) => wanted.has(slug));
  const scorers = { whole: index.scorer(question.searchText), rest: index.scorer(question.rest), onTopic };
  return candidates.flatMap((candidate) => toEvidenceItem(candidate, scorers, question) ?? []);
};

/** Adds warnings about how the question was interpreted. */
export const addWarnings = ({ request, question, warnings }: Asking, found: Found): void => {
  if (!/^en\b/i.test(request.language))
    warnings.push({ code: 'language_not_supported', message: 'The sources are in English, and so is the answer.' });
  for (const { input, id, match_type: match } of question.resolved)
    if (match === 'typo')
      warnings.push({
        code: 'name_guessed',
        message: `“${input}” was read as ${id}. Check that this is what you meant.`,
      });
  for (const { field, value } of question.limits.unknown)
    warnings.push({
      code: `unknown_${field}`,
      message: `“${value.slice(0, 60)}” is no ${field} of this base, so no source could be looked at.`,
    });
  if (found.setAside)
    warnings.push({ code: 'source_set_aside', message: 'A source that holds instructions to programs was left out.' });
};
