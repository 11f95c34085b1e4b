/** Provides the API description and in-process route calls, for pages that explain the API. */
import type { OpenAPIV3_1 } from 'openapi-types';
import { coreErrors } from '../errors.ts';
import type { Api, Route } from '../plugin.ts';
import type { Runtime } from '../runtime.ts';
import { mayCall } from './access.ts';
import { routedPlugins } from './core-routes.ts';
import type { Principal } from './gatekeeper.ts';
import { routeRunner } from './inner-calls.ts';
import { describeApi } from './openapi.ts';

const DEADLINE_MS = 30_000;
const HOUSE: Principal = { kind: 'anonymous', address: '' };

/** Returns a function that calls routes as a caller whose key was checked, or without a caller as the system itself. */
const routeCaller = (runtime: Runtime): Api['call'] => {
  const run = routeRunner(runtime);
  return (caller, routeId, request) => {
    const state = { requestId: 'system', signal: AbortSignal.timeout(DEADLINE_MS) };
    const admit = (route: Route): void => {
      if (caller) mayCall(route, caller);
    };
    return run({ principal: caller ?? HOUSE, state, admit }, routeId, request);
  };
};

const known = new WeakMap<Runtime, Api>();

/** Returns the API of a runtime, created once; the description is built on first use. */
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
