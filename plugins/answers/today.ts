/** Applies the current state of the sources to a stored answer, so that an old answer cannot hide a recent retraction. */

import type { EntityManager } from '@mikro-orm/postgresql';
import { findRows } from '#core/db/find-rows.ts';
import { Source, type SourceRow } from '#plugins/evidence/index.ts';
import type { Answer } from './schemas.ts';

export type SourceStates = ReadonlyMap<string, SourceRow>;

/** Returns the sources that are currently in the base, by id. */
export const readSourceStates = async (em: EntityManager, ids: readonly string[]): Promise<SourceStates> => {
  const wanted = { sourceId: { $in: [...new Set(ids)] }, removedAt: null };
  const rows = await findRows<SourceRow>(em, Source, wanted);
  return new Map(rows.map((row) => [row.sourceId, row]));
};

const GRAVITY = ['none', 'corrected', 'concern', 'retracted'] as const;

/** Returns the more serious of two states: a notice is never withdrawn here. */
const graver = (a: (typeof GRAVITY)[number], b: (typeof GRAVITY)[number]) =>
  GRAVITY[Math.max(GRAVITY.indexOf(a), GRAVITY.indexOf(b))] ?? a;

/** Returns the stored answer with current retraction states. A warning names the sources that were retracted since. */
export const asOfToday = (answer: Answer, states: SourceStates): Answer => {
  const citations = answer.citations.map((citation) => ({
    ...citation,
    retraction_status: graver(
      citation.retraction_status,
      states.get(citation.source_id)?.retractionStatus ?? citation.retraction_status,
    ),
  }));
  const retracted = citations.filter(({ retraction_status }) => retraction_status === 'retracted');
  if (!retracted.length) return { ...answer, citations };
  const marks = retracted.map(({ n }) => `[${n}]`).join(', ');
  const message = `Retracted since this answer was given: ${marks}. What rests on that should not be relied on; ask again for an answer without it.`;
  return { ...answer, citations, warnings: [{ code: 'source_retracted_since', message }, ...answer.warnings] };
};
