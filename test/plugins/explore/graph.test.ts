import { strict as assert } from 'node:assert';
import { around, cut, type GraphPart, joinParts, matching, ofTypes } from '#plugins/explore/graph.ts';

const node = (type: 'supplement' | 'condition' | 'drug', slug: string) => ({
  id: `${type}:${slug}`,
  type,
  label: slug,
  slug,
  url: `/${slug}`,
});
const edge = (source: string, target: string) => ({ source, target, type: 'interaction' as const, weight: 3, url: '' });
const parts: readonly GraphPart[] = [
  { nodes: [node('supplement', 'a'), node('supplement', 'b'), node('condition', 'c')], edges: [] },
  {
    nodes: [node('drug', 'd'), node('drug', 'e')],
    edges: [
      edge('supplement:a', 'drug:d'),
      edge('supplement:a', 'drug:e'),
      edge('supplement:b', 'drug:e'),
      edge('supplement:gone', 'drug:d'),
    ],
  },
];
const ids = ({ nodes }: { readonly nodes: readonly { readonly id: string }[] }): readonly string[] =>
  nodes.map(({ id }) => id);

describe('the graph', () => {
  const graph = joinParts(parts);

  it('merges the parts of several plugins and drops edges with a missing end', () => {
    assert.deepEqual(ids(graph), ['condition:c', 'drug:d', 'drug:e', 'supplement:a', 'supplement:b']);
    assert.equal(graph.edges.length, 3);
    assert.deepEqual(
      graph.nodes.map(({ degree }) => degree),
      [0, 1, 2, 2, 1],
    );
  });

  it('is the same for any order of the parts', () => {
    assert.deepEqual(joinParts(parts.toReversed()), graph);
  });

  it('cuts the nodes with the fewest edges, and reports how many were cut', () => {
    const small = cut(graph, 2);
    assert.deepEqual(ids(small), ['drug:e', 'supplement:a']);
    assert.deepEqual(small.truncated, { nodes: 3, edges: 2 });
    assert.equal(cut(graph, 5).truncated, null);
  });

  it('returns a neighbourhood of one or two edges', () => {
    assert.deepEqual(ids(around(graph, 'supplement:b', 1)), ['drug:e', 'supplement:b']);
    assert.deepEqual(ids(around(graph, 'supplement:b', 2)), ['drug:e', 'supplement:a', 'supplement:b']);
  });

  it('filters by type and by name', () => {
    assert.deepEqual(ids(ofTypes(graph, ['supplement'])), ['supplement:a', 'supplement:b']);
    assert.deepEqual(ids(matching(graph, ({ label }) => label === 'd')), ['drug:d', 'supplement:a']);
  });
});
