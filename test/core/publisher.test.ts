/** `npm start` as a person runs it: answers first, pages behind it. */
import { strict as assert } from 'node:assert';
import { setTimeout as sleep } from 'node:timers/promises';
import supertest from 'supertest';
import { type Running, startProgram } from '../support/program.ts';
import { discard, environmentOf, newPlace } from '../support/service.ts';

describe('the publisher', function () {
  this.timeout(240_000);
  let place: Awaited<ReturnType<typeof newPlace>>;
  let program: Running;
  let url = '';

  before(async () => {
    place = await newPlace();
    program = startProgram(['serve'], {
      ...environmentOf(place),
      GENERATE_PAGES: 'auto',
      STARTER_PRODUCTS: 'none',
      LOG_LEVEL: 'warn',
    });
    url = (await program.waitFor(/is at (http:\/\/\S+)/))[1] ?? '';
  });
  after(async () => {
    program.child.kill('SIGTERM');
    await program.finished;
    await discard(place);
  });

  const stage = async () =>
    (await supertest(url).get('/api/pipeline/status').expect(200)).body.stages.find(
      ({ name }: { name: string }) => name === 'generate',
    );

  it('lets the site answer before a page is generated, and asks crawlers to come back', async () => {
    await supertest(url).get('/supplements/magnesium').expect(200);
    const robots = await supertest(url).get('/robots.txt').expect(503);
    assert.equal(robots.headers['retry-after'], '30');
    assert.equal((await stage()).status, 'running');
  });

  it('publishes every page behind it, and says so', async () => {
    while ((await stage()).status === 'running') await sleep(500);
    const { status, items, last_success_at } = await stage();
    assert.deepEqual([status, items], ['ok', 1]);
    assert.ok(Date.parse(last_success_at) <= Date.now());
    await supertest(url).get('/robots.txt').expect(200);
    const { text } = await supertest(url).get('/sitemap-interactions.xml').expect(200);
    assert.ok(text.includes('/interactions/st-johns-wort-warfarin'));
    const page = await supertest(url).get('/interactions/st-johns-wort-warfarin').expect(200);
    assert.ok(page.headers.etag, 'it is served from its file');
  });
});
