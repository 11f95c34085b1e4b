/** Reads the schema from the database's catalog, so that new tables are backed up without a change here. */
import type { EntityManager } from '@mikro-orm/postgresql';

export interface Table {
  readonly name: string;
  /** Columns, without generated ones. */
  readonly columns: readonly string[];
  /** Columns of the primary key; [] without one. */
  readonly key: readonly string[];
}

export interface Sequence {
  readonly name: string;
  /** Null when the sequence was never used. */
  readonly last: string | null;
}

/** The migrator's own table, which the migrator creates and fills. */
export const MIGRATIONS_TABLE = 'mikro_orm_migrations';

export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** Returns the tables, sorted by name. */
export const readTables = async (em: EntityManager): Promise<readonly Table[]> => {
  const rows = (await em.execute(
    `select c.relname as name,
       (select jsonb_agg(a.attname order by a.attnum) from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns,
       coalesce((select jsonb_agg(a.attname order by array_position(i.indkey::int2[], a.attnum)) from pg_index i
        join pg_attribute a on a.attrelid = c.oid and a.attnum = any (i.indkey::int2[])
        where i.indrelid = c.oid and i.indisprimary), '[]') as key
     from pg_class c where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and c.relname <> ?
     order by c.relname`,
    [MIGRATIONS_TABLE],
  )) as unknown as Table[];
  return rows.map(({ name, columns, key }) => ({ name, columns, key }));
};

/** Returns all sequences except those of the migrator. */
export const readSequences = async (em: EntityManager): Promise<readonly Sequence[]> =>
  (await em.execute(
    `select sequencename as name, last_value::text as last from pg_sequences
     where schemaname = current_schema() and sequencename not like ? order by sequencename`,
    [`${MIGRATIONS_TABLE}%`],
  )) as unknown as Sequence[];

export interface ForeignKey {
  readonly table: string;
  readonly name: string;
}

export const readForeignKeys = async (em: EntityManager): Promise<readonly ForeignKey[]> =>
  (await em.execute(
    `select t.relname as table, k.conname as name from pg_constraint k join pg_class t on t.oid = k.conrelid
     where k.contype = 'f' and k.connamespace = current_schema()::regnamespace order by 1, 2`,
  )) as unknown as ForeignKey[];
