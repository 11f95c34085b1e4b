/** Defines one kind of page over one table, for the comparison of the real generator with others. */
import { Type } from 'typebox';
import { type Context, definePage, definePlugin, type PageChanges, type PageInstance } from '#core/plugin.ts';

const View = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  brand: Type.String(),
  contents: Type.String(),
  serving: Type.String(),
  claims: Type.Array(Type.String()),
  groups: Type.Array(Type.String()),
  onMarket: Type.Boolean(),
  leftOn: Type.String(),
  enteredOn: Type.String(),
  others: Type.Array(Type.Object({ id: Type.Integer(), name: Type.String() })),
});

interface Row {
  readonly id: number;
  readonly facts: Record<string, unknown>;
}

const rowsOf = async ({ db }: Context, ids: readonly number[]): Promise<ReadonlyMap<number, Row>> => {
  const rows = (await db.read((em) =>
    em.execute('select id, facts from bench_label where id = any(?::int[])', [`{${ids.join(',')}}`]),
  )) as unknown as Row[];
  return new Map(rows.map((row) => [row.id, row]));
};

const load = async (context: Context, params: readonly { id: number | string }[]) => {
  const rows = await rowsOf(
    context,
    params.map(({ id }) => Number(id)),
  );
  return params.map(({ id }) => {
    const row = rows.get(Number(id));
    if (!row) return { missing: { resource: 'Label', id: String(id) } };
    const { name, brand } = row.facts as { name: string; brand: string };
    return { head: { title: `${name} by ${brand}`, description: name }, view: { id: row.id, ...row.facts } as never };
  });
};

const days: string[] = [];
/**
 * Returns the date of a change: one day per thousand changes, as if each thousand were an import. The sitemap changes with it.
 */
const dayOf = (change: number): string => {
  const day = Math.floor(change / 1000);
  days[day] ??= new Date(day * 86_400_000).toISOString();
  return days[day] ?? '';
};

/** Reads all states as a single text, as the product pages do (plugins/products/pages/product-states.ts). */
const readStates = async ({ db }: Context, since: number): Promise<readonly PageInstance[]> => {
  const [{ states }] = (await db.read((em) =>
    em.execute(
      "select string_agg(id || ' ' || change_number, ',' order by id) as states from bench_label where change_number > ?",
      [since],
    ),
  )) as unknown as [{ states: string | null }];
  return (states?.split(',') ?? []).map((state) => {
    const [id = '', version = ''] = state.split(' ');
    return { params: { id }, version, changedAt: dayOf(Number(version)) };
  });
};

async function* list(context: Context): AsyncIterable<PageInstance> {
  yield* await readStates(context, 0);
}

const changes = async (context: Context, since: string | null): Promise<PageChanges> => {
  const [{ last }] = (await context.db.read((em) =>
    em.execute('select max(change_number)::text as last from bench_label'),
  )) as unknown as [{ last: string }];
  return { state: last, changed: since === null ? null : await readStates(context, Number(since)) };
};

export const labelPage = definePage({
  id: 'bench.label',
  path: '/product/{id}',
  summary: 'The facts of one label',
  template: '../bench/generators/ours/product',
  params: Type.Object({ id: Type.Integer() }),
  view: View,
  scope: 'public',
  sitemap: 'products',
  revision: 1,
  list,
  changes,
  load: async (context: Context, { params }) => (await load(context, [params]))[0] as never,
  loadMany: (context: Context, params) => load(context, params) as never,
});

export const benchPlugin = definePlugin({
  name: 'bench',
  summary: 'Labels to make pages of',
  dependencies: [],
  pages: [labelPage],
  start: () => ({}),
});

/** The list of plugins, in the form that plugins/index.ts exports. */
export const plugins = [benchPlugin];
