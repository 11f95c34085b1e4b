/**
 * Tests the complete deletion of a device's data in the whole database, every file, the log, and everything that the
 * service can decrypt.
 */
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runJob } from '#core/jobs/scheduler.ts';
import { type DeviceServices, devicesPlugin } from '#plugins/devices/index.ts';
import { clearErased } from '#plugins/devices/jobs.ts';
import { api, bearer, bootstrapAdmin, type IssuedKey, issueKey } from '../../support/client.ts';
import { type Row, sql } from '../../support/database.ts';
import { type Device, deviceOf } from '../../support/device.ts';
import { startService, type TestService } from '../../support/service.ts';
import { until } from '../../support/until.ts';
import { LINES, reportPdf } from '../labs/support.ts';
import { addProduct, jpeg } from '../products/images/support.ts';
import { type AuthorizationServer, startAuthorizationServer } from '../wearables/oauth/authorization-server.ts';
import { ouraAnswers, type Place, settingsAt } from '../wearables/oauth/connections-support.ts';
import { exportXml, record } from '../wearables/support.ts';
import { PARTS, TUS } from '../wearables/tus-client.ts';
import { type DataServer, startDataServer } from '../wearables/vendors/data-server.ts';

const BACKUP_DAYS = 30;
/** A product that only this test uses. */
const PRODUCT = 900_000_001;

/** How to decrypt sealed columns: for each table, the key of a row and the purpose of the seal. */
const SEALED: Readonly<Record<string, readonly [key: string, purpose: string]>> = {
  lab_report: ['id', 'lab_report'],
  lab_crop: ["report_id || '/' || marker_id", 'lab_crop'],
  supplement_log: ['log_id::text', 'supplement_log'],
  wearable_daily: ["device || '/' || to_char(day, 'YYYY-MM-DD') || '/' || source", 'wearable_day'],
  wearable_import: ['id', 'wearable_import'],
  wearable_upload: ['id', 'wearable_upload'],
  wearable_connection: ["device || '/' || vendor", 'wearable_token'],
  wearable_revocation: ['id', 'wearable_revocation'],
  wearable_oauth_state: ['state_hash', 'wearable_oauth_state'],
  idempotent_request: ['id', 'idempotent_request'],
  webhook_endpoint: ['id', 'webhook_endpoint'],
};

const inBase64 = (text: string): string => Buffer.from(text).toString('base64');

const observation = (text: string) => ({
  resourceType: 'Observation',
  status: 'final',
  code: { coding: [{ system: 'http://loinc.org', code: '2276-4' }], text },
  effectiveDateTime: '2026-03-01',
  valueQuantity: { value: 46, unit: 'ng/mL', system: 'http://unitsofmeasure.org', code: 'ng/mL' },
  performer: [{ display: text }],
});

describe('the deletion, move and export of a device’s data', function () {
  this.timeout(300_000);
  let authorization: AuthorizationServer;
  let data: DataServer;
  let service: TestService;
  let admin: IssuedKey;
  let imageId = 0;
  const log: string[] = [];
  before(async () => {
    [authorization, data] = [await startAuthorizationServer(), await startDataServer()];
    service = await startService({
      settings: {
        ...settingsAt({ authorization, data }),
        TRUSTED_PROXIES: '127.0.0.1',
        STARTER_PRODUCTS: 'none',
        BACKUP_KEEP_DAYS: String(BACKUP_DAYS),
      },
      onLog: (line) => void log.push(line),
    });
    admin = await bootstrapAdmin(service);
    const key = await issueKey(service, admin);
    await addProduct(service, PRODUCT);
    const { body } = await api(service)
      .post(`/api/label-image/${PRODUCT}`)
      .set(...bearer(key.key))
      .field('license', 'CC0')
      .attach('file', await jpeg(), 'label.jpg')
      .expect(200);
    imageId = body.image_id;
  });
  after(async () => {
    await service?.stop();
    await authorization?.close();
    await data?.close();
  });

  /** Writes the marker into every kind of personal data that a device can leave, through the routes a browser uses. */
  const leaveEverything = async (device: Device, marker: string): Promise<void> => {
    const consent = 'true';
    await device
      .post('/blood-test/upload')
      .attach(
        'file',
        await reportPdf([[`Ferritin ${marker}`, '12', 'ng/mL', '30 - 400'], ...LINES.slice(1)]),
        `${marker}.pdf`,
      )
      .field({ consent })
      .expect(303);
    await until(async () => (await device.get('/api/blood-test/status').expect(200)).body.state === 'ready');
    await device
      .post('/blood-test/reports')
      .send({ consent: true, lab_name: marker, added: { a1: { name: marker, value: '30', unit: 'ng/mL' } } })
      .expect(200);
    await device
      .post('/urine-test/import')
      .attach('file', Buffer.from(JSON.stringify(observation(marker))), `${marker}.json`)
      .field({ consent })
      .expect(303);
    await device
      .post('/blood-test/supplement-log')
      .send({ consent: true, name: marker, reason: `because of ${marker}` })
      .expect(200);
    const xml = exportXml(record('StepCount', '4321', { sourceName: `Watch ${marker}` }));
    await device.post('/wearables/phone-health').attach('file', Buffer.from(xml), `${marker}.xml`).field({ consent });
    await until(async () => (await device.get('/wearables/status').expect(200)).body.reading === null);
    await device
      .post(PARTS)
      .set({
        ...TUS,
        'Upload-Length': '1000',
        'Upload-Metadata': `filename ${inBase64(`${marker}.zip`)},consent ${inBase64('true')}`,
      })
      .expect(201);
    ouraAnswers({ authorization, data } as Place);
    data.on('POST /revoke', () => ({ body: {} }));
    await device.postForm('/wearables/consent/oura', { consent });
    const begun = await device.get('/wearables/connect/oura').expect(303);
    const back = new URLSearchParams(await authorization.walk(String(begun.headers.location), 'yes'));
    await device.get(`/wearables/callback/oura?${back}`).expect(303);
    await device.postForm('/wearables/consent/whoop', { consent });
    await device.get('/wearables/connect/whoop').expect(303);
    const asked = await device.postForm('/chat', { question: `Does magnesium help ${marker} people sleep?` });
    const answerId = String(asked.headers.location).split('/').at(-1) ?? '';
    await device.postForm(`/answers/${answerId}/rerun`, {});
    await device
      .post('/chat/ask/stream')
      .send({ question: `Does zinc help with colds, ${marker}?` })
      .expect(200);
    await device
      .post('/api/chat/feedback')
      .send({
        answer_id: answerId,
        rating: 'down',
        reasons: ['unclear'],
        comment: marker,
        question: marker,
        answer_excerpt: marker,
      })
      .expect(200);
    await device
      .post('/api/feedback')
      .send({
        category: 'error',
        message: marker,
        target_type: 'page',
        target_id: marker,
        page_url: `/search?q=${marker}`,
        email: `${marker}@example.org`,
      })
      .expect(200);
    await device.post(`/api/label-image/${imageId}/vote?direction=up`).expect(200);
    await device.post(`/api/label-image/${PRODUCT}/set-primary/${imageId}`).expect(200);
    await device.post(`/api/label-image/${imageId}/report`).send({ reason: marker }).expect(200);
    await device.postForm('/my-data/phrase', {}, 200);
  };

  const tables = async (): Promise<readonly string[]> =>
    (
      await sql(
        service,
        "select table_name as name from information_schema.tables where table_schema = 'public' order by 1",
      )
    ).map(({ name }) => String(name));

  /** Returns the text of a row, with sealed columns decrypted. */
  const textOf = (table: string, row: Row): string =>
    Object.entries(row)
      .map(([name, value]) => {
        if (!(value instanceof Uint8Array)) return JSON.stringify(value);
        const { secrets } = service.runtime;
        const purpose = SEALED[table]?.[1] ?? '';
        return name === 'sealed'
          ? secrets.open({ purpose, id: String(row.key_of_seal) }, value).toString('latin1')
          : Buffer.from(value).toString('latin1');
      })
      .join('\n');

  /** Returns the tables in which any column of a row contains one of the words. */
  const tablesWith = async (words: readonly string[]): Promise<readonly string[]> => {
    const found: string[] = [];
    for (const table of await tables()) {
      const key = SEALED[table]?.[0];
      const rows = await sql(service, `select *${key ? `, ${key} as key_of_seal` : ''} from ${table}`);
      if (rows.some((row) => words.some((word) => textOf(table, row).includes(word)))) found.push(table);
    }
    return found;
  };

  const filesWith = async (words: readonly string[]): Promise<readonly string[]> => {
    const found: string[] = [];
    for (const entry of await readdir(service.dataDir, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      // The running database may delete a file in the meantime.
      const bytes = await readFile(join(entry.parentPath, entry.name)).catch(() => Buffer.alloc(0));
      if (words.some((word) => bytes.includes(word))) found.push(join(entry.parentPath, entry.name));
    }
    return found;
  };

  const personalTables = (): readonly string[] =>
    (service.runtime.servicesOf(devicesPlugin) as DeviceServices).personalTables();

  it('can decrypt every sealed column, so that no table escapes this test', async () => {
    const sealed = await sql(
      service,
      `select table_name as name from information_schema.columns where table_schema = 'public' and column_name = 'sealed'`,
    );
    assert.deepEqual(sealed.map(({ name }) => name).sort(), Object.keys(SEALED).sort());
  });

  it('leaves no samples of deleted values in the database statistics', async function () {
    if (service.runtime.db.kind !== 'pglite') this.skip();
    const [device, marker] = [deviceOf(service), 'Mkr8Wq5Statistics'];
    for (let times = 0; times < 3; times += 1)
      await device
        .post('/api/feedback')
        .send({ category: 'error', message: marker, target_type: 'page', target_id: marker, page_url: '/search' })
        .expect(({ status }) => assert.ok(status < 400, String(status)));
    const { hash } = device;
    // The embedded database runs this at each start for tables that have grown.
    await sql(service, 'analyze');
    const sampled = async (): Promise<readonly Row[]> =>
      sql(
        service,
        'select tablename from pg_stats where most_common_vals::text like ? or most_common_vals::text like ? or histogram_bounds::text like ?',
        [`%${hash}%`, `%${marker}%`, `%${hash}%`],
      );
    assert.ok((await sampled()).length > 0, 'the statistics have samples');
    await device.post('/my-data/delete-all').set('Accept', 'application/json').send({}).expect(200);
    await runJob(service.runtime, devicesPlugin, clearErased as never);
    assert.deepEqual(await sampled(), []);
    assert.deepEqual(await filesWith([marker, hash]), []);
  });

  it('leaves nothing in rows, files or the log, and names the date until which back-ups may hold data', async () => {
    const [device, marker] = [deviceOf(service), 'Mkr7Qz4Deletion'];
    await leaveEverything(device, marker);
    const { hash } = device;
    const before = await tablesWith([marker, hash]);
    const unnamed = before.filter((table) => !personalTables().includes(table));
    assert.deepEqual(unnamed, [], 'a plugin keeps personal data in a table that no holding names');
    const kept = `device device_consent device_recovery lab_report supplement_log wearable_daily wearable_import
      wearable_upload wearable_connection wearable_oauth_state answer answer_stream answer_stream_event feedback
      answer_feedback label_image_vote label_image_report label_image_audit`.split(/\s+/);
    assert.deepEqual(
      kept.filter((table) => !before.includes(table)),
      [],
      'the marker did not get everywhere',
    );
    assert.match(
      (await device.get('/my-data').expect(200)).text,
      /votes on label pictures.*questions with their answers.*messages to us/s,
    );
    const day = new Date(Date.now() + BACKUP_DAYS * 86_400_000).toISOString().slice(0, 10);
    assert.ok(
      (await device.get('/my-data').expect(200)).text.includes(day),
      'the term of back-ups is named beforehand',
    );

    const erased = await device.post('/my-data/delete-all').set('Accept', 'application/json').send({}).expect(200);
    assert.deepEqual([erased.body.deleted, erased.body.backups_until], [true, day]);
    assert.match(erased.body.message, new RegExp(`deleted.*Back-ups.*until ${day}`));
    assert.deepEqual(device.cookies, []);
    await until(async () => (await sql(service, 'select 1 from wearable_revocation')).length === 0);
    // The files of the embedded database still contain the marker until the job runs.
    if (service.runtime.db.kind === 'pglite') assert.ok((await filesWith([marker])).length > 0, 'the scan sees files');
    await runJob(service.runtime, devicesPlugin, clearErased as never);
    assert.deepEqual(await tablesWith([marker, hash]), []);
    assert.deepEqual(await filesWith([marker, hash]), []);
    assert.deepEqual(
      log.filter((line) => line.includes(marker) || line.includes(hash)),
      [],
    );
    const [image] = await sql(service, 'select upvotes, reports from label_image where image_id = ?', [imageId]);
    assert.deepEqual([image?.upvotes, image?.reports], [0, 0]);
    const page = await deviceOf(service).get('/my-data?notice=erased').expect(200);
    assert.match(
      page.text,
      new RegExp(`has been deleted.*Back-ups that were made before may still hold it until ${day}`),
    );
  });

  it('stores nothing of a question in progress when its device is deleted', async () => {
    const [device, marker] = [deviceOf(service), 'Mkr7Qz4InFlight'];
    await device.postForm('/chat', { question: 'Does magnesium help people sleep?' });
    const { hash } = device;
    const asking = device
      .post('/chat')
      .type('form')
      .send({ question: `Does creatine help ${marker}?` })
      .then(() => undefined);
    await until(
      async () => (await sql(service, 'select 1 from answer_stream where owner = ?', [`device:${hash}`])).length > 0,
    );
    await (service.runtime.servicesOf(devicesPlugin) as DeviceServices).erase(hash);
    await asking;
    assert.deepEqual(await tablesWith([marker, hash]), []);
  });

  it('exports all data and moves all data to another device, which keeps its own vote', async () => {
    const [from, to, marker] = [deviceOf(service), deviceOf(service), 'Mkr7Qz4Moved'];
    await leaveEverything(from, marker);
    const members = [
      'answers',
      'feedback',
      'answer_ratings',
      'label_image_votes',
      'label_image_reports',
      'label_image_choices',
    ];
    const { body: whole } = await from.get('/api/account/export').expect(200);
    const counts = Object.fromEntries(
      Object.entries(whole).map(([name, items]) => [name, (items as unknown[]).length]),
    );
    for (const member of members.slice(0, 5)) assert.ok((counts[member] ?? 0) > 0, member);
    assert.ok(JSON.stringify(whole.answers).includes(marker) && JSON.stringify(whole.feedback).includes(marker));
    await to.post(`/api/label-image/${imageId}/vote?direction=down`).expect(200);
    const phrase =
      /class="phrase"><strong>([a-z ]+)</.exec((await from.postForm('/my-data/phrase', {}, 200)).text)?.[1] ?? '';
    const [old, moved] = [from.hash, await to.postForm('/my-data/move', { phrase })];
    assert.equal(moved.headers.location, '/my-data?notice=moved');
    assert.deepEqual(await tablesWith([old]), []);
    const { body: there } = await to.get('/api/account/export').expect(200);
    for (const [name, items] of Object.entries(whole))
      if (Array.isArray(items) && name !== 'label_image_votes') assert.equal(there[name].length, items.length, name);
    assert.deepEqual(
      there.label_image_votes.map(({ direction }: { direction: string }) => direction),
      ['down'],
    );
    const [image] = await sql(service, 'select upvotes, downvotes from label_image where image_id = ?', [imageId]);
    assert.deepEqual([image?.upvotes, image?.downvotes], [0, 1]);
    await to.postForm('/my-data/delete-all', {});
    assert.deepEqual(await tablesWith([marker]), []);
  });

  it('covers every table with personal data', async () => {
    const named = await sql(
      service,
      `select table_name as name from information_schema.columns
       where table_schema = 'public' and column_name in ('device', 'voter', 'owner')`,
    );
    /** Tables whose owner is a process instead of a person. */
    const processes = ['lease', 'idempotent_request'];
    const unnamed = named
      .map(({ name }) => String(name))
      .filter((table) => !personalTables().includes(table) && !processes.includes(table));
    assert.deepEqual(unnamed, []);
    const known = await tables();
    assert.deepEqual(
      personalTables().filter((table) => !known.includes(table)),
      [],
      'a holding names a table that does not exist',
    );
  });
});
