import { strict as assert } from 'node:assert';
import { runJob } from '#core/jobs/scheduler.ts';
import type { Job } from '#core/plugin.ts';
import { forgetVotersJob } from '#plugins/products/images/forget.ts';
import { productsPlugin } from '#plugins/products/index.ts';
import { issueKey } from '../../../support/client.ts';
import { countOf, sql } from '../../../support/database.ts';
import {
  addProduct,
  adminPost,
  type ImageService,
  jpeg,
  listed,
  newAddress,
  newCookie,
  photo,
  post,
  startImageService,
  upload,
} from './support.ts';

describe('voting on label images and choosing the primary image', () => {
  let service: ImageService;
  let product = 910_000_000;
  before(async () => {
    service = await startImageService();
  });
  after(() => service.stop());
  beforeEach(async () => {
    product += 1;
    await addProduct(service, product);
    // Each test needs its own key, because one key may upload only twenty pictures a minute.
    service = { ...service, key: await issueKey(service, service.admin) };
  });

  const newImage = async (dsldId = product): Promise<number> =>
    (await upload(service, dsldId, await jpeg(640, 200)).expect(200)).body.image_id;
  const vote = (imageId: number, direction: string, address = newAddress(), cookie = '') =>
    post(service, `/api/label-image/${imageId}/vote?direction=${direction}`, address, cookie);
  const choose = (imageId: number, dsldId = product, address = newAddress()) =>
    post(service, `/api/label-image/${dsldId}/set-primary/${imageId}`, address);

  it('counts one vote for each device, and a second vote replaces the first', async () => {
    const image = await newImage();
    const [address, cookie] = [newAddress(), newCookie()];
    const first = await vote(image, 'up', address, cookie).expect(200);
    assert.deepEqual(first.body, { image_id: image, upvotes: 1, downvotes: 0, score: 1, your_vote: 'up' });
    await vote(image, 'up', address, cookie).expect(200);
    // The cookie identifies the device at every address.
    const second = await vote(image, 'down', newAddress(), cookie).expect(200);
    assert.deepEqual(second.body, { image_id: image, upvotes: 0, downvotes: 1, score: -1, your_vote: 'down' });
    const audit = await sql(
      service,
      "select before->>'direction' as before, after->>'direction' as after from label_image_audit where image_id = ? and what = 'vote' order by id",
      [image],
    );
    assert.deepEqual(audit, [
      { before: null, after: 'up' },
      { before: 'up', after: 'down' },
    ]);
  });

  it('sets a device cookie with the first vote, and recognises the next vote by it', async () => {
    const image = await newImage();
    const address = newAddress();
    const first = await vote(image, 'up', address).expect(200);
    const [cookie = ''] = first.headers['set-cookie'] as unknown as string[];
    assert.match(cookie, /^ekb_device=/);
    const second = await vote(image, 'down', newAddress(), cookie.split(';')[0]).expect(200);
    assert.deepEqual([second.body.upvotes, second.body.downvotes], [0, 1]);
  });

  it('identifies a caller without cookies by the address, and an IPv6 caller by its /48', async () => {
    const image = await newImage();
    const address = newAddress();
    await vote(image, 'up', address).expect(200);
    const again = await vote(image, 'down', address).expect(200);
    assert.deepEqual([again.body.upvotes, again.body.downvotes], [0, 1]);
    await vote(image, 'up', '2001:db8:0:1::1').expect(200);
    const neighbour = await vote(image, 'up', '2001:db8:0:ffff::2').expect(200);
    assert.deepEqual([neighbour.body.upvotes, neighbour.body.downvotes], [1, 1]);
  });

  it('counts at most three devices for each address, whatever cookies are sent', async () => {
    const image = await newImage();
    const address = newAddress();
    const replies = [];
    for (let n = 0; n < 8; n += 1) {
      const reply = await vote(image, 'up', address, n % 2 ? newCookie() : '').expect(200);
      replies.push(reply.body);
    }
    assert.equal(replies.at(-1).upvotes, 3);
    assert.equal(replies.at(-1).your_vote, null);
    assert.equal(await countOf(service, 'label_image_vote where image_id = ?', [image]), 3);
    const elsewhere = await vote(image, 'up').expect(200);
    assert.equal(elsewhere.body.upvotes, 4);
  });

  it('counts at most three votes for each /48 and six for each /32', async () => {
    const image = await newImage();
    for (let n = 0; n < 8; n += 1) await vote(image, 'up', `2001:db8:1:${n}::1`, newCookie()).expect(200);
    assert.equal((await listed(service, product))[0].upvotes, 3);
    for (let n = 0; n < 8; n += 1) await vote(image, 'up', `2001:db8:${n + 2}::1`, newCookie()).expect(200);
    assert.equal((await listed(service, product))[0].upvotes, 6);
    for (let n = 1; n < 9; n += 1) await vote(image, 'up', `198.51.100.${n}`, newCookie()).expect(200);
    assert.equal((await listed(service, product))[0].upvotes, 12);
  });

  it('counts the votes of one provider range once when the primary image is chosen', async () => {
    const [one, two] = [await newImage(), await newImage()];
    await choose(one).expect(200);
    await vote(one, 'up').expect(200);
    await vote(one, 'up').expect(200);
    for (let n = 0; n < 6; n += 1) await vote(two, 'up', `2001:db8:${n}::1`, newCookie()).expect(200);
    assert.match((await choose(two).expect(422)).body.detail[0].msg, /score of 1; at least 2/);
    await vote(two, 'up').expect(200);
    await choose(two).expect(200);
  });

  it('counts every vote of devices that vote concurrently', async () => {
    const image = await newImage();
    const replies = await Promise.all(Array.from({ length: 12 }, () => vote(image, 'up', newAddress(), newCookie())));
    assert.ok(replies.every(({ status }) => status === 200));
    const [row] = await listed(service, product);
    assert.deepEqual([row.upvotes, row.score], [12, 12]);
  });

  it('stores addresses and cookies only as hashes', async () => {
    const image = await newImage();
    await vote(image, 'up', '198.51.100.7', newCookie()).expect(200);
    const [row] = await sql(service, 'select voter, address from label_image_vote where image_id = ?', [image]);
    for (const value of Object.values(row ?? {})) assert.match(String(value), /^[0-9a-f]{64}$/);
  });

  it('returns 422 for a missing or unknown direction, 404 for an unknown image, 403 from another site', async () => {
    const image = await newImage();
    await post(service, `/api/label-image/${image}/vote`, newAddress()).expect(422);
    const wrong = await vote(image, 'sideways').expect(422);
    assert.deepEqual(wrong.body.detail[0].loc, ['query', 'direction']);
    const unknown = await vote(999_999, 'up').expect(404);
    assert.equal(unknown.body.detail, "Image '999999' not found");
    await vote(image, 'up').set('Origin', 'http://elsewhere.test').expect(403);
    assert.equal(await countOf(service, 'label_image_vote where image_id = ?', [image]), 0);
  });

  it('limits votes and choices of one address together to ten a minute', async () => {
    const image = await newImage();
    const address = newAddress();
    for (let n = 0; n < 9; n += 1) await vote(image, 'up', address).expect(200);
    await choose(image, product, address).expect(200);
    const reply = await vote(image, 'up', address).expect(429);
    assert.deepEqual([reply.body.detail, reply.body['violated-policies']], ['Quota exceeded (vote): 11/10', ['vote']]);
  });

  it('makes an image primary, lists it first, and records it in the change log', async () => {
    const [one, two] = [await newImage(), await newImage()];
    assert.deepEqual((await choose(two).expect(200)).body, { dsld_id: product, primary_image_id: two });
    await choose(two).expect(200);
    const images = await listed(service, product);
    assert.deepEqual(
      images.map((image: Record<string, unknown>) => [image.image_id, image.is_primary]),
      [
        [two, true],
        [one, false],
      ],
    );
    const changes = await sql(
      service,
      "select data from change_log where kind = 'label_image.primary_changed' and subject_id = ?",
      [String(product)],
    );
    assert.deepEqual(changes, [{ data: { old: { primary_image_id: null }, new: { primary_image_id: two } } }]);
  });

  it('returns 404 for an image of another product and for an unknown image', async () => {
    const other = await addProduct(service, product + 500_000);
    const foreign = await newImage(other);
    const reply = await choose(foreign).expect(404);
    assert.equal(reply.body.detail, `Image '${foreign}' not found`);
    await choose(999_999).expect(404);
    await choose(foreign, other).expect(200);
  });

  it('rejects an image with a score below 0 or below the score of the primary image', async () => {
    const [one, two] = [await newImage(), await newImage()];
    await vote(two, 'down').expect(200);
    const below = await choose(two).expect(422);
    assert.match(below.body.detail[0].msg, /score of -1; at least 0/);
    await choose(one).expect(200);
    await vote(one, 'up').expect(200);
    await vote(two, 'up').expect(200);
    assert.match((await choose(two).expect(422)).body.detail[0].msg, /score of 0; at least 1/);
    await vote(two, 'up').expect(200);
    await choose(two).expect(200);
  });

  it('stores an upload that asks to be primary, but leaves the higher-scored image primary', async () => {
    const one = await newImage();
    await choose(one).expect(200);
    await vote(one, 'up').expect(200);
    const { body } = await upload(service, product, await jpeg(640, 200), { make_primary: true }).expect(200);
    assert.deepEqual([body.is_primary, body.status], [false, 'active']);
    const [row] = await listed(service, product);
    assert.deepEqual([row.image_id, row.is_primary], [one, true]);
    const audit = await sql(service, "select 1 from label_image_audit where image_id = ? and what = 'primary'", [
      body.image_id,
    ]);
    assert.equal(audit.length, 0);
  });

  it('has exactly one primary image after concurrent choices and uploads', async () => {
    const images = [await newImage(), await newImage(), await newImage()];
    const files = await Promise.all([1, 2, 3].map(() => photo(640, 200).png().toBuffer()));
    const replies = await Promise.all([
      ...images.map((image) => choose(image)),
      ...files.map((file) => upload(service, product, file, { make_primary: true })),
    ]);
    assert.deepEqual([...new Set(replies.map(({ status }) => status))], [200]);
    assert.equal(await countOf(service, 'label_image where dsld_id = ? and is_primary', [product]), 1);
  });

  describe('anonymisation of voters after 400 days', () => {
    const forget = async () => {
      const outcome = await runJob(service.runtime, productsPlugin, forgetVotersJob as Job);
      assert.equal(outcome.status, 'ok');
      return outcome.status === 'ok' ? outcome.counts : {};
    };
    const NOTHING = { entries: 0, names: 0, votes: 0, reports: 0 };
    const age = async (days: number) => {
      for (const table of ['label_image_vote', 'label_image_report', 'label_image_audit'])
        await sql(service, `update ${table} set at = now() - make_interval(days => ?)`, [days]);
    };
    const undo = (imageId: number, what: string) =>
      adminPost(service, `/api/label-image/${imageId}/revert?what=${what}`);
    beforeEach(async () => {
      await age(500);
      await forget();
    });

    it('preserves the counts, the primary image and its status', async () => {
      const image = await newImage();
      const [address, cookie] = [newAddress(), newCookie()];
      for (const direction of ['up', 'up', 'down']) await vote(image, direction).expect(200);
      await vote(image, 'up', address, cookie).expect(200);
      await choose(image).expect(200);
      await post(service, `/api/label-image/${image}/report`, newAddress()).send({ reason: 'my words' }).expect(200);
      const before = await listed(service, product);
      await age(399);
      assert.deepEqual(await forget(), NOTHING);
      await age(401);
      assert.deepEqual(await forget(), { entries: 5, names: 1, votes: 4, reports: 1 });
      assert.deepEqual(await listed(service, product), before);
      const kept = JSON.stringify([
        await sql(service, 'select voter, address from label_image_vote where image_id = ?', [image]),
        await sql(service, 'select voter, address, reason from label_image_report where image_id = ?', [image]),
        await sql(service, 'select who, before, after from label_image_audit where image_id = ?', [image]),
      ]);
      assert.doesNotMatch(kept, /[0-9a-f]{64}|my words/);
      assert.deepEqual(await forget(), NOTHING);
    });

    it('counts a new vote in addition to the anonymised votes', async () => {
      const image = await newImage();
      const address = newAddress();
      for (let n = 0; n < 3; n += 1) await vote(image, 'up', address, newCookie()).expect(200);
      await age(401);
      await forget();
      const reply = await vote(image, 'down', address, newCookie()).expect(200);
      assert.deepEqual([reply.body.upvotes, reply.body.downvotes, reply.body.your_vote], [3, 1, 'down']);
    });

    it('lets administrators revert an anonymised choice once, but no anonymised vote', async () => {
      const [one, two] = [await newImage(), await newImage()];
      await choose(one).expect(200);
      await vote(two, 'up').expect(200);
      await undo(two, 'vote').expect(200);
      await vote(two, 'up').expect(200);
      await choose(two).expect(200);
      await undo(two, 'primary').expect(200);
      await age(401);
      await forget();
      await undo(two, 'vote').expect(422);
      await undo(two, 'primary').expect(422);
      assert.equal((await undo(one, 'any').expect(200)).body.undone.who, 'voter:gone');
    });
  });
});
