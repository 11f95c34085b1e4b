import { strict as assert } from 'node:assert';
import { runCommand } from '../../support/command.ts';
import { tamperWith } from '../../support/database.ts';
import { runProgram } from '../../support/program.ts';
import { discard, newDataDir, newPlace } from '../../support/service.ts';

type Place = Awaited<ReturnType<typeof newPlace>>;

const environmentOf = ({ dataDir, databaseUrl }: Place): Record<string, string> => ({
  DATA_DIR: dataDir,
  ...(databaseUrl && { DATABASE_URL: databaseUrl }),
});

describe('opening the database', function () {
  this.timeout(600_000);

  it('rejects a database from a newer version, in one sentence', async () => {
    const place = await newPlace();
    try {
      await tamperWith(place, "insert into mikro_orm_migrations (name) values ('9999-from-the-future')");
      const { status, stdout, stderr } = await runCommand(['migrate'], environmentOf(place));
      assert.equal(status, 1);
      assert.equal(stdout, '');
      assert.equal(
        stderr,
        'The database was made by a newer version of this program (it has 9999-from-the-future): update the program.\n',
      );
    } finally {
      await discard(place);
    }
  });

  it('migrates and fills the database once when two processes start concurrently', async () => {
    const place = await newPlace();
    try {
      await tamperWith(place, 'drop schema public cascade; create schema public');
      const ended = await Promise.all(
        [1, 2].map(() =>
          runProgram(['migrate'], { ...environmentOf(place), STARTER_PRODUCTS: 'none', STARTER_EVIDENCE: 'none' }),
        ),
      );
      for (const { status, stderr } of ended) assert.equal(status, 0, stderr);
      const rows = await tamperWith(
        place,
        'select subject_id, count(*) from change_log group by 1 having count(*) > 1',
      );
      assert.deepEqual(rows, []);
    } finally {
      await discard(place);
    }
  });

  it('reports a refused connection in one sentence without the password', async () => {
    const dataDir = await newDataDir();
    const DATABASE_URL = 'postgres://evidence:open-sesame@127.0.0.1:1/evidence';
    const { status, stderr } = await runCommand(['migrate'], { DATA_DIR: dataDir, DATABASE_URL });
    await discard({ dataDir, databaseUrl: '' });
    assert.equal(status, 1);
    assert.equal(stderr, 'DATABASE_URL: the database does not let us in (ECONNREFUSED).\n');
  });
});
