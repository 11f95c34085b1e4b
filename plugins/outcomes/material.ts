/** Reads the input of the grader for some questions: their sources, and which of the cited sources were retracted. */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { VerticalKey } from './claims.ts';
import { type OutcomeSource, refsOf } from './grading/source.ts';

/**
 * Patterns of reviews that pool observational studies and of those that pool trials; `\y` matches a word boundary in PostgreSQL.
 */
const OBSERVATIONAL = '\\y(observational|cohorts?|case-control|epidemiolog|prospective stud)';
const TRIALS = '(randomi[sz]|placebo|\\ytrials?\\y|double-blind|crossover)';

const FIELDS = `s.source_id as "sourceId", s.pmid, s.doi, s.nct_id as "nctId", s.title, s.year,
  s.quality_tier as "qualityTier", s.quality_score as "qualityScore", s.evidence_level as "evidenceLevel",
  s.source_class as "sourceClass", s.species, s.population, s.retraction_status as "retractionStatus",
  s.sample_size as "sampleSize", s.sample_size_n as "sampleSizeN", s.effect_direction as "effectDirection", s.funding,
  s.breakdown, s.read, s.basis, s.supplements, s.topics, s.trial_status as "trialStatus",
  s.publication_types as "publicationTypes", s.read_from = 'abstract' as "hasAbstract", s.effect_sizes as "effectSizes",
  s.certainty_stated as "certaintyStated", s.compares, s.wider, s.findings,
  (s.title || ' ' || s.summary || ' ' || s.abstract) ~* ?
  and (s.title || ' ' || s.summary || ' ' || s.abstract) !~* ? as observational`;

const OF_VERTICALS = `select v.vertical, ${FIELDS}
  from evidence_vertical v join evidence_source s on s.source_id = v.source_id
  where v.vertical in (select jsonb_array_elements_text(?::jsonb)) and s.removed_at is null`;

/** Returns the sources of each question, including retracted ones; questions without sources are absent. */
export const readSources = async (
  em: EntityManager,
  verticals: readonly string[],
): Promise<ReadonlyMap<string, readonly OutcomeSource[]>> => {
  const rows = (await em.execute(OF_VERTICALS, [
    OBSERVATIONAL,
    TRIALS,
    JSON.stringify(verticals),
  ])) as unknown as (OutcomeSource & {
    vertical: string;
  })[];
  return Map.groupBy(rows, ({ vertical }) => vertical);
};

const CITED = `select source_id as "sourceId", pmid, doi, nct_id as nct, population, retraction_status = 'retracted' as retracted
  from evidence_source where removed_at is null and (
    (pmid <> '' and pmid in (select jsonb_array_elements_text(?::jsonb)))
    or (doi <> '' and doi in (select jsonb_array_elements_text(?::jsonb)))
    or (nct_id <> '' and nct_id in (select jsonb_array_elements_text(?::jsonb))))`;

export interface CitedSource {
  readonly sourceId: string;
  readonly retracted: boolean;
  /** Population of the study; "" when the record does not state it. */
  readonly population: string;
}

/** Returns stored sources by each of their references (`pmid:…`, `doi:…`, `nct:…`); unknown references are absent. */
export const readCited = async (
  em: EntityManager,
  refs: readonly string[],
): Promise<ReadonlyMap<string, CitedSource>> => {
  const of = (scheme: string): string =>
    JSON.stringify(refs.filter((ref) => ref.startsWith(`${scheme}:`)).map((ref) => ref.slice(scheme.length + 1)));
  const rows = (await em.execute(CITED, [of('pmid'), of('doi'), of('nct')])) as unknown as (CitedSource & {
    pmid: string;
    doi: string;
    nct: string;
  })[];
  const found = new Map<string, CitedSource>();
  // A registry entry and its article share a number; a retraction applies to both.
  for (const { sourceId, pmid, doi, nct, retracted, population } of rows)
    for (const ref of refsOf({ pmid, doi, nctId: nct }))
      found.set(ref, { sourceId, retracted: retracted || (found.get(ref)?.retracted ?? false), population });
  return found;
};

const CHANGED = `select source_id as id, revision::float8 as revision, pmid, doi, nct_id as "nctId",
  retraction_status as status, removed_at is not null as removed
  from evidence_source where revision > ? order by revision limit ?`;

export interface ChangedSource {
  readonly id: string;
  readonly revision: number;
  readonly pmid: string;
  readonly doi: string;
  readonly nctId: string;
  readonly status: string;
  readonly removed: boolean;
}

/** Returns sources that changed after a revision, in order. */
export const readChanged = async (
  em: EntityManager,
  revision: number,
  limit: number,
): Promise<readonly ChangedSource[]> =>
  (await em.execute(CHANGED, [revision, limit])) as unknown as readonly ChangedSource[];

const TOUCHED = `select v.vertical, v.supplement_slug as supplement, v.topic_slug as topic from evidence_vertical v
  where v.source_id in (select jsonb_array_elements_text(?::jsonb))
  union select g.vertical, g.supplement_slug, g.topic_slug from outcome_source o
  join outcome_grade g on g.vertical = o.vertical
  where o.source_id in (select jsonb_array_elements_text(?::jsonb))`;

/** Returns the questions under which these sources are filed now, or were filed when they were last graded. */
export const readTouched = async (em: EntityManager, sourceIds: readonly string[]): Promise<readonly VerticalKey[]> => {
  const ids = JSON.stringify(sourceIds);
  return (await em.execute(TOUCHED, [ids, ids])) as unknown as readonly VerticalKey[];
};
