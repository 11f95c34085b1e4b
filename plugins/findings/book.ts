/** All findings, kept in memory until one changes: some thousands, read by every page of a question. */
import type { EntityManager } from '@mikro-orm/postgresql';
import { keptByVersion } from '#core/db/kept.ts';
import type { Host } from '#core/plugin.ts';
import { FindingRow } from './entities.ts';
import type { Finding } from './vocabulary.ts';

export interface FindingBook {
  /** By supplement, topic and id. */
  readonly all: readonly Finding[];
  /** Main findings of one supplement, by `supplement-topic`. */
  readonly byVertical: ReadonlyMap<string, readonly Finding[]>;
  /** Changes with any finding: equal values mean the same findings. */
  readonly version: string;
}

export interface FindingServices {
  book(): Promise<FindingBook>;
  /** Reads inside a transaction, and keeps nothing. */
  read(em: EntityManager): Promise<FindingBook>;
  forget(): void;
}

const VERSION = 'select count(*)::int as n, max(changed_at)::text as at from finding';

const compare = (a: Finding, b: Finding): number => {
  const [one, other] = [a, b].map(({ supplements, topic, id }) => `${supplements.join('+')} ${topic} ${id}`);
  return (one ?? '') < (other ?? '') ? -1 : 1;
};

const readBook = async (em: EntityManager): Promise<FindingBook> => {
  const version = JSON.stringify(await em.execute(VERSION));
  const rows = await em.find(FindingRow, {}, { fields: ['finding'], disableIdentityMap: true });
  const all = rows.map(({ finding }) => finding as Finding).sort(compare);
  const graded = all.filter(({ use, vertical }) => use === 'main' && vertical !== '');
  return { all, byVertical: Map.groupBy(graded, ({ vertical }) => vertical), version };
};

export const startFindings = ({ db }: Host): FindingServices => {
  const { current, forget } = keptByVersion(db, { version: VERSION, make: readBook });
  return { book: current, read: readBook, forget };
};
