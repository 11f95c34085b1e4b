import { strict as assert } from 'node:assert';
import { api, bearer } from '../../support/client.ts';
import { connectTo } from '../../support/database.ts';
import { type SharedService, sharedService } from '../../support/shared.ts';

/** The embedded database has no backends to terminate; embedded.test.ts tests its failures. */
(process.env.TEST_DATABASE_URL ? describe : describe.skip)('a PostgreSQL server that ends our connections', () => {
  let service: SharedService;
  before(async () => {
    service = await sharedService();
  });

  it('does not shrink the pool, however many transactions it aborts', async () => {
    const operator = await connectTo(service.environment);
    try {
      for (let round = 0; round < 3; round += 1) {
        const waiting = Array.from({ length: 10 }, () =>
          service.runtime.db.write((em) => em.execute('select pg_sleep(60)')),
        );
        let isOver = false;
        const failed = Promise.allSettled(waiting).finally(() => {
          isOver = true;
        });
        while (!isOver) {
          await operator.query(
            `select pg_terminate_backend(pid) from pg_stat_activity
             where datname = current_database() and query like '%pg_sleep(60)%' and pid <> pg_backend_pid()`,
          );
        }
        for (const { status } of await failed) assert.equal(status, 'rejected');
      }
    } finally {
      await operator.end();
    }
    const { key } = service.admin;
    const replies = await Promise.all(
      Array.from({ length: 20 }, () =>
        api(service)
          .get('/api/keys/me')
          .set(...bearer(key)),
      ),
    );
    assert.deepEqual(
      replies.map(({ status }) => status),
      Array(20).fill(200),
    );
  });
});
