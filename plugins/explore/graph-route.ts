/** Defines GET /graph-data and the route that serves the library which draws the graph. */
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Static } from 'typebox';
import { notFound } from '#core/errors.ts';
import { acceptsGzip, libraryRoute } from '#core/http/library-route.ts';
import { invalid } from '#core/http/validate.ts';
import { defineRoute } from '#core/plugin.ts';
import { foldName } from '#core/search/name-index.ts';
import { around, cut, type Graph, matching, NODE_TYPES, ofTypes } from './graph.ts';
import { GraphQuery, GraphReply } from './schemas.ts';
import type { ExploreServices, KeptGraph } from './services.ts';

type Query = Static<typeof GraphQuery>;

/** Splits a comma-separated list; empty items are dropped. */
export const listed = (text: string): readonly string[] =>
  text
    .split(',')
    .map((word) => word.trim())
    .filter(Boolean);

const typesOf = ({ type }: Query): readonly string[] => {
  const types = listed(type);
  const wrong = types.find((name) => !(NODE_TYPES as readonly string[]).includes(name));
  if (wrong !== undefined) throw invalid('query', 'type', `Input should be of ${NODE_TYPES.join(', ')}`, wrong);
  return types;
};

/** Applies the filters of a query in this order: neighbourhood, text, types, limit. */
const filtered = (graph: Graph, query: Query): Graph => {
  const types = typesOf(query);
  const near = query.around ? neighbourhood(graph, query) : graph;
  const wanted = foldName(query.q);
  const found = wanted ? matching(near, ({ label }) => foldName(label).includes(wanted)) : near;
  return cut(ofTypes(found, types), query.limit);
};

const neighbourhood = (graph: Graph, { around: id, depth }: Query): Graph => {
  if (!graph.nodes.some((node) => node.id === id)) throw notFound('Node', id);
  return around(graph, id, depth);
};

const zip = promisify(gzip);

interface Packed {
  readonly etag: string;
  readonly plain: string;
  readonly zipped: Buffer;
}

const KEPT = 50;
/** Cache of serialised and compressed replies: for each version of the graph, up to `KEPT` replies by query. */
const packed = new WeakMap<KeptGraph, Map<string, Promise<Packed>>>();

const pack = async (state: KeptGraph, query: Query): Promise<Packed> => {
  const { nodes, edges, truncated } = filtered(state.graph, query);
  const plain = JSON.stringify({ nodes, edges, generated_at: state.generatedAt.toISOString(), truncated });
  const digest = createHash('sha256')
    .update(`${state.digest} ${JSON.stringify(query)}`)
    .digest('base64url');
  return { etag: `W/"${digest.slice(0, 22)}"`, plain, zipped: await zip(plain) };
};

const packedFor = (state: KeptGraph, query: Query): Promise<Packed> => {
  const answers = packed.get(state) ?? new Map<string, Promise<Packed>>();
  packed.set(state, answers);
  const key = JSON.stringify(query);
  const known = answers.get(key);
  if (known) return known;
  const made = pack(state, query);
  made.catch(() => answers.delete(key));
  if (answers.size >= KEPT) answers.delete(answers.keys().next().value ?? '');
  answers.set(key, made);
  return made;
};

const isFresh = (given: string | undefined, etag: string): boolean =>
  (given ?? '').split(',').some((tag) => tag.trim() === etag || tag.trim() === '*');

export const graphDataRoute = defineRoute<ExploreServices, { query: typeof GraphQuery }>({
  id: 'graph.data',
  method: 'GET',
  path: '/graph-data',
  summary: 'The knowledge graph: nodes and typed, weighted edges',
  description:
    'Supplements, conditions, medicines and questions, and what ties them together. A missing edge says nothing about safety. At most 3,000 nodes; those with the fewest edges are cut, and `truncated` says how many.',
  tag: 'Graph',
  access: 'public',
  request: { query: GraphQuery },
  replies: [
    { status: 200, mediaType: 'application/json', description: 'Nodes and edges', schema: GraphReply },
    { status: 304, mediaType: 'application/json', description: 'Not changed since the answer with that ETag' },
  ],
  raises: ['not_found', 'validation_failed'],
  handle: async ({ services }, { query, headers }) => {
    const { etag, plain, zipped } = await packedFor(await services.graph(), query);
    const shared = { ETag: etag, 'Cache-Control': 'public, max-age=300', Vary: 'Accept-Encoding' };
    if (isFresh(headers['if-none-match'], etag)) return { status: 304, headers: shared };
    const type = 'application/json';
    if (!acceptsGzip(headers['accept-encoding'])) return { type, body: plain, headers: shared };
    return { type, body: zipped, headers: { ...shared, 'Content-Encoding': 'gzip' } };
  },
});

export const graphAssetRoute = libraryRoute({
  id: 'graph.asset',
  folder: '/graph/assets',
  summary: 'The library that draws the graph',
  tag: 'Graph',
  entry: import.meta.resolve('cytoscape'),
  file: 'cytoscape.min.js',
});
