/** Caches all findings in memory until one changes: some thousands, read by every page of a question. */
import type { EntityManager } from '@mikro-orm/postgresql';
import { createVersionedCache } from '#core/db/versioned-cache.ts';
import type { Host } from '#core/plugin.ts';
import { FindingRow } from './entities.ts';
import type { Finding } from './vocabulary.ts';

export interface FindingBook {
  /** All findings, ordered by supplement, topic and id. */
  readonly all: readonly Finding[];
  /**
   * Main findings by `supplement-topic`. Findings on a combination are listed under each component, if the component has findings
   * of its own or if the combination had no benefit.
   */
  readonly byVertical: ReadonlyMap<string, readonly Finding[]>;
  /** Changes with any finding: equal values mean equal findings. */
  readonly version: string;
}

export interface FindingServices {
  book(): Promise<FindingBook>;
  /** Reads inside a transaction, without the cache. */
  read(em: EntityManager): Promise<FindingBook>;
  forget(): void;
}

const VERSION = 'select count(*)::int as n, max(changed_at)::text as at from finding';

const compare = (a: Finding, b: Finding): number => {
  const [one, other] = [a, b].map(({ supplements, topic, id }) => `${supplements.join('+')} ${topic} ${id}`);
  return (one ?? '') < (other ?? '') ? -1 : 1;
};

export const isCombined = ({ supplements }: Finding): boolean => supplements.length > 1;

/**
 * Returns whether a question's findings are included. A combination that helped says nothing about one component alone; one that
 * did not help makes a benefit of the component unlikely.
 */
const isKept = (findings: readonly Finding[]): boolean =>
  !findings.every(isCombined) ||
  (findings.every(({ direction }) => direction !== 'better') &&
    findings.some(({ direction }) => direction !== 'unclear'));

const byVerticalOf = (main: readonly Finding[]): FindingBook['byVertical'] => {
  const placed = main.flatMap((finding) =>
    finding.supplements.map((supplement) => ({ vertical: `${supplement}-${finding.topic}`, finding })),
  );
  const groups = [...Map.groupBy(placed, ({ vertical }) => vertical)].map(
    ([vertical, mine]) => [vertical, mine.map(({ finding }) => finding)] as const,
  );
  return new Map(groups.filter(([, findings]) => isKept(findings)));
};

/** Returns the supplement of a question, which for a combination is one of its components. */
export const supplementOf = (vertical: string, { topic }: Finding): string => vertical.slice(0, -topic.length - 1);

const readBook = async (em: EntityManager): Promise<FindingBook> => {
  const version = JSON.stringify(await em.execute(VERSION));
  const rows = await em.find(FindingRow, {}, { fields: ['finding'], disableIdentityMap: true });
  const all = rows.map(({ finding }) => finding as Finding).sort(compare);
  return { all, byVertical: byVerticalOf(all.filter(({ use }) => use === 'main')), version };
};

export const startFindings = ({ db }: Host): FindingServices => {
  const { current, forget } = createVersionedCache(db, { version: VERSION, make: readBook });
  return { book: current, read: readBook, forget };
};
