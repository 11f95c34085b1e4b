/**
 * Reads stored rows as plain values. `em.find` creates an accessor for every value of every row, and a copy for change detection,
 * which costs several times as much as the query.
 */
import type { EntityManager } from '@mikro-orm/postgresql';

export interface FindOptions<Row> {
  /** Columns to read; all by default. */
  readonly fields?: readonly (keyof Row & string)[];
  readonly orderBy?: Readonly<Partial<Record<keyof Row & string, 'asc' | 'desc'>>>;
  readonly limit?: number;
  readonly offset?: number;
}

type Values = Record<string, unknown>;
type EntityClass = Parameters<EntityManager['find']>[0];

/** Returns the rows of an entity that match a condition, with the same values as `em.find`; changes to them are not stored. */
export const findRows = async <Row>(
  em: EntityManager,
  entity: unknown,
  where: object,
  { fields, orderBy, limit, offset }: FindOptions<Row> = {},
): Promise<Row[]> => {
  const { props } = em.getMetadata().get(entity as EntityClass);
  const builder = em.createQueryBuilder(entity as EntityClass).select((fields ?? '*') as never);
  builder.where(where as never);
  if (orderBy) builder.orderBy(orderBy as never);
  if (limit !== undefined) builder.limit(limit, offset);
  const rows = (await builder.execute('all')) as unknown as Values[];
  const platform = em.getPlatform();
  const typed = props.flatMap(({ name, customType }) => (customType ? [{ name, type: customType }] : []));
  for (const row of rows) {
    for (const { name, type } of typed) {
      const value = row[name];
      if (value !== null && value !== undefined) row[name] = type.convertToJSValue(value, platform);
    }
  }
  return rows as Row[];
};
