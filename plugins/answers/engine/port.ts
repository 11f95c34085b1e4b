/**
 * Defines the interface of the answer engine as the HTTP layer uses it: one question in, events out, the complete answer
 * last.
 */
import type { Log } from '#core/log.ts';
import type { Models } from '#core/models/port.ts';
import type { Database } from '#core/plugin.ts';
import type { EvidenceServices, Tier } from '#plugins/evidence/index.ts';
import type { InteractionServices } from '#plugins/interactions/index.ts';
import type { OutcomeServices } from '#plugins/outcomes/index.ts';
import type { VocabularyServices } from '#plugins/vocabulary/index.ts';
import type { AnswerBody, Citation } from '../schemas.ts';

export type { AnswerBody, Citation } from '../schemas.ts';

/** A turn of the conversation before the question. It is never stored. */
export interface HistoryTurn {
  readonly role: 'user' | 'assistant';
  readonly content: string;
}

/** A validated question with defaults applied. */
export interface AskRequest {
  readonly question: string;
  /** A vertical, `<supplement>-<topic>`. */
  readonly vertical?: string;
  /** A slug or a name. */
  readonly supplement?: string;
  readonly source_class?: string;
  readonly min_quality_tier?: Tier;
  /** From 1 to 20. */
  readonly max_citations: number;
  readonly audience: 'consumer' | 'clinician';
  /** A BCP 47 language tag. */
  readonly language: string;
  readonly history: readonly HistoryTurn[];
  /** Whether the user agreed that the question may be sent to models outside this program. */
  readonly model_consent: boolean;
}

export const STAGES = ['retrieving', 'reranking', 'generating', 'verifying'] as const;
export type Stage = (typeof STAGES)[number];

/** An event during answering. `sources` precedes every `delta`, and the deltas together equal `final.answer.answer`. */
export type AskEvent =
  | { readonly type: 'status'; readonly stage: Stage; readonly progress: number }
  | { readonly type: 'sources'; readonly citations: readonly Citation[] }
  | { readonly type: 'delta'; readonly text: string }
  | { readonly type: 'citation'; readonly n: number; readonly source_id: string; readonly quote: string }
  | { readonly type: 'warning'; readonly code: string; readonly message: string }
  | { readonly type: 'final'; readonly answer: AnswerBody };

export interface AnswerEngine {
  /** Yields events; the last one is always `final`. Rejects only when the signal aborts or the database fails. */
  ask(request: AskRequest, signal: AbortSignal): AsyncGenerator<AskEvent>;
}

/** Dependencies of the engine. */
export interface EngineParts {
  readonly evidence: EvidenceServices;
  readonly vocabulary: VocabularyServices;
  readonly interactions: InteractionServices;
  readonly outcomes: Pick<OutcomeServices, 'ofVertical' | 'list'>;
  readonly models: Models;
  readonly db: Database;
  readonly log: Log;
}

export { createAnswerEngine } from './engine.ts';
