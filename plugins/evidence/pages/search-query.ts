/** Parses the URL parameters of /search/evidence and builds URLs of modified searches. */
import { type Static, Type } from 'typebox';

const year = Type.Integer({ minimum: 0, maximum: 2100, default: 0 });
const word = Type.String({ maxLength: 100, default: '' });

export const SearchQuery = Type.Object({
  q: Type.String({ maxLength: 500, default: '' }),
  top_k: Type.Integer({ minimum: 1, maximum: 50, default: 10 }),
  source_class: word,
  exclude_off_plan: Type.Boolean({ default: true }),
  min_quality_tier: Type.String({ enum: ['', 'A', 'B', 'C', 'D', 'a', 'b', 'c', 'd'], default: '' }),
  evidence_level: word,
  species: word,
  vertical: Type.String({ maxLength: 200, default: '' }),
  year_from: year,
  year_to: year,
  exclude_retracted: Type.Boolean({ default: true }),
  correct: Type.Boolean({ default: true, description: 'Search for what unknown words most likely mean.' }),
  model_consent: Type.Boolean({
    default: false,
    description: 'The words may go to the embedding model and the reranker that the operator chose.',
  }),
});
export type SearchQuery = Static<typeof SearchQuery>;

const USUAL = Object.entries(SearchQuery.properties as unknown as Record<string, { readonly default: unknown }>);

/** Returns the URL of a search, without default parameters, so that each search has one URL. */
export const addressOfSearch = (query: SearchQuery): string => {
  const values: Readonly<Record<string, unknown>> = query;
  const given = new URLSearchParams({ q: query.q.trim() });
  for (const [name, { default: usual }] of USUAL)
    if (name !== 'q' && values[name] !== usual) given.set(name, String(values[name]));
  return `/search/evidence?${given}`;
};
