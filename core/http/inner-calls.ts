/** Calls routes from within handlers, on behalf of their caller. */
import type { CallRoute, InnerRequest, Reply, Route } from '../plugin.ts';
import type { Runtime } from '../runtime.ts';
import { mayCall } from './access.ts';
import { quotaAddress } from './client-address.ts';
import { routedPlugins } from './core-routes.ts';
import type { Principal } from './gatekeeper.ts';
import { contextFor, type HttpContext, type RequestState } from './request-state.ts';
import { NO_SESSION } from './session.ts';
import type { Throttle } from './throttle.ts';
import { requestChecker } from './validate.ts';

/** Returns the subject whose throttled calls are counted together. */
export const throttledAs = (address: string, principal: Principal): string =>
  principal.kind === 'key' ? principal.holderId : quotaAddress(address);

/** Converts values to texts as in an address; undefined and null values are omitted. */
const texts = (values: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(values)
      .filter(([, value]) => value !== undefined && value !== null)
      .map(([name, value]) => [name, String(value)]),
  );

/** The caller, the request, and the check that every called route must pass. */
interface Calling {
  readonly principal: Principal;
  readonly state: Pick<RequestState, 'requestId' | 'signal'>;
  admit(route: Route): Promise<void> | void;
}

/** Returns a function that runs a route; the caller's device and session are not passed on. */
export const routeRunner = (runtime: Runtime) => {
  const byId = new Map(
    routedPlugins(runtime).flatMap((plugin) =>
      (plugin.routes ?? []).map((route: Route) => [route.id, { plugin, route }] as const),
    ),
  );
  const checks = new Map<string, ReturnType<typeof requestChecker>>();
  const checkOf = ({ id, request, isPrivate }: Route) => {
    const check = checks.get(id) ?? requestChecker(request, isPrivate === true);
    checks.set(id, check);
    return check;
  };
  return async function run(calling: Calling, routeId: string, request: InnerRequest): Promise<Reply> {
    const found = byId.get(routeId);
    if (!found) throw new Error(`No route has the id ${routeId}`);
    const { plugin, route } = found;
    await calling.admit(route);
    const { params = {}, query = {}, body } = request;
    // The body is copied because validation inserts default values.
    const checked = checkOf(route)({ params: texts(params), query: texts(query), body: structuredClone(body) });
    const { principal, state } = calling;
    const context = contextFor(runtime, plugin, state, { principal, device: null, session: NO_SESSION });
    const call: CallRoute = (id, inner) => run(calling, id, inner);
    return route.handle(context, { ...checked, files: [], stream: null, headers: {}, call } as never);
  };
};

/** Returns the calls for handlers, which count against the throttles of the called routes. */
export const innerCalls = (runtime: Runtime, throttle: Throttle) => {
  const run = routeRunner(runtime);
  return ({ state }: HttpContext, principal: Principal): CallRoute => {
    const admit = async (route: Route): Promise<void> => {
      mayCall(route, principal);
      if (route.throttle) await throttle(route.throttle, throttledAs(state.address, principal));
    };
    return (routeId, request) => run({ principal, state, admit }, routeId, request);
  };
};
