/** Lists sources by filter, strongest first, ties by id. */

import type { FilterQuery } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { findRows } from '#core/db/find-rows.ts';
import { Source, SourceVertical } from './entities.ts';
import type { SourceRow } from './source-view.ts';

export interface SourceFilter {
  readonly vertical?: string;
  readonly sourceClass?: string;
  readonly evidenceLevel?: string;
  readonly minScore?: number;
  readonly yearFrom?: number;
  readonly yearTo?: number;
  readonly excludeRetracted?: boolean;
}

export interface Place {
  readonly score: number;
  readonly sourceId: string;
}

type Where = FilterQuery<InstanceType<never>> & Record<string, unknown>;

/** Builds the conditions on a row of evidence_source; the vertical is queried separately. */
export const whereOf = (filter: SourceFilter): Where => {
  const where: Record<string, unknown> = { removedAt: null };
  if (filter.sourceClass) where.sourceClass = filter.sourceClass;
  if (filter.evidenceLevel) where.evidenceLevel = filter.evidenceLevel;
  if (filter.minScore) where.qualityScore = { $gte: filter.minScore };
  if (filter.yearFrom || filter.yearTo) where.year = { $gte: filter.yearFrom || 1, $lte: filter.yearTo || 9999 };
  if (filter.excludeRetracted ?? true) where.retractionStatus = { $ne: 'retracted' };
  return where as Where;
};

const inVertical = async (em: EntityManager, vertical: string): Promise<string[]> => {
  const rows = await findRows<{ sourceId: string }>(em, SourceVertical, { vertical }, { fields: ['sourceId'] });
  return rows.map((row) => row.sourceId);
};

const scoped = async (em: EntityManager, filter: SourceFilter): Promise<Where> => {
  const where = whereOf(filter);
  return filter.vertical ? ({ ...where, sourceId: { $in: await inVertical(em, filter.vertical) } } as Where) : where;
};

export const countSources = async (em: EntityManager, filter: SourceFilter): Promise<number> =>
  em.count(Source, (await scoped(em, filter)) as never);

/** Returns one page. `after` continues from a cursor position instead of skipping rows by an offset. */
export const listSources = async (
  em: EntityManager,
  filter: SourceFilter,
  page: { readonly limit: number; readonly offset?: number; readonly after?: Place },
): Promise<readonly SourceRow[]> => {
  const base = await scoped(em, filter);
  const { after } = page;
  const where = after
    ? {
        $and: [
          base,
          {
            $or: [
              { qualityScore: { $lt: after.score } },
              { qualityScore: after.score, sourceId: { $gt: after.sourceId } },
            ],
          },
        ],
      }
    : base;
  return findRows<SourceRow>(em, Source, where, {
    orderBy: { qualityScore: 'desc', sourceId: 'asc' },
    limit: page.limit,
    offset: after ? 0 : (page.offset ?? 0),
  });
};
