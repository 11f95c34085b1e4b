/** The API as its plugins declare it, and their routes to call from within: for pages that explain it. */
import type { OpenAPIV3_1 } from 'openapi-types';
import { coreErrors } from '../errors.ts';
import type { Api, InnerRequest, Route } from '../plugin.ts';
import type { Runtime } from '../runtime.ts';
import { mayCall } from './access.ts';
import { routedPlugins } from './core-routes.ts';
import type { Principal } from './gatekeeper.ts';
import { texts } from './inner-calls.ts';
import { describeApi } from './openapi.ts';
import { contextFor } from './request-state.ts';
import { NO_SESSION } from './session.ts';
import { createAjv, requestChecker } from './validate.ts';

const DEADLINE_MS = 30_000;
const HOUSE: Principal = { kind: 'anonymous', address: '' };

const routeCaller = (runtime: Runtime): Api['call'] => {
  const ajv = createAjv();
  const byId = new Map(
    routedPlugins(runtime).flatMap((plugin) =>
      (plugin.routes ?? []).map((route: Route) => [route.id, { plugin, route }] as const),
    ),
  );
  const callAs = async (caller: Principal | null, routeId: string, request: InnerRequest) => {
    const found = byId.get(routeId);
    if (!found) throw new Error(`No route has the id ${routeId}`);
    const { plugin, route } = found;
    if (caller) mayCall(route, caller);
    const check = requestChecker(ajv, route.request, route.isPrivate === true);
    const { params = {}, query = {}, body } = request;
    // Checking fills in what is left out.
    const checked = check({ params: texts(params), query: texts(query), body: structuredClone(body) });
    const state = { requestId: 'system', signal: AbortSignal.timeout(DEADLINE_MS) };
    const as = { principal: caller ?? HOUSE, device: null, session: NO_SESSION };
    const call = (id: string, inner: InnerRequest) => callAs(caller, id, inner);
    const more = { files: [], stream: null, headers: {}, call };
    return route.handle(contextFor(runtime, plugin, state, as), { ...checked, ...more } as never);
  };
  return callAs;
};

const known = new WeakMap<Runtime, Api>();

/** One for each runtime; the description is made when somebody asks. */
export const apiOf = (runtime: Runtime): Api => {
  const made = known.get(runtime);
  if (made) return made;
  let description: OpenAPIV3_1.Document | null = null;
  let call: Api['call'] | null = null;
  const api: Api = {
    describe: () => {
      description ??= describeApi(routedPlugins(runtime), runtime.config.text('BASE_URL'));
      return description;
    },
    errors: [...coreErrors.definitions, ...runtime.plugins.flatMap(({ errors = [] }) => errors)],
    call: (caller, routeId, request) => {
      call ??= routeCaller(runtime);
      return call(caller, routeId, request);
    },
  };
  known.set(runtime, api);
  return api;
};
