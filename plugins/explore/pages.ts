/** Defines /graph, and /explore/entities, which redirects to the directories. */
import { Type } from 'typebox';
import { type Context, definePage, type PageInstance } from '#core/plugin.ts';
import { NODE_TYPES } from './graph.ts';
import { GraphView, graphView } from './graph-view.ts';
import type { ExploreServices } from './services.ts';

const GraphRequest = Type.Object({
  around: Type.String({ maxLength: 250, default: '' }),
  q: Type.String({ maxLength: 200, default: '' }),
  type: Type.String({ enum: ['', ...NODE_TYPES], default: '' }),
  page: Type.Integer({ minimum: 1, maximum: 1000, default: 1 }),
});

const loadGraph = async (
  { services }: Context<ExploreServices>,
  query: { around: string; q: string; type: string; page: number },
) => {
  const { graph } = await services.graph();
  if (query.around && !graph.nodes.some(({ id }) => id === query.around)) {
    const near = (await services.suggest(query.around.replace(/^\w+:/, '').replaceAll('-', ' '), 5, [])).filter(
      ({ url }) => url,
    );
    return {
      missing: { resource: 'Node', id: query.around, near: near.map(({ name, url }) => ({ name, href: url })) },
    };
  }
  const view = graphView(graph, query);
  const isWhole = !query.around && !query.q && !query.type && query.page === 1;
  const subject = view.focus
    ? `What is tied to ${view.focus.name}`
    : 'How supplements, conditions and medicines hang together';
  return {
    head: {
      title: subject,
      description: `${view.focus?.name ?? 'The graph of the base'}: what was studied for what, and what interacts with what, drawn and as a table. ${view.totals.nodes} things, ${view.totals.edges} ties.`,
      noindex: !isWhole,
    },
    view,
  };
};

async function* listGraph({ services }: Context<ExploreServices>): AsyncIterable<PageInstance> {
  const { digest } = await services.graph();
  yield { params: {}, version: digest, changedAt: null };
}

export const graphPage = definePage({
  id: 'explore.graph',
  path: '/graph',
  summary: 'The knowledge graph, drawn and as a table',
  template: 'explore/graph',
  query: GraphRequest,
  view: GraphView,
  scope: 'public',
  sitemap: 'static',
  revision: 1,
  list: listGraph,
  load: (context: Context<ExploreServices>, { query }) => loadGraph(context, query),
});

/** Directory of each type of entity; every other type redirects to the supplements. */
const DIRECTORIES: Readonly<Record<string, string>> = {
  supplement: '/supplements',
  condition: '/conditions',
  drug: '/interactions',
  medicine: '/interactions',
  interaction: '/interactions',
  brand: '/brands',
  product: '/products',
  article: '/articles',
  biomarker: '/biomarkers',
  source: '/explore/sources',
};

export const entitiesPage = definePage({
  id: 'explore.entities',
  path: '/explore/entities',
  summary: 'Leads to the directory of a type of entity',
  // This template is never rendered, because the reply is always a redirect.
  template: 'explore/graph',
  query: Type.Object({ entity_type: Type.String({ maxLength: 80, default: '' }) }),
  view: Type.Object({}),
  scope: 'public',
  sitemap: null,
  revision: 1,
  load: async (_context, { query }) => {
    const type = query.entity_type.trim().toLowerCase();
    const directory = DIRECTORIES[type] ?? DIRECTORIES[type.replace(/s$/, '')] ?? '/supplements';
    return { redirect: directory, status: 302 as const };
  },
});
