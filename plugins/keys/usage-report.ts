/** How often a key called what, as far as it is kept. */
import type { EntityManager } from '@mikro-orm/postgresql';

export interface CallsOfDay {
  /** As YYYY-MM-DD, UTC. */
  readonly day: string;
  /** The id of the route, as OpenAPI's operationId. */
  readonly route: string;
  readonly calls: number;
}

const USAGE = `select to_char(day, 'YYYY-MM-DD') as day, route, calls from key_usage
  where key_id = ? and day > (now() at time zone 'utc')::date - ?::integer
  order by day desc, calls desc, route`;

/** Of the last `days` days, today's included; newest first. The last seconds may still be missing. */
export const readKeyUsage = async (em: EntityManager, keyId: string, days: number): Promise<readonly CallsOfDay[]> =>
  (await em.execute(USAGE, [keyId, days])) as unknown as readonly CallsOfDay[];
