/** Defines the tools search_evidence and get_source. */
import { type Static, Type } from 'typebox';
import { EvidenceRecord, type SearchEnvelope } from '#plugins/evidence/index.ts';
import { shortened, withinBudget } from '../budget.ts';
import { ask, defineTool, nullable, Warnings } from '../tool.ts';

const record = EvidenceRecord.properties;
const DIRECTION_WORDS =
  'What it found, seen from the supplement; `effect_direction_basis` `program` means read by a program, see `basis` for how likely it is right.';

const Hit = Type.Object({
  source_id: record.source_id,
  title: record.title,
  journal: record.journal,
  year: record.year,
  evidence_level: record.evidence_level,
  quality_tier: record.quality_tier,
  quality_score: record.quality_score,
  sample_size: record.sample_size,
  population: record.population,
  effect_direction: Type.String({ description: DIRECTION_WORDS }),
  effect_direction_basis: Type.String(),
  retraction_status: record.retraction_status,
  summary: Type.String({ description: 'The beginning; get_source has all of it.' }),
  why: Type.Array(Type.String(), { description: 'Why it is where it is in the list.' }),
  url: record.url,
});

const SUMMARY_LENGTH = 320;
const USUAL = 6;
const MOST = 20;

const hitOf = (one: Static<typeof SearchEnvelope>['results'][number]): Static<typeof Hit> => ({
  source_id: one.source_id,
  title: one.title,
  journal: one.journal ?? '',
  year: one.year,
  evidence_level: one.evidence_level,
  quality_tier: one.quality_tier,
  quality_score: one.quality_score,
  sample_size: one.sample_size,
  population: one.population,
  effect_direction: one.effect_direction ?? 'unclear',
  effect_direction_basis: one.effect_direction_basis ?? 'program',
  retraction_status: one.retraction_status ?? 'none',
  summary: shortened(one.abstract_or_summary, SUMMARY_LENGTH),
  why: [...one.rank_reasons],
  url: one.url ?? '',
});

export const searchEvidence = defineTool({
  name: 'search_evidence',
  title: 'Search the evidence',
  description:
    'Finds studies, trials and guidelines on natural supplements, ranked, each with its grade (tier A strong to D preliminary), size and direction. Retracted sources are left out. No hits mean that this base holds nothing on it, not that something is safe or does not work.',
  input: Type.Object({
    query: Type.String({ minLength: 1, maxLength: 500, description: 'What to look for, in plain words.' }),
    limit: Type.Integer({ minimum: 1, maximum: MOST, default: USUAL }),
    supplement: Type.Optional(Type.String({ maxLength: 200, description: 'Slug or name.' })),
    min_quality_tier: Type.Optional(Type.String({ enum: ['A', 'B', 'C', 'D', ''] })),
    evidence_level: Type.Optional(
      Type.String({ maxLength: 200, description: 'Such as rct or meta_analysis; several with commas between.' }),
    ),
    human: Type.Boolean({ default: false, description: 'Studies in people only.' }),
    year_from: Type.Integer({ minimum: 0, maximum: 2100, default: 0 }),
    year_to: Type.Integer({ minimum: 0, maximum: 2100, default: 0 }),
    model_consent: Type.Boolean({
      default: false,
      description: 'True only if the person agreed that the words go to the search models that the operator chose.',
    }),
    cursor: Type.Optional(Type.String({ maxLength: 200, description: 'From `next` of the answer before.' })),
  }),
  output: Type.Object({
    results: Type.Array(Hit),
    total_estimate: Type.Integer(),
    corrected: nullable(Type.String({ description: 'What was searched instead of words that nobody uses.' })),
    coverage: Type.Number({ description: 'Below 0.4 the hits may be off topic.' }),
    warnings: Warnings,
  }),
  run: async (given, call) => {
    const search = (limit: number) =>
      ask<typeof SearchEnvelope>(call, 'evidence.search', {
        query: { ...given, query: undefined, limit: undefined, q: given.query, top_k: limit },
      });
    let found = await search(given.limit);
    let results = found.results.map(hitOf);
    let { value } = withinBudget({ results });
    // When the results are shortened, the search is repeated with that length, so that its cursor continues after them.
    if (value.results.length < results.length && value.results.length > 0) {
      found = await search(value.results.length);
      results = found.results.map(hitOf);
      value = withinBudget({ results }).value;
    }
    return {
      value: {
        results: value.results,
        total_estimate: found.total_estimate,
        corrected: found.corrected?.query ?? null,
        coverage: found.coverage,
        warnings: found.warnings,
      },
      next: found.next_cursor ? { ...given, cursor: found.next_cursor } : null,
    };
  },
});

const TEXT_LENGTH = 6_000;

export const getSource = defineTool({
  name: 'get_source',
  title: 'One source',
  description:
    'One evidence record in full by its source_id, with its abstract or summary, how its grade came about, and whether it was retracted.',
  input: Type.Object({
    source_id: Type.String({ minLength: 1, maxLength: 200, description: 'As records have it, such as pmid-12345678.' }),
    text_from: Type.Integer({ minimum: 0, maximum: 1_000_000, default: 0, description: 'Where the text goes on.' }),
  }),
  output: Type.Object({ ...record, authors_total: Type.Integer() }),
  run: async ({ source_id, text_from }, call) => {
    const source = await ask<typeof EvidenceRecord>(call, 'evidence.source', { params: { source_id } });
    const rest = source.abstract_or_summary.slice(text_from);
    const text = rest.slice(0, TEXT_LENGTH);
    const value = {
      ...source,
      abstract_or_summary: text,
      authors: source.authors.slice(0, 12),
      authors_total: source.authors.length,
    };
    const end = text_from + text.length;
    return {
      value,
      kept: ['/abstract_or_summary'],
      next: end < source.abstract_or_summary.length ? { source_id, text_from: end } : null,
    };
  },
});
