/** Builds and filters the graph of the base: nodes and typed, weighted edges. Pure: parts in, graph out. */

export const NODE_TYPES = ['supplement', 'condition', 'drug', 'biomarker', 'vertical'] as const;
export type NodeType = (typeof NODE_TYPES)[number];

/**
 * Types of edges. `evidence`: sources on a supplement are filed under an outcome of a condition. `asked`: a question about a
 * supplement. `topic`: that question belongs to a condition. `interaction`: with a medicine or another supplement.
 */
export const EDGE_TYPES = ['evidence', 'asked', 'topic', 'interaction'] as const;
export type EdgeType = (typeof EDGE_TYPES)[number];

export interface NodePart {
  /** Type and slug: `supplement:magnesium`. */
  readonly id: string;
  readonly type: NodeType;
  readonly label: string;
  readonly slug: string;
  /** Address of its page on this site. */
  readonly url: string;
}

export interface GraphEdge {
  readonly source: string;
  readonly target: string;
  readonly type: EdgeType;
  /**
   * Evidence: the sum of its sources by tier (A 8, B 4, C 2, D 1). Interactions: 1 (unknown) to 5 (contraindicated).
   */
  readonly weight: number;
  readonly severity?: string;
  readonly tier?: string;
  /** Names of the outcomes under which its sources are filed; an outcome can be wider than the condition. */
  readonly via?: readonly string[];
  /** Address of the page that describes the relation. */
  readonly url: string;
}

export interface GraphNode extends NodePart {
  readonly degree: number;
}

/** The nodes and edges of one plugin; an edge may end at a node of another plugin. */
export interface GraphPart {
  readonly nodes: readonly NodePart[];
  readonly edges: readonly GraphEdge[];
}

export interface Graph {
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
  /** Number of nodes and edges removed by the limit; null when nothing was removed. */
  readonly truncated: { readonly nodes: number; readonly edges: number } | null;
}

/** Maximum number of nodes; beyond it, the nodes with the fewest edges are removed first. */
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

/** Merges parts into one graph. Drops loops and edges with a missing end; degrees count the remaining edges. */
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

/** Returns the `limit` nodes with the most edges, ties ordered by id, and the edges between them. */
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

/** Returns the graph reduced to the given types of nodes; no types mean all. */
export const ofTypes = (graph: Graph, types: readonly string[]): Graph =>
  types.length
    ? within(graph, new Set(graph.nodes.filter(({ type }) => types.includes(type)).map(({ id }) => id)))
    : graph;

/** Returns the matching nodes and their direct neighbours. */
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

/** Returns a node and all nodes within `depth` edges of it. */
export const around = (graph: Graph, id: string, depth: number): Graph =>
  within(graph, reach(graph, new Set([id]), depth));
