/** Nothing of a person leaves in a snapshot: which tables are read, as the database is really asked, and which never are. */
import { strict as assert } from 'node:assert';
import { datasetsOf } from '#core/datasets.ts';
import { sql } from '../../support/database.ts';
import { startService, type TestService } from '../../support/service.ts';

const words = (text: string): string[] => text.trim().split(/\s+/).sort();

/** What anybody may read at the API. A new table fails a test below, until somebody has put it here or there. */
const OPEN = words(`article biomarker condition content_file drug_class drug_name evidence_source evidence_vertical
  interaction_entry label_image outcome_grade outcome_source page_text product product_recall product_status redirect
  reference_intake snapshot substance supplement topic trending_snapshot`);

/** Of people and keys; of the running service; and what came in as others wrote it. No dataset ever reads them. */
const CLOSED = words(`answer answer_feedback answer_stream answer_stream_event api_key change_log device device_consent
  device_recovery drug_import drug_revision evidence_record evidence_retraction fact feedback idempotent_request
  import_run job_run key_usage lab_crop lab_report label_image_audit label_image_report label_image_vote lease
  mikro_orm_migrations quota_warning quota_window sandbox_key supplement_log throttle_window wearable_connection
  wearable_daily wearable_import wearable_oauth_state wearable_revocation wearable_upload webhook_delivery
  webhook_endpoint webhook_event webhook_outbox`);

/** Tables that are only looked at for a state, so that what is kept in memory is made anew. */
const STATE = ['drug_revision'];

describe('what datasets are read from', function () {
  this.timeout(240_000);
  let service: TestService;
  const lines: string[] = [];
  before(async () => {
    service = await startService({ onLog: (line) => lines.push(line) });
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
    const logger = service.runtime.db.orm.config.getLogger();
    logger.setDebugMode(['query']);
    try {
      for (const dataset of datasetsOf(service.runtime)) {
        lines.length = 0;
        let rows = 0;
        for await (const part of dataset.rows(AbortSignal.timeout(60_000))) rows += part.length;
        assert.ok(rows > 100, `${dataset.name} has ${rows} rows`);
        // A warning leaves at once, and all before it.
        service.runtime.log.warn('read', {});
        const asked = lines.join('\n').replaceAll('\\"', '');
        const read = [...OPEN, ...CLOSED].filter((table) => new RegExp(`\\b(?:from|join) ${table}\\b`).test(asked));
        assert.deepEqual(
          dataset.tables.filter((table) => !OPEN.includes(table)),
          [],
          dataset.name,
        );
        assert.deepEqual(
          read.filter((table) => !dataset.tables.includes(table) && !STATE.includes(table)),
          [],
          `${dataset.name} reads more than it names`,
        );
        if (/sources|products|grades/.test(dataset.name)) assert.ok(read.length > 0, `${dataset.name}: ${asked}`);
      }
    } finally {
      logger.setDebugMode(false);
    }
  });
});
