/** A minimal browser for tests, which stores cookies and posts forms as a page does. */
import { createHash } from 'node:crypto';
import supertest from 'supertest';
import type { TestService } from './service.ts';

export interface Device {
  /** The hash under which the service stores the device; valid only after the first cookie. */
  readonly hash: string;
  readonly setCookies: readonly string[];
  /** The cookies that a browser would send now. */
  readonly cookies: readonly { readonly name: string; readonly value: string }[];
  get(path: string): supertest.Test;
  post(path: string): supertest.Test;
  /** Posts form fields as a page without script does; expects a redirect by default. */
  postForm(path: string, fields: Readonly<Record<string, string>>, status?: number): Promise<supertest.Response>;
}

let devices = 0;

/** @param cookies The cookies of another device, to act as that device. */
export const deviceOf = (service: TestService, cookies: Device['cookies'] = []): Device => {
  const jar = new Map(cookies.map(({ name, value }) => [name, value]));
  const setCookies: string[] = [];
  devices += 1;
  // Each device has its own address, because throttles count per address.
  const address = `10.77.${Math.floor(devices / 250)}.${(devices % 250) + 1}`;
  const keep = (response: { headers: Record<string, unknown> }): void => {
    for (const line of [response.headers['set-cookie'] ?? []].flat() as string[]) {
      setCookies.push(line);
      const [pair = ''] = line.split(';');
      const at = pair.indexOf('=');
      if (/Max-Age=0|expires=Thu, 01 Jan 1970/i.test(line) || pair.slice(at + 1) === '') jar.delete(pair.slice(0, at));
      else jar.set(pair.slice(0, at), pair.slice(at + 1));
    }
  };
  const dressed = (request: supertest.Test): supertest.Test => {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    return request
      .set('X-Forwarded-For', address)
      .set('Cookie', cookie)
      .redirects(0)
      .on('response', keep as never);
  };
  return {
    get hash() {
      return createHash('sha256')
        .update(jar.get('ekb_device') ?? '')
        .digest('hex');
    },
    setCookies,
    get cookies() {
      return [...jar].map(([name, value]) => ({ name, value }));
    },
    get: (path) => dressed(supertest(service.url).get(path)),
    post: (path) => dressed(supertest(service.url).post(path)),
    postForm: async (path, fields, status = 303) =>
      dressed(supertest(service.url).post(path))
        .type('form')
        .send(new URLSearchParams(fields).toString())
        .expect(status),
  };
};
