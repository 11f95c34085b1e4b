/** A device is a random cookie, kept here as a hash only; and public writes come from pages of this service. */
import { createHash, randomBytes } from 'node:crypto';
import { coreErrors } from '../errors.ts';
import type { HttpContext } from './request-state.ts';

const YEAR_SECONDS = 31_536_000;
const COOKIE = 'ekb_device';
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex');

/** Whether a Cookie header brings a device along: one that was made for this request has not come before. */
export const carriesDevice = (cookieHeader: string | undefined): boolean =>
  /(?:^|;\s*)(?:__Host-)?ekb_device=[A-Za-z0-9_-]{43}(?:;|$)/.test(cookieHeader ?? '');

/** `__Host-` and Secure exactly when the public address is https. */
const nameFor = (baseUrl: string): string => (baseUrl.startsWith('https:') ? `__Host-${COOKIE}` : COOKIE);

/** Every cookie that this service can set, for the page that tells readers; `Set-Cookie` is sent below and nowhere else. */
export const cookiesOf = (baseUrl: string) => [
  { name: nameFor(baseUrl), seconds: YEAR_SECONDS, isSecure: baseUrl.startsWith('https:') },
];

/** The hash of the device's cookie; null when the request has none that could be ours. */
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
 * The device of this request, made when it has none: 256 random bits, for a year. The browser is told of a new one by
 * `keep` only: nobody gets one for what was refused.
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

/** The device of a visit to its own pages: its year begins anew, or it would end while its data are still kept. */
export const visitingDevice = (ctx: HttpContext, baseUrl: string): string | null => {
  const token = ctx.cookies.get(nameFor(baseUrl));
  if (!token || !TOKEN.test(token)) return null;
  sendCookie(ctx, baseUrl, { token, seconds: YEAR_SECONDS });
  return hashOf(token);
};

/** Makes the browser forget the device. */
export const forgetDevice = (ctx: HttpContext, baseUrl: string): void =>
  sendCookie(ctx, baseUrl, { token: '', seconds: 0 });

/** The names of this machine for itself are one: who reads `http://127.0.0.1:3000` in the terminal may type `localhost`. */
const originOf = (url: string): string => {
  if (!URL.canParse(url)) return url;
  const { protocol, hostname, port, origin } = new URL(url);
  return /^(localhost|127\.0\.0\.1|\[::1\])$/.test(hostname) ? `${protocol}//localhost:${port}` : origin;
};

/**
 * Refuses a write that a browser sent from another site. A request without both headers is no browser's and passes.
 * @throws AppError 403 cross_site_request
 */
export const refuseCrossSite = (ctx: HttpContext, baseUrl: string): void => {
  const site = ctx.get('Sec-Fetch-Site');
  const origin = ctx.get('Origin');
  const foreign = site !== '' && site !== 'same-origin' && site !== 'none';
  if (foreign || (origin !== '' && originOf(origin) !== originOf(baseUrl))) throw coreErrors.cross_site_request();
};
