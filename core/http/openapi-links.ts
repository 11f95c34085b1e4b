/** Builds the OpenAPI links, which name the operations that can be called with values of a response. */
import type { OpenAPIV3_1 } from 'openapi-types';
import type { Route } from '../plugin.ts';

type Links = Record<string, OpenAPIV3_1.LinkObject>;

const namesOf = ({ request }: Route): ReadonlySet<string> =>
  new Set(
    [request.params, request.query].flatMap((schema) =>
      Object.keys((schema as { properties?: object } | undefined)?.properties ?? {}),
    ),
  );

/** Converts a value to an OpenAPI runtime expression. */
const expressionOf = (value: string): string => (value.startsWith('/') ? `$response.body#${value}` : value);

/** Builds the links of a route. @throws Error when a link has no target route or names a parameter that it does not have */
export const linksOf = (route: Route, routes: ReadonlyMap<string, Route>): { readonly links?: Links } => {
  const entries = Object.entries(route.links ?? {}).map(([id, values]) => {
    const target = routes.get(id);
    if (!target) throw new Error(`Route ${route.id} links to ${id}, which is no route`);
    const names = namesOf(target);
    const unknown = Object.keys(values).find((name) => !names.has(name));
    if (unknown) throw new Error(`Route ${route.id} links to ${id} with ${unknown}, which it does not take`);
    const parameters = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, expressionOf(value)]));
    return [id, { operationId: id, parameters, description: target.summary }] as const;
  });
  return entries.length ? { links: Object.fromEntries(entries) } : {};
};
