/**
 * Accesses the session: a signed cookie (koa-session) that stores ids between the pages of one visit, only on paths with
 * device data. It is signed and not encrypted: whoever has the browser can read it, and nobody can change it.
 */
import type { Session } from '../plugin.ts';
import type { HttpContext } from './request-state.ts';

const COOKIE = 'ekb_session';
/** Lifetime of a session in milliseconds: a visit, with an appointment at the doctor in between. */
export const HOURS_12 = 12 * 3_600_000;

/** Returns the cookie name; it has the prefix `__Host-` exactly when the public address is https. */
export const nameFor = (baseUrl: string): string => (baseUrl.startsWith('https:') ? `__Host-${COOKIE}` : COOKIE);

/** Lists the session cookies, for the page that informs readers. */
export const sessionCookiesOf = (baseUrl: string) =>
  [nameFor(baseUrl), `${nameFor(baseUrl)}.sig`].map((name) => ({
    name,
    seconds: HOURS_12 / 1000,
    isSecure: baseUrl.startsWith('https:'),
  }));

/** The session of requests that have none; writing to it is a programming error. */
export const NO_SESSION: Session = {
  get: () => null,
  set: (name) => {
    throw new Error(`There is no session to keep ${name} in: the route or page does not know the device`);
  },
};

/** The property that koa-session defines; setting it to null deletes the cookie. */
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
