/** Computes the differences between two answers to one question. */
import type { Answer, AnswerDiff, Citation } from './schemas.ts';
import type { SourceStates } from './today.ts';

const changed = <T>(before: T, after: T): { before: T; after: T } | null =>
  JSON.stringify(before) === JSON.stringify(after) ? null : { before, after };

/** Returns the items of `list` that `other` lacks. */
const without = <T>(list: readonly T[], other: readonly T[], keyOf: (item: T) => string): T[] => {
  const known = new Set(other.map(keyOf));
  return list.filter((item) => !known.has(keyOf(item)));
};

const idOf = ({ source_id }: Citation): string => source_id;

const briefly = (states: SourceStates) => (citation: Citation) => {
  const { source_id, title, year, quality_tier, url, stance, retraction_status } = citation;
  const today = states.get(source_id)?.retractionStatus ?? retraction_status;
  return { source_id, title, year, quality_tier, url, stance, retraction_status: today };
};

/** Returns the interactions as readers know them: "St John's wort with Warfarin: major". */
const interactionNames = ({ interactions }: Answer): string[] =>
  interactions.flatMap((item) =>
    item.found ? [`${item.supplement.name} with ${item.drug.name}: ${item.severity}`] : [],
  );

const tiersChanged = (before: Answer, after: Answer) => {
  const now = new Map(after.citations.map((citation) => [citation.source_id, citation]));
  return before.citations.flatMap(({ source_id, title, quality_tier }) => {
    const tier = now.get(source_id)?.quality_tier;
    return tier && tier !== quality_tier ? [{ source_id, title, before: quality_tier, after: tier }] : [];
  });
};

/**
 * Returns the differences.
 * @param states current states of the sources of `before`, so that a removed source shows whether it was retracted.
 */
export const diffOf = (before: Answer, after: Answer, states: SourceStates): AnswerDiff => {
  const [named, namedNow] = [interactionNames(before), interactionNames(after)];
  const parts = {
    status: changed(before.status, after.status),
    confidence: changed(before.confidence, after.confidence),
    summary: changed(before.summary, after.summary),
    evidence_balance: changed(before.evidence_balance, after.evidence_balance),
    citations_added: without(after.citations, before.citations, idOf).map(briefly(states)),
    citations_removed: without(before.citations, after.citations, idOf).map(briefly(states)),
    tiers_changed: tiersChanged(before, after),
    interactions_added: without(namedNow, named, String),
    interactions_removed: without(named, namedNow, String),
  };
  const both = (of: (answer: Answer) => string) => ({ before: of(before), after: of(after) });
  return {
    same: Object.values(parts).every((part) => part === null || (Array.isArray(part) && !part.length)),
    ...parts,
    index_version: both(({ index_version }) => index_version),
    retrieval_version: both(({ retrieval_version }) => retrieval_version),
    model: both(({ model }) => model),
    asked_at: both(({ created_at }) => created_at),
  };
};
