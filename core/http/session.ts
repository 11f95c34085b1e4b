/**
 * The session: a signed cookie (koa-session) that keeps ids between the pages of one visit, on paths of device data only.
 * It is signed and not sealed: whoever holds the browser can read it, nobody can change it.
 */
import type { Session } from '../plugin.ts';
import type { HttpContext } from './request-state.ts';

const COOKIE = 'ekb_session';
/** A visit, with a walk to the doctor in between. */
export const HOURS_12 = 12 * 3_600_000;

/** `__Host-` and Secure exactly when the public address is https. */
export const nameFor = (baseUrl: string): string => (baseUrl.startsWith('https:') ? `__Host-${COOKIE}` : COOKIE);

/** Every cookie of the session, for the page that tells readers. */
export const sessionCookiesOf = (baseUrl: string) =>
  [nameFor(baseUrl), `${nameFor(baseUrl)}.sig`].map((name) => ({
    name,
    seconds: HOURS_12 / 1000,
    isSecure: baseUrl.startsWith('https:'),
  }));

/** For what has no session; to write to it is a mistake of the program. */
export const NO_SESSION: Session = {
  get: () => null,
  set: (name) => {
    throw new Error(`There is no session to keep ${name} in: the route or page does not know the device`);
  },
};

/** As koa-session has it: null takes the cookie back. */
interface HasSession {
  session: (Record<string, unknown> & { readonly length?: number }) | null | undefined;
}

export const sessionOf = (ctx: HttpContext): Session => {
  const holder = ctx as unknown as HasSession;
  if (holder.session === undefined) return NO_SESSION;
  return {
    get: (name) => {
      const value = holder.session?.[name];
      return typeof value === 'string' ? value : null;
    },
    set: (name, value) => {
      if (value !== null) {
        if (holder.session) holder.session[name] = value;
        else holder.session = { [name]: value };
      } else if (holder.session) {
        delete holder.session[name];
        if (!holder.session.length) holder.session = null;
      }
    },
  };
};
