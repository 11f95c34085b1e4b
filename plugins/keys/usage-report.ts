/** Reports the calls of a key, as far as they are still stored. */
import type { EntityManager } from '@mikro-orm/postgresql';

export interface CallsOfDay {
  /** Day as YYYY-MM-DD, UTC. */
  readonly day: string;
  /** Id of the route, as in OpenAPI's operationId. */
  readonly route: string;
  readonly calls: number;
}

const USAGE = `select to_char(day, 'YYYY-MM-DD') as day, route, calls from key_usage
  where key_id = ? and day > (now() at time zone 'utc')::date - ?::integer
  order by day desc, calls desc, route`;

/** Returns the calls of the last `days` days including today, newest first. The last seconds may still be missing. */
export const readKeyUsage = async (em: EntityManager, keyId: string, days: number): Promise<readonly CallsOfDay[]> =>
  (await em.execute(USAGE, [keyId, days])) as unknown as readonly CallsOfDay[];
