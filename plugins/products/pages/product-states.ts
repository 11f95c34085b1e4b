/**
 * What tells that a product's page is out of date, of every product in the order of their numbers. The database answers
 * one text per chunk: a row of a result costs many times as much as a line of a text, and there are 100,000 of them.
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
  /** Every market status that a file told; "" for none. */
  readonly history: string;
}

/** Products per look: the whole list never stands in memory here. */
const CHUNK = 20_000;

const STATES = `with chunk as (select dsld_id, change_number, updated_at, supplements from product
    where removed_at is null and dsld_id > ? order by dsld_id limit ${CHUNK})
  select (select string_agg(dsld_id || E'\t' || change_number || E'\t'
      || to_char(updated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') || E'\t' || supplements::text,
      E'\n' order by dsld_id) from chunk) as products,
    (select string_agg(id || E'\t' || told, E'\n') from (
      select dsld_id as id, string_agg(as_of::text || source || on_market::text, ',' order by as_of, source) as told
      from product_status where dsld_id > ? and dsld_id <= (select max(dsld_id) from chunk) group by 1) as statuses) as histories`;

interface Chunk {
  readonly products: string | null;
  readonly histories: string | null;
}

const readChunk = async (em: EntityManager, after: number): Promise<readonly ProductState[]> => {
  const [chunk] = (await em.execute(STATES, [after, after])) as unknown as readonly Chunk[];
  if (!chunk?.products) return [];
  const histories = new Map<string, string>();
  for (const line of chunk.histories?.split('\n') ?? []) {
    const end = line.indexOf('\t');
    histories.set(line.slice(0, end), line.slice(end + 1));
  }
  return chunk.products.split('\n').map((line) => {
    const [id = '', change = '', last = '', supplements = '[]'] = line.split('\t');
    return { id: Number(id), change, last, supplements, history: histories.get(id) ?? '' };
  });
};

export async function* productStates({ db }: Context): AsyncIterable<ProductState> {
  let after = -1;
  for (;;) {
    const states = await db.read((em) => readChunk(em, after));
    yield* states;
    const final = states.at(-1);
    if (!final || states.length < CHUNK) return;
    after = final.id;
  }
}
