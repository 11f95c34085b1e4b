/** Finds similar sources by semantic search, or by the words of the title until the semantic model is trained. */
import { Permission } from '#core/models/permission.ts';
import { Source } from './entities.ts';
import { conditionsOf } from './query/conditions.ts';
import { unranked } from './rerank/rerank-hits.ts';
import type { Tier } from './schemas.ts';
import { type EvidenceAnswer, recordsOf, type SearchParts, type SearchWarning, warningOf } from './search.ts';
import type { SourceRow } from './source-view.ts';

export interface SimilarOptions {
  readonly limit: number;
  readonly minTier?: Tier;
}

export interface SimilarAnswer extends Pick<EvidenceAnswer, 'records' | 'rows' | 'warnings'> {
  /** The source itself. */
  readonly source: SourceRow;
}

export const findSource = async (parts: Pick<SearchParts, 'db'>, sourceId: string): Promise<SourceRow | null> =>
  (await parts.db.read((em) =>
    em.findOne(Source, { sourceId, removedAt: null }, { disableIdentityMap: true }),
  )) as unknown as SourceRow | null;

/** Returns the most similar sources first, without the source itself and retracted ones; null when the source does not exist. */
export const similarEvidence = async (
  parts: SearchParts,
  sourceId: string,
  { limit, minTier }: SimilarOptions,
): Promise<SimilarAnswer | null> => {
  const source = await findSource(parts, sourceId);
  if (!source) return null;
  const where = conditionsOf({ ...(minTier && { minTier }) });
  const near = await parts.index.similar(sourceId, { limit, where });
  const lexical = parts.index.state().semantic === 'none';
  const byTitle = lexical
    ? await parts.index.search({ text: source.title, permission: Permission.publicText, limit: limit + 1, where })
    : null;
  const hits = byTitle ? byTitle.hits.filter(({ id }) => id !== sourceId).slice(0, limit) : near;
  const codes: SearchWarning['code'][] = lexical ? ['lexical_only'] : [];
  return { ...(await recordsOf(parts, unranked(hits).hits)), source, warnings: codes.map(warningOf) };
};

/** Returns ids of stored sources that a wrong id may mean: a bare PMID, DOI or NCT number, or one with another prefix. */
export const nearSourceIds = async ({ db }: Pick<SearchParts, 'db'>, given: string): Promise<string[]> => {
  const text = given.trim().toLowerCase();
  const pmid = /(?:^|\D)([1-9]\d{0,8})$/.exec(text)?.[1] ?? '';
  const nctId = /nct-?(\d{8})/.exec(text)?.[1] ?? '';
  const doi = /10\.\d{4,9}\/\S+/.exec(text)?.[0] ?? '';
  const either = [...(pmid ? [{ pmid }] : []), ...(nctId ? [{ nctId: `NCT${nctId}` }] : []), ...(doi ? [{ doi }] : [])];
  if (either.length === 0) return [];
  const rows = await db.read((em) =>
    em.find(
      Source,
      { $or: either, removedAt: null },
      { fields: ['sourceId'], orderBy: { sourceId: 'asc' }, limit: 5, disableIdentityMap: true },
    ),
  );
  return rows.map((row) => row.sourceId);
};
