/** A resumable upload client (tus) that lets a test control every byte. */
import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Device } from '../../support/device.ts';
import { type RawReply, rawRequest } from '../../support/raw-http.ts';

export const PARTS = '/wearables/phone-health/parts';
export const TUS = { 'Tus-Resumable': '1.0.0' };
const BYTES = { ...TUS, 'Content-Type': 'application/offset+octet-stream' };

type Headers = Readonly<Record<string, string>>;

export const metadataOf = (fields: Headers): string =>
  Object.entries(fields)
    .map(([name, value]) => `${name} ${Buffer.from(value).toString('base64')}`)
    .join(',');

export const uploader = (url: string, device: Pick<Device, 'cookies'>) => {
  const cookie = (): Headers => ({
    Cookie: device.cookies.map(({ name, value }) => `${name}=${value}`).join('; '),
  });
  const send = (method: string, path: string, headers: Headers, body?: Buffer): Promise<RawReply> =>
    rawRequest(`${url}${path}`, { method, headers: { ...cookie(), ...headers }, ...(body && { body }) });
  return {
    send,
    head: (path: string) => send('HEAD', path, TUS),
    remove: (path: string, headers: Headers = {}) => send('DELETE', path, { ...TUS, ...headers }),
    patch: (path: string, from: number, body: Buffer, headers: Headers = {}) =>
      send('PATCH', path, { ...BYTES, 'Upload-Offset': String(from), ...headers }, body),
    /**
     * Announces `bytes` and sends `body` as the first of them; returns the connection once the server has had
     * time to read it.
     */
    begin: async (
      path: string,
      { from, bytes, body }: { readonly from: number; readonly bytes: number; readonly body: Buffer },
    ): Promise<Socket> => {
      const { hostname, port } = new URL(url);
      const socket = connect(Number(port), hostname).on('error', () => undefined);
      const fields = {
        Host: 'x',
        ...cookie(),
        ...BYTES,
        'Upload-Offset': String(from),
        'Content-Length': String(bytes),
      };
      const head = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
      socket.write(`PATCH ${path} HTTP/1.1\r\n${head.join('')}\r\n`);
      await new Promise((resolve) => socket.write(body, resolve));
      await sleep(200);
      return socket;
    },
  };
};

export type Uploader = ReturnType<typeof uploader>;

/** Creates an upload as the page's script does; returns the address for its parts. */
export const create = async (device: Device, bytes: number, name = 'export.zip'): Promise<string> => {
  const answer = await device
    .post(PARTS)
    .set({ ...TUS, 'Upload-Length': String(bytes), 'Upload-Metadata': metadataOf({ filename: name, consent: 'true' }) })
    .expect(201);
  assert.match(String(answer.headers.location), /^\/wearables\/phone-health\/parts\/[0-9a-f]{32}$/);
  return String(answer.headers.location);
};

export const bodyOf = ({ body }: RawReply): Readonly<Record<string, unknown>> => JSON.parse(body.toString());

export const offsetOf = ({ headers }: RawReply): number => Number(headers['upload-offset']);
