/**
 * Helpers for the label image tests: products with reserved ids, generated pictures, and callers with distinct
 * addresses.
 */
import { randomBytes } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { api, bearer, bootstrapAdmin, type IssuedKey, issueKey } from '../../../support/client.ts';
import { sql } from '../../../support/database.ts';
import { startService, type TestService } from '../../../support/service.ts';

export interface ImageService extends TestService {
  readonly admin: IssuedKey;
  readonly key: IssuedKey;
}

/** Starts a service that trusts this machine as a proxy, so that each caller can have its own address. */
export const startImageService = async (settings: Readonly<Record<string, string>> = {}): Promise<ImageService> => {
  const service = await startService({
    settings: { TRUSTED_PROXIES: '127.0.0.1', STARTER_PRODUCTS: 'none', STARTER_EVIDENCE: 'none', ...settings },
  });
  const admin = await bootstrapAdmin(service);
  return { ...service, admin, key: await issueKey(service, admin) };
};

/** Adds a product whose id is far from the ids of real labels. */
export const addProduct = async (service: TestService, dsldId: number, onMarket: boolean | null = true) => {
  await sql(service, `insert into product select p.* from jsonb_populate_record(null::product, ?::jsonb) p`, [
    JSON.stringify(productRow(dsldId, onMarket)),
  ]);
  return dsldId;
};

const productRow = (dsldId: number, onMarket: boolean | null) => {
  const texts = `name brand brand_slug upc upc_printed form form_code product_type type_code serving_size
    servings_per_container net_contents label_version digest`.split(/\s+/);
  const lists = `target_groups claims contacts other_ingredients statements ingredients label_relations supplements
    origins`.split(/\s+/);
  return {
    ...Object.fromEntries(texts.map((name) => [name, ''])),
    ...Object.fromEntries(lists.map((name) => [name, []])),
    dsld_id: dsldId,
    on_market: onMarket,
    ingredients_extent: 'none',
    matched_with: '',
    change_number: 0,
    updated_at: new Date().toISOString(),
  };
};

/** Creates a picture with detail that differs on every call. */
export const photo = (width = 800, height = 600) =>
  sharp(randomBytes(12 * 9 * 3), { raw: { width: 12, height: 9, channels: 3 } }).resize(width, height, { fit: 'fill' });

export const jpeg = (width?: number, height?: number): Promise<Buffer> => photo(width, height).jpeg().toBuffer();

const chunk = (name: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
};

/** Creates a grey PNG whose header states the given size and whose pixel stream is the given buffer. */
export const madePng = (width: number, height: number, pixels: Buffer, more: readonly [string, Buffer][] = []) => {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 0, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    ...more.map(([name, data]) => chunk(name, data)),
    chunk('IDAT', deflateSync(pixels)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
};

export const upload = (service: ImageService, dsldId: number | string, file: Buffer, fields: object = {}) => {
  const request = api(service)
    .post(`/api/label-image/${dsldId}`)
    .set(...bearer(service.key.key));
  const all = { license: 'CC BY-SA 4.0', ...fields };
  for (const [name, value] of Object.entries(all)) request.field(name, String(value));
  return request.attach('file', file, 'label.jpg');
};

let addresses = 0;
/** Returns an address in a network that no other caller uses. */
export const newAddress = (): string => {
  addresses += 1;
  return `203.${addresses >> 8}.${addresses & 255}.7`;
};

export const post = (service: TestService, path: string, address: string, cookie = '') => {
  const request = api(service).post(path).set('X-Forwarded-For', address);
  return cookie ? request.set('Cookie', cookie) : request;
};

export const newCookie = (): string => `ekb_device=${randomBytes(32).toString('base64url')}`;

export const adminPost = (service: ImageService, path: string) =>
  api(service)
    .post(path)
    .set(...bearer(service.admin.key));

/** Returns the images of a product that the public can see. */
export const listed = async (service: TestService, dsldId: number) =>
  (await api(service).get(`/api/label-image/${dsldId}`).expect(200)).body;
