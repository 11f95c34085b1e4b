import { strict as assert } from 'node:assert';
import { createHash } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import type { AppError } from '#core/errors.ts';
import { createPictures } from '#plugins/products/images/pictures.ts';
import { api, issueKey } from '../../../support/client.ts';
import { countOf, sql } from '../../../support/database.ts';
import { madeZip } from '../support.ts';
import { addProduct, type ImageService, jpeg, listed, madePng, photo, startImageService, upload } from './support.ts';

const ACCEPTED = ['image/jpeg', 'image/png', 'image/webp'];

describe('POST /api/label-image/{dsld_id}', () => {
  let service: ImageService;
  let product: number;
  before(async () => {
    service = await startImageService();
  });
  after(() => service.stop());
  let next = 900_000_000;
  beforeEach(async () => {
    next += 1;
    product = await addProduct(service, next);
    const key = await issueKey(service, service.admin);
    service = { ...service, key };
  });

  const refused = async (file: Buffer, status: number): Promise<{ body: Record<string, unknown>; msg: string }> => {
    const { body } = await upload(service, product, file).expect(status);
    assert.equal(await countOf(service, 'label_image where dsld_id = ?', [product]), 0);
    return { body, msg: status === 422 ? body.detail[0].msg : body.detail };
  };
  const bytesOf = (path: string) => api(service).get(path).expect(200).responseType('blob');

  it('returns the image, lists it, and serves it and its thumbnail', async () => {
    const fields = { kind: 'facts', source: 'manufacturer', attribution: 'The maker' };
    const { body } = await upload(service, product, await jpeg(900, 700), fields).expect(200);
    const { image_id: id, uploaded_at: at, sha256, bytes, ...rest } = body;
    assert.ok(Number.isInteger(id) && Math.abs(Date.parse(at) - Date.now()) < 60_000);
    assert.deepEqual(rest, {
      dsld_id: product,
      url: `/api/label-image/file/${sha256}.webp`,
      thumb_url: `/api/label-image/file/${sha256}-400.webp`,
      width: 900,
      height: 700,
      mime: 'image/webp',
      kind: 'facts',
      source: 'manufacturer',
      license: 'CC BY-SA 4.0',
      attribution: 'The maker',
      is_primary: false,
      upvotes: 0,
      downvotes: 0,
      score: 0,
      status: 'active',
      created: true,
    });
    const { created: _created, ...image } = body;
    assert.deepEqual(await listed(service, product), [image]);
    const file = (await bytesOf(body.url)).body as Buffer;
    assert.equal(createHash('sha256').update(file).digest('hex'), sha256);
    assert.equal(file.length, bytes);
    const thumb = await sharp((await bytesOf(body.thumb_url)).body as Buffer).metadata();
    assert.deepEqual([thumb.format, thumb.width, thumb.height], ['webp', 400, 311]);
  });

  it('serves files as immutable with a sandboxing CSP, and returns 304 for a matching ETag', async () => {
    const { body } = await upload(service, product, await jpeg()).expect(200);
    const { headers } = await bytesOf(body.url);
    assert.equal(headers['content-type'], 'image/webp');
    assert.equal(headers['cache-control'], 'public, max-age=31536000, immutable');
    assert.equal(headers['content-disposition'], 'inline');
    assert.equal(headers['x-content-type-options'], 'nosniff');
    assert.equal(headers['content-security-policy'], "default-src 'none'; sandbox");
    await api(service)
      .get(body.url)
      .set('If-None-Match', headers.etag as string)
      .expect(304);
    for (const name of ['x.webp', `${'0'.repeat(64)}.webp`, '..%2F..%2Fapp-secret', `${body.sha256}-400.png`]) {
      await api(service).get(`/api/label-image/file/${name}`).expect(404);
    }
  });

  it('writes the change log and the audit log with the image', async () => {
    const { body } = await upload(service, product, await jpeg(), { make_primary: true }).expect(200);
    assert.equal(body.is_primary, true);
    const changes = await sql(
      service,
      "select kind, subject_id from change_log where kind like 'label_image.%' order by id desc limit 2",
    );
    assert.deepEqual(changes, [
      { kind: 'label_image.primary_changed', subject_id: String(product) },
      { kind: 'label_image.created', subject_id: String(body.image_id) },
    ]);
    const audit = await sql(service, 'select what, who from label_image_audit where image_id = ? order by id', [
      body.image_id,
    ]);
    const who = `key:${service.key.id}`;
    assert.deepEqual(audit, [
      { what: 'created', who },
      { what: 'primary', who },
    ]);
  });

  it('returns the existing image for the same bytes, also when two uploads run concurrently', async () => {
    const file = await jpeg();
    const [one, two] = await Promise.all([upload(service, product, file), upload(service, product, file)]);
    assert.deepEqual([one.status, two.status], [200, 200]);
    assert.equal(one.body.image_id, two.body.image_id);
    assert.deepEqual([one.body.created, two.body.created].sort(), [false, true]);
    const again = await upload(service, product, file, { kind: 'back' }).expect(200);
    assert.deepEqual([again.body.image_id, again.body.kind, again.body.created], [one.body.image_id, 'other', false]);
    next += 1;
    const other = await upload(service, await addProduct(service, next), file).expect(200);
    assert.deepEqual([other.body.created, other.body.sha256], [true, one.body.sha256]);
  });

  it('requires a key, a stored product, a file, a licence and known field values', async () => {
    await api(service)
      .post(`/api/label-image/${product}`)
      .attach('file', await jpeg(), 'a.jpg')
      .expect(401);
    const missing = await upload(service, 999_999_999, await jpeg()).expect(404);
    assert.equal(missing.body.detail, "Product '999999999' not found");
    await api(service).get('/api/label-image/999999999').expect(404);
    await api(service).get('/api/label-image/abc').expect(422);
    const wrong = await upload(service, product, await jpeg(), { kind: 'side', license: '' }).expect(422);
    assert.deepEqual(wrong.body.detail.map(({ loc }: { loc: string[] }) => loc[1]).sort(), ['kind', 'license']);
    const blank = await upload(service, product, await jpeg(), { license: '  ' }).expect(422);
    assert.deepEqual(blank.body.detail[0].loc, ['body', 'license']);
    const none = await api(service)
      .post(`/api/label-image/${product}`)
      .set('Authorization', `Bearer ${service.key.key}`)
      .field('license', 'CC0')
      .expect(422);
    assert.deepEqual([none.body.detail[0].type, none.body.detail[0].loc], ['missing', ['body', 'file']]);
  });

  it('detects the type of a nine-megapixel photo from its bytes, not from its .png name', async () => {
    const file = await jpeg(3_464, 2_600);
    const { body } = await api(service)
      .post(`/api/label-image/${product}`)
      .set('Authorization', `Bearer ${service.key.key}`)
      .field('license', 'CC0')
      .attach('file', file, { filename: 'label.png', contentType: 'image/png' })
      .expect(200);
    assert.deepEqual([body.width, body.height, body.mime], [3_464, 2_600, 'image/webp']);
  });

  it('reports reduced capacity, not a damaged picture, when decoding takes too long', async () => {
    const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const;
    const file = await sharp({ create: { width: 4_000, height: 3_000, channels: 3, background: 'red', noise } })
      .jpeg()
      .toBuffer();
    await assert.rejects(createPictures(1).read(file), (error: AppError) => {
      assert.deepEqual([error.code, error.extras?.body?.retry_after], ['reduced_capacity', 30]);
      return true;
    });
  });

  it('strips EXIF with its GPS position, colour profile and XMP, and rotates the picture upright', async () => {
    const gps = { IFD0: { Make: 'SecretPhone' }, IFD3: { GPSLatitude: '52/1 31/1 0/1', GPSLatitudeRef: 'N' } };
    const file = await photo(800, 600)
      .withExif(gps)
      .withIccProfile('p3')
      .withMetadata({ orientation: 6 })
      .withExifMerge(gps)
      .jpeg()
      .toBuffer();
    assert.ok(file.includes('SecretPhone'));
    const { body } = await upload(service, product, file).expect(200);
    assert.deepEqual([body.width, body.height], [600, 800]);
    for (const path of [body.url, body.thumb_url]) {
      const served = (await bytesOf(path)).body as Buffer;
      const { exif, icc, xmp, iptc, orientation } = await sharp(served).metadata();
      assert.deepEqual([exif, icc, xmp, iptc, orientation], [undefined, undefined, undefined, undefined, undefined]);
      assert.ok(!served.includes('SecretPhone') && !served.includes('EXIF'));
    }
  });

  it('accepts PNG and WEBP with transparency, and a portrait of the minimum size', async () => {
    for (const file of [
      await photo(640, 160).ensureAlpha(0.5).png().toBuffer(),
      await photo(160, 640).ensureAlpha(0.5).webp().toBuffer(),
    ]) {
      await upload(service, product, file).expect(200);
    }
  });

  it('scales down a picture whose sides are too long for a browser', async () => {
    const { body } = await upload(service, product, await photo(20_000, 500).png().toBuffer()).expect(200);
    assert.deepEqual([body.width, body.height], [4_096, 102]);
  });

  it('returns 415 for any file that is not JPEG, PNG or WEBP, whatever its name', async () => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="800" height="600"><script>alert(1)</script></svg>';
    const html = '<!doctype html><html><script>alert(1)</script></html>';
    const heic = Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from('ftypheic0000mif1heic', 'latin1')]);
    const gif = await photo().gif().toBuffer();
    const script = Buffer.from('GIF89a/*\0\0\0*/=1;alert(1)//', 'latin1');
    const files = [svg, html, '%PDF-1.7\n', 'MZ', 'x', 'RIFF\0\0\0\0WAVE'].map((text) => Buffer.from(text));
    for (const file of [...files, heic, gif, script, await photo().tiff().toBuffer()]) {
      const { body } = await refused(file, 415);
      assert.deepEqual([body.code, body.accepted], ['unsupported_type', ACCEPTED]);
    }
  });

  it('returns 415 for a picture that is also an archive or a document', async () => {
    const archive = madeZip({ 'run.js': 'alert(1)' });
    const whole = await jpeg();
    const comment = Buffer.from('<script>alert(1)</script>');
    const head = Buffer.concat([Buffer.from([0xff, 0xfe, 0, comment.length + 2]), comment]);
    const pdf = Buffer.concat([Buffer.from([0xff, 0xfe, 0, 10]), Buffer.from('%PDF-1.4')]);
    for (const file of [
      Buffer.concat([whole, archive]),
      Buffer.concat([await photo().png().toBuffer(), archive]),
      Buffer.concat([whole.subarray(0, 2), head, whole.subarray(2)]),
      Buffer.concat([whole.subarray(0, 2), pdf, whole.subarray(2)]),
    ]) {
      await refused(file, 415);
    }
  });

  it('drops data that a phone appends after the picture', async () => {
    const file = Buffer.concat([await jpeg(), Buffer.from('SEFT a depth map and a short film')]);
    const { body } = await upload(service, product, file).expect(200);
    assert.ok(!((await bytesOf(body.url)).body as Buffer).includes('short film'));
  });

  it('returns 422 for a picture that is truncated, damaged, empty or animated', async () => {
    const whole = await jpeg(1_600, 1_200);
    assert.match((await refused(whole.subarray(0, whole.length / 2), 422)).msg, /damaged or cut off/);
    assert.match((await refused(whole.subarray(0, 20), 422)).msg, /damaged or cut off/);
    const png = await photo().png().toBuffer();
    assert.match((await refused(png.subarray(0, png.length - 3_000), 422)).msg, /damaged or cut off/);
    assert.match((await refused(Buffer.alloc(0), 422)).msg, /empty/);
    const frames = await sharp([await jpeg(), await jpeg()], { join: { animated: true } })
      .webp()
      .toBuffer();
    assert.match((await refused(frames, 422)).msg, /animated/);
    const acTL: [string, Buffer] = ['acTL', Buffer.from([0, 0, 0, 2, 0, 0, 0, 0])];
    assert.match((await refused(madePng(800, 600, Buffer.alloc(801 * 600), [acTL]), 422)).msg, /animated/);
  });

  it('returns 422 with the figures for a picture that is too small or has more than 40 megapixels', async () => {
    assert.match((await refused(await jpeg(639, 400), 422)).msg, /639 x 400 pixels; at least 640 x 160/);
    assert.match((await refused(await jpeg(900, 159), 422)).msg, /900 x 159 pixels/);
    const large = await sharp({ create: { width: 7_400, height: 5_541, channels: 3, background: 'red' } })
      .jpeg()
      .toBuffer();
    assert.match((await refused(large, 422)).msg, /41\.0 megapixels; at most 40/);
  });

  it('rejects a decompression bomb by its header, and stops one hidden behind a small header', async () => {
    const startedAt = performance.now();
    const zeros = Buffer.alloc(50_000_000);
    assert.match((await refused(madePng(60_000, 60_000, zeros), 422)).msg, /3600\.0 megapixels/);
    const text: [string, Buffer] = ['zTXt', Buffer.concat([Buffer.from('Comment\0\0', 'latin1'), deflateSync(zeros)])];
    const hidden = await upload(service, product, madePng(800, 600, zeros, [text]));
    assert.ok(hidden.status === 200 || hidden.status === 422);
    assert.ok(performance.now() - startedAt < 60_000);
  });

  it('returns 413 for 10 MiB plus one byte, and accepts a picture of exactly 10 MiB', async () => {
    const limit = 10_485_760;
    const file = await jpeg();
    const filled = Buffer.concat([file, Buffer.alloc(limit - file.length)]);
    const { body } = await refused(Buffer.concat([filled, Buffer.alloc(1)]), 413);
    assert.equal(body.max_bytes, limit);
    await upload(service, product, filled).expect(200);
  });

  it('is limited to 20 uploads a minute for each key', async () => {
    const small = Buffer.from('x');
    for (let n = 0; n < 20; n += 1) await upload(service, product, small).expect(415);
    const { body } = await upload(service, product, small).expect(429);
    assert.deepEqual([body.detail, body['violated-policies']], ['Quota exceeded (upload): 21/20', ['upload']]);
  });
});
