import { strict as assert } from 'node:assert';
import { api, bearer, issueKey } from '../../../support/client.ts';
import { sql } from '../../../support/database.ts';
import {
  addProduct,
  adminPost,
  type ImageService,
  jpeg,
  listed,
  newAddress,
  newCookie,
  post,
  startImageService,
  upload,
} from './support.ts';

describe('moderation of label images', () => {
  let service: ImageService;
  let product = 920_000_000;
  let image: number;
  let url: string;
  before(async () => {
    service = await startImageService();
  });
  after(() => service.stop());
  beforeEach(async () => {
    product += 1;
    await addProduct(service, product);
    const { body } = await upload(service, product, await jpeg(640, 200), { make_primary: true }).expect(200);
    image = body.image_id;
    url = body.url;
  });

  const report = (address: string, cookie = '') =>
    post(service, `/api/label-image/${image}/report`, address, cookie).send({ reason: 'shows another product' });
  const hide = async () => {
    for (let n = 0; n < 3; n += 1) await report(newAddress()).expect(200);
  };
  const setStatus = (status: string) => adminPost(service, `/api/label-image/${image}/status`).send({ status });
  const revert = (imageId = image, query = '') => adminPost(service, `/api/label-image/${imageId}/revert${query}`);
  const another = async (fields: object = {}): Promise<number> =>
    (await upload(service, product, await jpeg(640, 200), fields).expect(200)).body.image_id;

  it('hides an image and its files at the third report from different people', async () => {
    const first = await report(newAddress()).expect(200);
    assert.deepEqual(first.body, { image_id: image, received: true, status: 'active' });
    await report(newAddress()).expect(200);
    assert.equal((await report(newAddress()).expect(200)).body.status, 'hidden');
    assert.deepEqual(await listed(service, product), []);
    await api(service).get(url).expect(404);
    await report(newAddress()).expect(404);
    await post(service, `/api/label-image/${image}/vote?direction=up`, newAddress()).expect(404);
    await post(service, `/api/label-image/${product}/set-primary/${image}`, newAddress()).expect(404);
  });

  it('counts reports from one provider range once, so that nobody can hide an image alone', async () => {
    for (let n = 0; n < 6; n += 1) await report(`2001:db8:${n}::1`, newCookie()).expect(200);
    for (let n = 1; n < 7; n += 1) await report(`198.51.100.${n}`, newCookie()).expect(200);
    const [row] = await sql(service, 'select reports, status from label_image where image_id = ?', [image]);
    assert.deepEqual(row, { reports: 2, status: 'active' });
    assert.equal((await report(newAddress()).expect(200)).body.status, 'hidden');
  });

  it('counts one report per address and per device', async () => {
    const address = newAddress();
    for (let n = 0; n < 4; n += 1) await report(address, newCookie()).expect(200);
    const cookie = newCookie();
    for (let n = 0; n < 4; n += 1) await report(newAddress(), cookie).expect(200);
    const [row] = await sql(service, 'select reports, status from label_image where image_id = ?', [image]);
    assert.deepEqual(row, { reports: 2, status: 'active' });
  });

  it('rejects a report without a reason or from another site', async () => {
    await post(service, `/api/label-image/${image}/report`, newAddress()).send({}).expect(422);
    await post(service, `/api/label-image/${image}/report`, newAddress()).send({ reason: ' ' }).expect(422);
    await report(newAddress()).set('Sec-Fetch-Site', 'cross-site').expect(403);
  });

  it('does not hide an image again for the same reporters after an administrator restored it', async () => {
    const people = [newAddress(), newAddress(), newAddress()];
    for (const address of people) await report(address).expect(200);
    assert.equal((await setStatus('active').expect(200)).body.status, 'active');
    for (const address of people) assert.equal((await report(address).expect(200)).body.status, 'active');
    await hide();
    assert.deepEqual(await listed(service, product), []);
  });

  it('returns 401 and 403 for status and revert to callers who are not administrators', async () => {
    for (const action of ['status', 'revert']) {
      const path = `/api/label-image/${image}/${action}`;
      await api(service).post(path).send({ status: 'hidden' }).expect(401);
      await api(service)
        .post(path)
        .set(...bearer(service.key.key))
        .send({ status: 'hidden' })
        .expect(403);
    }
    await setStatus('gone').expect(422);
    await revert(999_999).expect(404);
  });

  it('reverts a hidden status: the image is listed and primary again', async () => {
    await hide();
    const { body } = await revert().expect(200);
    assert.equal(body.undone.what, 'status');
    assert.match(body.undone.who, /^voter:[0-9a-f]{64}$/);
    assert.deepEqual([body.image.status, body.image.is_primary], ['active', true]);
    await api(service).get(url).expect(200);
  });

  it('does not make a restored image primary when another image became primary in the meantime', async () => {
    await setStatus('hidden').expect(200);
    const other = await another({ make_primary: true });
    const { body } = await revert().expect(200);
    assert.deepEqual([body.image.status, body.image.is_primary], ['active', false]);
    const [first] = await listed(service, product);
    assert.deepEqual([first.image_id, first.is_primary], [other, true]);
  });

  it('reverts a choice of primary image: the previous image is primary again', async () => {
    const other = await another();
    await post(service, `/api/label-image/${product}/set-primary/${other}`, newAddress()).expect(200);
    const { body } = await revert(other).expect(200);
    assert.deepEqual([body.undone.what, body.image.is_primary], ['primary', false]);
    const [first] = await listed(service, product);
    assert.deepEqual([first.image_id, first.is_primary], [image, true]);
  });

  it('refuses to revert a choice that a later choice replaced', async () => {
    const other = await another();
    await post(service, `/api/label-image/${product}/set-primary/${other}`, newAddress()).expect(200);
    const { body } = await revert(image).expect(422);
    assert.match(body.detail[0].msg, new RegExp(`image ${other} is primary since`));
  });

  it('reverts changes one at a time, newest first, until none is left', async () => {
    const cookie = newCookie();
    const vote = (direction: string) =>
      post(service, `/api/label-image/${image}/vote?direction=${direction}`, newAddress(), cookie).expect(200);
    await vote('up');
    await vote('down');
    const counts = ({ upvotes, downvotes }: { upvotes: number; downvotes: number }) => [upvotes, downvotes];
    assert.deepEqual(counts((await revert().expect(200)).body.image), [1, 0]);
    assert.deepEqual(counts((await revert().expect(200)).body.image), [0, 0]);
    const { body } = await revert().expect(200);
    assert.deepEqual([body.undone.what, body.image.is_primary], ['primary', false]);
    assert.match((await revert().expect(422)).body.detail[0].msg, /No change of this image is left/);
  });

  it('reverts the last change of a given kind even when newer changes of another kind exist', async () => {
    await post(service, `/api/label-image/${image}/vote?direction=up`, newAddress()).expect(200);
    const { body } = await revert(image, '?what=primary').expect(200);
    assert.deepEqual([body.undone.what, body.image.is_primary, body.image.upvotes], ['primary', false, 1]);
  });

  it('appends to the audit log what was reverted and by whom, and changes no existing row', async () => {
    await setStatus('hidden').expect(200);
    const before = await sql(service, 'select * from label_image_audit where image_id = ? order by id', [image]);
    await revert().expect(200);
    const after = await sql(service, 'select * from label_image_audit where image_id = ? order by id', [image]);
    assert.deepEqual(after.slice(0, before.length), before);
    const { what, who, undoes } = after.at(-1) ?? {};
    assert.deepEqual([what, who, Number(undoes)], ['revert', `key:${service.admin.id}`, Number(before.at(-1)?.id)]);
  });
});

describe('label images uploaded with untrusted keys', () => {
  let service: ImageService;
  let product = 930_000_000;
  before(async () => {
    service = await startImageService();
  });
  after(() => service.stop());
  beforeEach(async () => {
    product += 1;
    await addProduct(service, product);
  });

  const sandboxKey = async (): Promise<string> => {
    const body = { app_name: 'pictures', accept_terms: true };
    const reply = await api(service).post('/developers/sandbox').set('X-Forwarded-For', newAddress()).send(body);
    return reply.body.key;
  };
  const pending = async () =>
    (
      await api(service)
        .get('/api/label-image/pending')
        .set(...bearer(service.admin.key))
        .expect(200)
    ).body as { image_id: number }[];

  it('are pending for sandbox keys, and only administrators can see them', async () => {
    const sandbox = { ...service, key: { id: '', key: await sandboxKey() } };
    const { body } = await upload(sandbox, product, await jpeg(640, 200), { make_primary: true }).expect(200);
    assert.deepEqual([body.status, body.is_primary], ['pending', false]);
    assert.deepEqual(await listed(service, product), []);
    await api(service).get(body.url).expect(404);
    await post(service, `/api/label-image/${body.image_id}/vote?direction=up`, newAddress()).expect(404);
    await post(service, `/api/label-image/${product}/set-primary/${body.image_id}`, newAddress()).expect(404);
    assert.deepEqual(
      (await pending()).map(({ image_id: id }) => id),
      [body.image_id],
    );
    const picture = api(service).get(`/api/label-image/${body.image_id}/picture`);
    assert.equal((await picture.set(...bearer(service.admin.key)).expect(200)).get('Content-Type'), 'image/webp');
    for (const path of ['pending', `${body.image_id}/picture`]) {
      await api(service)
        .get(`/api/label-image/${path}`)
        .set(...bearer(sandbox.key.key))
        .expect(403);
    }
    await adminPost(service, `/api/label-image/${body.image_id}/status`).send({ status: 'active' }).expect(200);
    assert.equal((await listed(service, product)).length, 1);
    await api(service).get(body.url).expect(200);
    assert.deepEqual(await pending(), []);
  });

  it('are hidden and not primary when uploaded after the time from which their key was deactivated', async () => {
    const key = await issueKey(service, service.admin);
    const own = { ...service, key };
    const early = (await upload(own, product, await jpeg(640, 200)).expect(200)).body.image_id;
    const late = (await upload(own, product, await jpeg(640, 200), { make_primary: true }).expect(200)).body.image_id;
    await sql(service, "update label_image set uploaded_at = now() - interval '2 days' where image_id = ?", [early]);
    const since = new Date(Date.now() - 86_400_000).toISOString();
    const { body } = await adminPost(service, `/api/keys/${key.id}/deactivate`).send({ since }).expect(200);
    assert.deepEqual(body.ended.label_images, [String(late)]);
    assert.deepEqual(
      (await listed(service, product)).map(({ image_id: id }: { image_id: number }) => id),
      [early],
    );
  });
});
