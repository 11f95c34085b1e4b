/** Nothing of a person leaves in a snapshot: which tables are read, as the database is really asked, and which never are. */
import { strict as assert } from 'node:assert';
import { AsyncLocalStorage } from 'node:async_hooks';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { Client as PgClient } from 'pg';
import { datasetsOf } from '#core/datasets.ts';
import { sql } from '../../support/database.ts';
import { startService, type TestService } from '../../support/service.ts';

const words = (text: string): string[] => text.trim().split(/\s+/).sort();

/** What anybody may read at the API. A new table fails a test below, until somebody has put it here or there. */
const OPEN =
  words(`article biomarker condition content_file drug_class drug_name evidence_source evidence_vertical finding
  interaction_entry label_image outcome_grade outcome_source page_text product product_recall product_status redirect
  reference_intake snapshot substance supplement topic trending_snapshot`);

/** Of people and keys; of the running service; and what came in as others wrote it. No dataset ever reads them. */
const CLOSED = words(`answer answer_feedback answer_stream answer_stream_event api_key change_log device device_consent
  device_recovery drug_import drug_revision evidence_pubmed_queue evidence_pubmed_search evidence_record evidence_retraction fact feedback feedback_change feedback_past idempotent_request
  import_run job_run key_usage lab_crop lab_report label_image_audit label_image_report label_image_vote lease
  mikro_orm_migrations quota_warning quota_window sandbox_key supplement_log throttle_window wearable_connection
  wearable_daily wearable_import wearable_oauth_state wearable_revocation wearable_upload webhook_delivery
  webhook_endpoint webhook_event webhook_outbox`);

/** Asked for a state alone: whether what is kept in memory, or graded, is level. No row of them comes out. */
const STATE = ['change_log', 'drug_revision', 'fact', 'lease'];

/** The driver that the ORM brings along. */
const { Client } = createRequire(fileURLToPath(import.meta.resolve('@mikro-orm/postgresql')))('pg') as {
  readonly Client: { readonly prototype: PgClient };
};

/** Every statement of this work that reaches the driver; what the service does of its own accord meanwhile is not of it. */
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

describe('what datasets are read from', function () {
  this.timeout(600_000);
  let service: TestService;
  before(async () => {
    service = await startService();
  });
  after(() => service?.stop());

  it('is told of each table: anybody may read it, or no dataset does', async () => {
    const rows = await sql(
      service,
      `select table_name as name from information_schema.tables where table_schema = 'public' order by 1`,
    );
    assert.deepEqual([...OPEN, ...CLOSED].sort(), rows.map(({ name }) => name).sort());
  });

  it('are tables that are open, all of them named by the dataset', async () => {
    const { plugins, servicesOf } = service.runtime;
    for (const dataset of datasetsOf(service.runtime)) {
      // What is kept in memory is read anew.
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
