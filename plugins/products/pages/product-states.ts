/**
 * Reads the change state of every product, in the order of ids, to detect outdated pages. The database returns one text per
 * chunk: a result row costs many times as much as a line of text, and there are 100,000 of them.
 */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Context } from '#core/plugin.ts';

export interface ProductState {
  readonly id: number;
  readonly change: string;
  /** RFC 3339. */
  readonly last: string;
  /** A JSON list of slugs, as stored. */
  readonly supplements: string;
}

/** Products per query, so that the complete list is never in memory. */
const CHUNK = 20_000;

const LINES = `string_agg(dsld_id || E'\t' || change_number || E'\t'
  || to_char(updated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') || E'\t' || supplements::text,
  E'\n' order by dsld_id) as lines`;

const STATES = `select ${LINES} from (select dsld_id, change_number, updated_at, supplements from product
  where removed_at is null and dsld_id > ? order by dsld_id limit ${CHUNK}) as chunk`;

const CHANGED = `select ${LINES}, coalesce(bool_or(removed_at is not null), false) as has_removed, count(*)::int as n
  from (select * from product where change_number > ? limit ${CHUNK + 1}) as chunk`;

const readLines = (lines: string | null): readonly ProductState[] =>
  (lines?.split('\n') ?? []).map((line) => {
    const [id = '', change = '', last = '', supplements = '[]'] = line.split('\t');
    return { id: Number(id), change, last, supplements };
  });

export async function* productStates({ db }: Context): AsyncIterable<ProductState> {
  let after = -1;
  for (;;) {
    const [chunk] = (await db.read((em) => em.execute(STATES, [after]))) as unknown as [{ lines: string | null }];
    const states = readLines(chunk.lines);
    yield* states;
    const final = states.at(-1);
    if (!final || states.length < CHUNK) return;
    after = final.id;
  }
}

interface Changed {
  readonly lines: string | null;
  readonly has_removed: boolean;
  readonly n: number;
}

/**
 * Returns the products with a change number above the given one, or null when one of them was deleted or when there are so
 * many that reading all costs no more. Numbers become visible in order, because writers hold the lease.
 */
export const productsChangedSince = async (
  em: EntityManager,
  change: number,
): Promise<readonly ProductState[] | null> => {
  const [found] = (await em.execute(CHANGED, [change])) as unknown as [Changed];
  return found.has_removed || found.n > CHUNK ? null : readLines(found.lines);
};

/** Returns the highest change number of any product. */
export const lastChange = async (em: EntityManager): Promise<number> => {
  const [found] = (await em.execute('select max(change_number)::text as last from product')) as unknown as [
    { last: string | null },
  ];
  return Number(found.last ?? 0);
};
