/** The graph: what the base ties together, as nodes and typed, weighted edges. Pure: parts in, graph out. */

export const NODE_TYPES = ['supplement', 'condition', 'drug', 'biomarker', 'vertical'] as const;
export type NodeType = (typeof NODE_TYPES)[number];

/**
 * `evidence`: sources on a supplement are filed under an outcome of a condition. `asked`: a question about a supplement. `topic`: that question
 * belongs to a condition. `interaction`: with a medicine or another supplement.
 */
export const EDGE_TYPES = ['evidence', 'asked', 'topic', 'interaction'] as const;
export type EdgeType = (typeof EDGE_TYPES)[number];

export interface NodePart {
  /** `supplement:magnesium` */
  readonly id: string;
  readonly type: NodeType;
  readonly label: string;
  readonly slug: string;
  /** Its page on this site. */
  readonly url: string;
}

export interface GraphEdge {
  readonly source: string;
  readonly target: string;
  readonly type: EdgeType;
  /** Evidence: the tiers of its sources added up (A 8, B 4, C 2, D 1). Interactions: 1 (unknown) to 5 (contraindicated). */
  readonly weight: number;
  readonly severity?: string;
  readonly tier?: string;
  /** Names of the outcomes that its sources are filed under: an outcome can be wider than the condition. */
  readonly via?: readonly string[];
  /** Where it is set out. */
  readonly url: string;
}

export interface GraphNode extends NodePart {
  readonly degree: number;
}

/** What one plugin knows of; an edge may end at a node of another's. */
export interface GraphPart {
  readonly nodes: readonly NodePart[];
  readonly edges: readonly GraphEdge[];
}

export interface Graph {
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
  /** Nodes and edges that the upper count cut; null when all are here. */
  readonly truncated: { readonly nodes: number; readonly edges: number } | null;
}

/** More nodes than this are cut, those with the fewest edges first. */
export const MOST_NODES = 3_000;

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
const edgeKey = ({ source, target, type }: GraphEdge): string => `${source} ${target} ${type}`;

const degreesOf = (edges: readonly GraphEdge[]): ReadonlyMap<string, number> => {
  const degrees = new Map<string, number>();
  for (const { source, target } of edges) {
    degrees.set(source, (degrees.get(source) ?? 0) + 1);
    degrees.set(target, (degrees.get(target) ?? 0) + 1);
  }
  return degrees;
};

/** Edges without both ends are dropped; degrees are those of what is returned by the whole graph, before any cut. */
export const joinParts = (parts: readonly GraphPart[]): Graph => {
  const nodes = new Map(parts.flatMap((part) => part.nodes.map((node) => [node.id, node])));
  const edges = parts
    .flatMap((part) => part.edges)
    .filter(({ source, target }) => source !== target && nodes.has(source) && nodes.has(target))
    .sort((a, b) => byText(edgeKey(a), edgeKey(b)));
  const degrees = degreesOf(edges);
  const all = [...nodes.values()]
    .map((node) => ({ ...node, degree: degrees.get(node.id) ?? 0 }))
    .sort((a, b) => byText(a.id, b.id));
  return { nodes: all, edges, truncated: null };
};

/** The nodes with the most edges, ties by id, and the edges between them. */
export const cut = (graph: Graph, limit: number): Graph => {
  if (graph.nodes.length <= limit) return graph;
  const kept = new Set(
    graph.nodes
      .toSorted((a, b) => b.degree - a.degree || byText(a.id, b.id))
      .slice(0, limit)
      .map(({ id }) => id),
  );
  return within(graph, kept, true);
};

const within = (graph: Graph, kept: ReadonlySet<string>, isCut = false): Graph => {
  const nodes = graph.nodes.filter(({ id }) => kept.has(id));
  const edges = graph.edges.filter(({ source, target }) => kept.has(source) && kept.has(target));
  const truncated = { nodes: graph.nodes.length - nodes.length, edges: graph.edges.length - edges.length };
  return { nodes, edges, truncated: isCut ? truncated : graph.truncated };
};

/** Only some types of node. */
export const ofTypes = (graph: Graph, types: readonly string[]): Graph =>
  types.length
    ? within(graph, new Set(graph.nodes.filter(({ type }) => types.includes(type)).map(({ id }) => id)))
    : graph;

/** Nodes with the words in their name, and what they are tied to. */
export const matching = (graph: Graph, isMatch: (node: GraphNode) => boolean): Graph => {
  const found = new Set(graph.nodes.filter(isMatch).map(({ id }) => id));
  return within(graph, reach(graph, found, 1));
};

const reach = (graph: Graph, from: ReadonlySet<string>, depth: number): ReadonlySet<string> => {
  const kept = new Set(from);
  for (let step = 0; step < depth; step += 1) {
    const before = new Set(kept);
    for (const { source, target } of graph.edges) {
      if (before.has(source)) kept.add(target);
      if (before.has(target)) kept.add(source);
    }
  }
  return kept;
};

/** A node and what lies within `depth` edges of it. */
export const around = (graph: Graph, id: string, depth: number): Graph =>
  within(graph, reach(graph, new Set([id]), depth));
