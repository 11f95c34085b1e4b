/** Identifies devices by a random cookie, of which only the hash is stored, and refuses cross-site writes. */
import { createHash, randomBytes } from 'node:crypto';
import { coreErrors } from '../errors.ts';
import type { HttpContext } from './request-state.ts';

const YEAR_SECONDS = 31_536_000;
const COOKIE = 'ekb_device';
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex');

/** Returns whether a Cookie header contains a device, unlike a device that was created for this request. */
export const carriesDevice = (cookieHeader: string | undefined): boolean =>
  /(?:^|;\s*)(?:__Host-)?ekb_device=[A-Za-z0-9_-]{43}(?:;|$)/.test(cookieHeader ?? '');

/** Returns the cookie name; it has the prefix `__Host-` exactly when the public address is https. */
const nameFor = (baseUrl: string): string => (baseUrl.startsWith('https:') ? `__Host-${COOKIE}` : COOKIE);

/** Lists every device cookie that this module can set, for the page that informs readers. No other code sets one. */
export const cookiesOf = (baseUrl: string) => [
  { name: nameFor(baseUrl), seconds: YEAR_SECONDS, isSecure: baseUrl.startsWith('https:') },
];

/** Returns the hash of the device cookie; null when the request has no valid one. */
export const deviceOf = (ctx: HttpContext, baseUrl: string): string | null => {
  const token = ctx.cookies.get(nameFor(baseUrl));
  return token && TOKEN.test(token) ? hashOf(token) : null;
};

const sendCookie = (
  ctx: HttpContext,
  baseUrl: string,
  { token, seconds }: { token: string; seconds: number },
): void => {
  const secure = baseUrl.startsWith('https:') ? '; Secure' : '';
  ctx.append('Set-Cookie', `${nameFor(baseUrl)}=${token}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`);
};

/**
 * Returns the device of this request, or creates one: 256 random bits, valid for a year. The cookie of a new device is sent
 * only when `keep` is called, so that a rejected request creates none.
 */
export const ensureDevice = (
  ctx: HttpContext,
  baseUrl: string,
): { readonly device: string; readonly keep: () => void } => {
  const known = deviceOf(ctx, baseUrl);
  if (known) return { device: known, keep: () => undefined };
  const token = randomBytes(32).toString('base64url');
  return { device: hashOf(token), keep: () => sendCookie(ctx, baseUrl, { token, seconds: YEAR_SECONDS }) };
};

/** Returns the device and renews its cookie for a year, so that the cookie does not expire before the stored data. */
export const visitingDevice = (ctx: HttpContext, baseUrl: string): string | null => {
  const token = ctx.cookies.get(nameFor(baseUrl));
  if (!token || !TOKEN.test(token)) return null;
  sendCookie(ctx, baseUrl, { token, seconds: YEAR_SECONDS });
  return hashOf(token);
};

/** Makes the browser delete the device cookie. */
export const forgetDevice = (ctx: HttpContext, baseUrl: string): void =>
  sendCookie(ctx, baseUrl, { token: '', seconds: 0 });

/** Returns the origin of a URL. The loopback names are equivalent: readers may type `localhost` instead of `127.0.0.1`. */
const originOf = (url: string): string => {
  if (!URL.canParse(url)) return url;
  const { protocol, hostname, port, origin } = new URL(url);
  return /^(localhost|127\.0\.0\.1|\[::1\])$/.test(hostname) ? `${protocol}//localhost:${port}` : origin;
};

/**
 * Refuses a write that a browser sent from another site. A request without both headers does not come from a browser and
 * is accepted.
 * @throws AppError 403 cross_site_request
 */
export const refuseCrossSite = (ctx: HttpContext, baseUrl: string): void => {
  const site = ctx.get('Sec-Fetch-Site');
  const origin = ctx.get('Origin');
  const foreign = site !== '' && site !== 'same-origin' && site !== 'none';
  if (foreign || (origin !== '' && originOf(origin) !== originOf(baseUrl))) throw coreErrors.cross_site_request();
};
