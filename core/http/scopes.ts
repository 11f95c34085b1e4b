/** Defines the scopes of API keys. A route's scope follows from its tag, unless the route names another one. */
import { coreErrors } from '../errors.ts';
import type { Route } from '../plugin.ts';
import type { Principal } from './gatekeeper.ts';

/** The scopes, with a description of what each one allows. */
export const SCOPES = {
  search: 'Search: evidence, similar sources, suggestions',
  sources: 'Sources one by one and in lists, findings, outcomes, gaps, trends',
  supplements: 'Supplements, conditions, and what a name means',
  interactions: 'Interactions, medicines, depletions, signals',
  products: 'Products, brands, markets',
  export: 'Downloads of the whole base',
  ask: 'Questions and their answers',
  images: 'Pictures of labels',
  feedback: 'Sending feedback',
  agents: 'Tools for language models',
  admin: 'Routes of administrators, with an admin key',
} as const;

export type Scope = keyof typeof SCOPES;

export const scopeNames = Object.keys(SCOPES) as readonly Scope[];

const BY_TAG: Readonly<Record<string, Scope>> = {
  Search: 'search',
  Evidence: 'sources',
  Outcomes: 'sources',
  Supplements: 'supplements',
  Conditions: 'supplements',
  Interactions: 'interactions',
  Products: 'products',
  'Label images': 'images',
  Ask: 'ask',
  Feedback: 'feedback',
  Agents: 'agents',
};

/**
 * Returns the scope that a key with scopes needs for a route; null when none is needed: public routes, and those about
 * the key itself. A route whose tag has no scope is closed to keys with scopes.
 */
export const scopeOf = ({ access, scope, tag }: Route): Scope | 'none' | null => {
  if (access === 'public') return null;
  if (scope !== undefined) return scope;
  return access === 'admin' ? 'admin' : (BY_TAG[tag] ?? 'none');
};

export const hasScope = (route: Route, principal: Principal): boolean => {
  const needed = scopeOf(route);
  return principal.kind !== 'key' || !principal.scopes.length || needed === null || principal.scopes.includes(needed);
};

/** Checks the scope of a key. @throws AppError 403 with the missing scope */
export const requireScope = (route: Route, principal: Principal, headers: Readonly<Record<string, string>>): void => {
  if (hasScope(route, principal)) return;
  const needed = scopeOf(route) ?? '';
  const challenge = `Bearer realm="api", error="insufficient_scope", scope="${needed}"`;
  throw coreErrors.insufficient_scope(
    { scope: needed },
    { headers: { ...headers, 'WWW-Authenticate': challenge }, body: { required_scope: needed } },
  );
};
