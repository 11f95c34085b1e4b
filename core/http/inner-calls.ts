/** Routes that are called from within another one, as its caller. */
import type { CallRoute, Route } from '../plugin.ts';
import type { Runtime } from '../runtime.ts';
import { mayCall } from './access.ts';
import { quotaAddress } from './client-address.ts';
import { routedPlugins } from './core-routes.ts';
import type { Principal } from './gatekeeper.ts';
import { contextFor, type HttpContext } from './request-state.ts';
import { NO_SESSION } from './session.ts';
import type { Throttle } from './throttle.ts';
import { createAjv, requestChecker } from './validate.ts';

/** Whose throttled calls count together. */
export const throttledAs = (address: string, principal: Principal): string =>
  principal.kind === 'key' ? principal.holderId : quotaAddress(address);

/** As an address would have them; what is undefined or null was not given. */
export const texts = (values: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(values)
      .filter(([, value]) => value !== undefined && value !== null)
      .map(([name, value]) => [name, String(value)]),
  );

/** Neither device nor session of the caller is passed on. */
export const innerCalls = (runtime: Runtime, throttle: Throttle) => {
  const ajv = createAjv();
  const byId = new Map(
    routedPlugins(runtime).flatMap((plugin) =>
      (plugin.routes ?? []).map((route: Route) => [route.id, { plugin, route }] as const),
    ),
  );
  const checks = new Map<string, ReturnType<typeof requestChecker>>();
  return (ctx: HttpContext, principal: Principal): CallRoute =>
    async function call(routeId, { params = {}, query = {}, body }) {
      const found = byId.get(routeId);
      if (!found) throw new Error(`No route has the id ${routeId}`);
      const { plugin, route } = found;
      mayCall(route, principal);
      if (route.throttle) await throttle(route.throttle, throttledAs(ctx.state.address, principal));
      const check = checks.get(routeId) ?? requestChecker(ajv, route.request, route.isPrivate === true);
      checks.set(routeId, check);
      const checked = check({ params: texts(params), query: texts(query), body });
      const context = contextFor(runtime, plugin, ctx.state, { principal, device: null, session: NO_SESSION });
      return route.handle(context, { ...checked, files: [], stream: null, headers: {}, call } as never);
    };
};
