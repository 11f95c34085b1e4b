/** Schemas of the requests and replies of the explore routes. */
import { Type } from 'typebox';
import { EDGE_TYPES, MOST_NODES, NODE_TYPES } from './graph.ts';
import { SUGGEST_KINDS } from './suggest.ts';

export const SuggestQuery = Type.Object({
  q: Type.String({ maxLength: 200, default: '', description: 'The first letters of a name.' }),
  limit: Type.Integer({ minimum: 1, maximum: 50, default: 10 }),
  kind: Type.String({
    maxLength: 200,
    default: '',
    description: `Only these kinds, separated by commas: ${SUGGEST_KINDS.join(', ')}.`,
  }),
});

export const SuggestReply = Type.Object({
  query: Type.String(),
  items: Type.Array(
    Type.Object({
      kind: Type.String({ enum: [...SUGGEST_KINDS] }),
      id: Type.String(),
      name: Type.String(),
      match_type: Type.String({ enum: ['exact', 'synonym', 'brand', 'latin', 'typo'] }),
      confidence: Type.Number({ description: '0 to 1.' }),
      url: Type.String({ description: '"" for what has no page.' }),
    }),
  ),
});

export const BoxQuery = Type.Object({
  q: Type.String({ maxLength: 200, default: '', description: 'What stands in the box.' }),
  kind: Type.String({ maxLength: 200, default: '', description: 'Only these kinds, separated by commas.' }),
});

export const BoxReply = Type.Object({
  query: Type.String(),
  items: Type.Array(
    Type.Object({
      name: Type.String(),
      kind: Type.String({ enum: [...SUGGEST_KINDS] }),
      kind_name: Type.String({ description: 'The kind in words.' }),
      note: Type.String({
        description: 'The other name that the letters belong to, or that it is a guess; "" otherwise.',
      }),
      url: Type.String({ description: 'Its page, or a search for it.' }),
    }),
  ),
});

export const GraphQuery = Type.Object({
  type: Type.String({
    maxLength: 200,
    default: '',
    description: `Only nodes of these types, separated by commas: ${NODE_TYPES.join(', ')}.`,
  }),
  q: Type.String({ maxLength: 200, default: '', description: 'Nodes with this in their name, and their neighbours.' }),
  around: Type.String({ maxLength: 250, default: '', description: 'Id of a node, such as `supplement:magnesium`.' }),
  depth: Type.Integer({ minimum: 1, maximum: 2, default: 1, description: 'Edges away from `around`.' }),
  limit: Type.Integer({
    minimum: 1,
    maximum: MOST_NODES,
    default: MOST_NODES,
    description: 'At most this many nodes.',
  }),
});

export const GraphReply = Type.Object({
  nodes: Type.Array(
    Type.Object({
      id: Type.String(),
      type: Type.String({ enum: [...NODE_TYPES] }),
      label: Type.String(),
      slug: Type.String(),
      url: Type.String(),
      degree: Type.Integer({ description: 'Edges in the whole graph.' }),
    }),
  ),
  edges: Type.Array(
    Type.Object({
      source: Type.String(),
      target: Type.String(),
      type: Type.String({ enum: [...EDGE_TYPES] }),
      weight: Type.Number({
        description:
          'Evidence: tiers of the sources added up (A 8, B 4, C 2, D 1). Interactions: 1 (unknown) to 5 (contraindicated).',
      }),
      severity: Type.Optional(Type.String()),
      tier: Type.Optional(Type.String({ description: 'Of the best source.' })),
      via: Type.Optional(
        Type.Array(Type.String(), {
          description: 'Outcomes that the sources are filed under; one can be wider than the condition.',
        }),
      ),
      url: Type.String(),
    }),
  ),
  generated_at: Type.String({ format: 'date-time' }),
  truncated: Type.Union([Type.Object({ nodes: Type.Integer(), edges: Type.Integer() }), Type.Null()], {
    description: 'What the upper count of nodes cut; null when nothing was.',
  }),
});
