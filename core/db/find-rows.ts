/**
 * Stored rows as plain values, for who only reads them. `em.find` gives every value of every row an accessor, and keeps
 * a copy to tell changes by, which costs several times what the query does.
 */
import type { EntityManager } from '@mikro-orm/postgresql';

export interface FindOptions<Row> {
  /** What to read of a row; all when there are none. */
  readonly fields?: readonly (keyof Row & string)[];
  readonly orderBy?: Readonly<Partial<Record<keyof Row & string, 'asc' | 'desc'>>>;
  readonly limit?: number;
  readonly offset?: number;
}

type Values = Record<string, unknown>;
type EntityClass = Parameters<EntityManager['find']>[0];

/** Rows of an entity that meet a condition, as `em.find` would give them; nothing that is done to them is stored. */
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
