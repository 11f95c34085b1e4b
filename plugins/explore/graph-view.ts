/** Builds the view of the graph for pages without scripts: a node and its neighbours, or the nodes with the most edges. */
import { type Static, Type } from 'typebox';
import { foldName } from '#core/search/name-index.ts';
import { inSentence, OptionalTier, type Tier, tierView } from '#plugins/evidence/index.ts';
import { SEVERITIES, SEVERITY_WORDS, type Severity } from '#plugins/interactions/index.ts';
import { type EdgeType, type Graph, type GraphEdge, type GraphNode, NODE_TYPES, type NodeType } from './graph.ts';

const SeverityView = Type.Object({ code: Type.String({ enum: [...SEVERITIES] }), word: Type.String() });

const Row = Type.Object({
  name: Type.String(),
  kind: Type.String(),
  /** Page of the node. */
  href: Type.String(),
  /** The graph centred on the node. */
  focusHref: Type.String(),
  relation: Type.String(),
  /** Page that describes the relation; "" when no node is in the centre. */
  tieHref: Type.String(),
  tier: OptionalTier,
  severity: Type.Union([SeverityView, Type.Null()]),
  degree: Type.Integer(),
});
type Row = Static<typeof Row>;

export const GraphView = Type.Object({
  /** Id of the node in the centre; "" for none. */
  around: Type.String(),
  /** Id of the node in the centre of the drawing when no node is chosen. */
  start: Type.String(),
  q: Type.String(),
  type: Type.String(),
  focus: Type.Union([Type.Object({ name: Type.String(), kind: Type.String(), href: Type.String() }), Type.Null()]),
  types: Type.Array(Type.Object({ id: Type.String(), name: Type.String(), count: Type.Integer() })),
  severities: Type.Array(SeverityView),
  totals: Type.Object({ nodes: Type.Integer(), edges: Type.Integer() }),
  rows: Type.Array(Row),
  found: Type.Integer(),
  /** Addresses of the previous and the next page; "" at the ends. */
  previous: Type.String(),
  next: Type.String(),
});
export type GraphView = Static<typeof GraphView>;

export const TYPE_WORDS: Readonly<Record<NodeType, { one: string; many: string }>> = {
  supplement: { one: 'Supplement', many: 'Supplements' },
  condition: { one: 'Condition', many: 'Conditions' },
  drug: { one: 'Medicine', many: 'Medicines' },
  biomarker: { one: 'Biomarker', many: 'Biomarkers' },
  vertical: { one: 'Question', many: 'Questions' },
};

const RELATION_WORDS: Readonly<Record<EdgeType, string>> = {
  evidence: 'sources',
  asked: 'question',
  topic: 'question filed here',
  interaction: 'interaction',
};

export const PAGE = 60;

export interface GraphRequest {
  readonly around: string;
  readonly q: string;
  readonly type: string;
  readonly page: number;
}

export const addressOf = ({ around, q, type, page }: GraphRequest): string => {
  const given = Object.entries({ around, q, type, page: page > 1 ? String(page) : '' }).filter(([, value]) => value);
  return given.length ? `/graph?${new URLSearchParams(given)}` : '/graph';
};

const focusOn = (id: string): string => addressOf({ around: id, q: '', type: '', page: 1 });

/** Returns the relation in words. It names the outcomes of evidence, because an outcome can be wider than the condition. */
const relationOf = ({ type, via }: GraphEdge): string =>
  via?.length ? `sources on ${via.map(inSentence).join(', ')}` : RELATION_WORDS[type];

const rowOf = (node: GraphNode, edge: GraphEdge | null): Row => ({
  name: node.label,
  kind: TYPE_WORDS[node.type].one,
  href: node.url,
  focusHref: focusOn(node.id),
  relation: edge ? relationOf(edge) : '',
  tieHref: edge?.url ?? '',
  tier: edge?.tier && !edge.severity ? tierView(edge.tier as Tier) : null,
  severity: edge?.severity ? { code: edge.severity, word: SEVERITY_WORDS[edge.severity as Severity] } : null,
  degree: node.degree,
});

const byDegree = (a: GraphNode, b: GraphNode): number => b.degree - a.degree || (a.id < b.id ? -1 : 1);

/** Returns the neighbours of a node: by type, then by descending weight. A neighbour with two edges has two rows. */
const tiesOf = (graph: Graph, id: string, fits: (node: GraphNode) => boolean): Row[] => {
  const nodes = new Map(graph.nodes.map((node) => [node.id, node]));
  return graph.edges
    .filter(({ source, target }) => source === id || target === id)
    .flatMap((edge) => {
      const node = nodes.get(edge.source === id ? edge.target : edge.source);
      return node && fits(node) ? [{ node, edge }] : [];
    })
    .sort(
      (a, b) =>
        NODE_TYPES.indexOf(a.node.type) - NODE_TYPES.indexOf(b.node.type) ||
        b.edge.weight - a.edge.weight ||
        (a.node.id < b.node.id ? -1 : 1),
    )
    .map(({ node, edge }) => rowOf(node, edge));
};

/** Returns the id of the supplement with studies on the most conditions, as a readable node to start with. */
export const startOf = ({ nodes, edges }: Graph): string => {
  const studied = Map.groupBy(
    edges.filter(({ type }) => type === 'evidence'),
    ({ source }) => source,
  );
  const ends = [...studied].map(([id, list]) => ({ id, n: list.length }));
  const [first] = ends.sort((a, b) => b.n - a.n || (a.id < b.id ? -1 : 1));
  return first?.id ?? nodes[0]?.id ?? '';
};

export const graphView = (graph: Graph, request: GraphRequest): GraphView => {
  const { around, q, type, page } = request;
  const focus = graph.nodes.find(({ id }) => id === around) ?? null;
  const wanted = foldName(q);
  const fits = (node: GraphNode): boolean =>
    (!type || node.type === type) && (!wanted || foldName(node.label).includes(wanted));
  const all = focus
    ? tiesOf(graph, focus.id, fits)
    : graph.nodes
        .filter(fits)
        .sort(byDegree)
        .map((node) => rowOf(node, null));
  const from = (page - 1) * PAGE;
  return {
    around: focus?.id ?? '',
    start: startOf(graph),
    q,
    type,
    focus: focus && { name: focus.label, kind: TYPE_WORDS[focus.type].one, href: focus.url },
    types: NODE_TYPES.map((id) => ({
      id,
      name: TYPE_WORDS[id].many,
      count: graph.nodes.filter((node) => node.type === id).length,
    })).filter(({ count }) => count > 0),
    severities: SEVERITIES.map((code) => ({ code, word: SEVERITY_WORDS[code] })),
    totals: { nodes: graph.nodes.length, edges: graph.edges.length },
    rows: all.slice(from, from + PAGE),
    found: all.length,
    previous: page > 1 ? addressOf({ ...request, page: page - 1 }) : '',
    next: from + PAGE < all.length ? addressOf({ ...request, page: page + 1 }) : '',
  };
};
