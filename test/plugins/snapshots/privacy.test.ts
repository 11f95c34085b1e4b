/**
 * Tests that snapshots contain no personal data: which tables the datasets may read, compared with the statements that
 * reach the database.
 */
import { strict as assert } from 'node:assert';
import { AsyncLocalStorage } from 'node:async_hooks';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { Client as PgClient } from 'pg';
import { datasetsOf } from '#core/datasets.ts';
import { sql } from '../../support/database.ts';
import { startService, type TestService } from '../../support/service.ts';

const words = (text: string): string[] => text.trim().split(/\s+/).sort();

/** Tables that are public through the API. A new table fails a test below until it is added to one of the two lists. */
const OPEN =
  words(`article biomarker condition content_file drug_class drug_name evidence_source evidence_vertical finding
  interaction_entry label_image outcome_grade outcome_source page_text product product_recall product_status redirect
  reference_intake snapshot substance supplement topic trending_snapshot`);

/** Tables about people and keys, tables of the running service, and raw imports. No dataset may read them. */
const CLOSED = words(`answer answer_feedback answer_stream answer_stream_event api_key change_log device device_consent
  device_recovery drug_import drug_revision evidence_pubmed_queue evidence_pubmed_search evidence_record evidence_retraction fact feedback feedback_change feedback_past idempotent_request
  import_run job_run key_usage lab_crop lab_report label_image_audit label_image_report label_image_vote lease
  mikro_orm_migrations quota_warning quota_window sandbox_key supplement_log throttle_window wearable_connection
  wearable_daily wearable_import wearable_oauth_state wearable_revocation wearable_upload webhook_delivery
  webhook_endpoint webhook_event webhook_outbox`);

/** Tables queried only for their state, to check whether caches and grades are current. No row of them is exported. */
const STATE = ['change_log', 'drug_revision', 'fact', 'lease'];

/** The driver that the ORM depends on. */
const { Client } = createRequire(fileURLToPath(import.meta.resolve('@mikro-orm/postgresql')))('pg') as {
  readonly Client: { readonly prototype: PgClient };
};

/**
 * Returns every statement of the given work that reaches the driver, excluding statements of the service's background
 * tasks.
 */
const statementsOf = async (work: () => Promise<void>): Promise<readonly string[]> => {
  const { query } = Client.prototype;
  const asked: string[] = [];
  const within = new AsyncLocalStorage<true>();
  Client.prototype.query = function (this: PgClient, ...given: unknown[]) {
    const [first] = given as [string | { text?: string }];
    if (within.getStore()) asked.push(typeof first === 'string' ? first : (first.text ?? ''));
    return Reflect.apply(query, this, given);
  } as typeof query;
  try {
    await within.run(true, work);
    return asked;
  } finally {
    Client.prototype.query = query;
  }
};

describe('the tables read by datasets', function () {
  this.timeout(600_000);
  let service: TestService;
  before(async () => {
    service = await startService();
  });
  after(() => service?.stop());

  it('are each classified as open or closed', async () => {
    const rows = await sql(
      service,
      `select table_name as name from information_schema.tables where table_schema = 'public' order by 1`,
    );
    assert.deepEqual([...OPEN, ...CLOSED].sort(), rows.map(({ name }) => name).sort());
  });

  it('are open tables, all of them declared by the dataset', async () => {
    const { plugins, servicesOf } = service.runtime;
    for (const dataset of datasetsOf(service.runtime)) {
      // Cached data must be read again.
      for (const plugin of plugins) (servicesOf(plugin) as { forget?(): void } | undefined)?.forget?.();
      let rows = 0;
      const asked = await statementsOf(async () => {
        for await (const part of dataset.rows(AbortSignal.timeout(60_000))) rows += part.length;
      });
      assert.ok(rows > 100, `${dataset.name} has ${rows} rows`);
      const read = [...OPEN, ...CLOSED].filter((table) =>
        asked.some((text) => new RegExp(`\\b(?:from|join)\\s+"?${table}\\b`).test(text)),
      );
      assert.deepEqual(
        dataset.tables.filter((table) => !OPEN.includes(table)),
        [],
        `${dataset.name} names a table that is closed, or none`,
      );
      assert.deepEqual(
        read.filter((table) => !dataset.tables.includes(table) && !STATE.includes(table)),
        [],
        `${dataset.name} reads more than it names`,
      );
      assert.ok(read.length > 0, `${dataset.name}: ${asked.join('\n')}`);
    }
  });
});
