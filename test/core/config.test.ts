import { strict as assert } from 'node:assert';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { allSettings } from '#core/boot.ts';
import { loadConfig } from '#core/config.ts';
import { plugins } from '../../plugins/index.ts';
import { runCommand } from '../support/command.ts';
import { runProgram } from '../support/program.ts';

const settings = allSettings(plugins);
const load = (environment: Record<string, string>) => loadConfig(settings, environment, null);

describe('settings', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'ekb-config-'));
  });
  after(() => rm(folder, { recursive: true }));

  it('are all optional', () => {
    const config = load({});
    assert.equal(config.integer('PORT'), 3000);
    assert.equal(config.text('HOST'), '127.0.0.1');
    assert.equal(config.text('BASE_URL'), 'http://127.0.0.1:3000');
    assert.equal(config.optionalInteger('PRIVATE_PORT'), null);
    assert.equal(config.integer('ANON_RPM'), 30);
    assert.equal(config.integer('ANON_DAILY'), 500);
    assert.equal(config.integer('SANDBOX_RPM'), 30);
    assert.equal(config.integer('SANDBOX_DAILY'), 200);
    assert.equal(config.integer('FREE_RPM'), 120);
    assert.equal(config.integer('FREE_DAILY'), 5000);
    assert.equal(config.integer('ADMIN_RPM'), 1200);
    assert.equal(config.integer('ADMIN_DAILY'), 100_000);
    assert.deepEqual(config.list('TRUSTED_PROXIES'), []);
  });

  it('derive BASE_URL from HOST and PORT', () => {
    assert.equal(load({ HOST: '::1', PORT: '80' }).text('BASE_URL'), 'http://[::1]:80');
    assert.equal(load({ HOST: '0.0.0.0' }).text('BASE_URL'), 'http://localhost:3000');
    assert.equal(load({ BASE_URL: 'https://evidence.test/base//' }).text('BASE_URL'), 'https://evidence.test/base');
  });

  it('treat an empty value as unset', () => {
    assert.equal(load({ PORT: '', HOST: '  ' }).integer('PORT'), 3000);
  });

  it('are printed by `config` with their meanings and defaults, and with secrets masked', async () => {
    const secrets = {
      ADMIN_BOOTSTRAP_SECRET: 'open-sesame',
      DATABASE_URL: 'postgres://evidence:open-sesame@db.test/evidence',
      REDIS_URL: 'redis://:open-sesame@redis.test',
      NCBI_API_KEY: 'open-sesame',
    };
    const { status, stdout, stderr } = await runCommand(['config'], { ...secrets, PORT: '4000' });
    assert.equal(status, 0, stderr);
    assert.equal(stderr, '');
    assert.ok(!stdout.includes('open-sesame'));
    for (const name of Object.keys(secrets)) assert.ok(stdout.includes(`\n${name}=********\n`), name);
    assert.ok(stdout.startsWith('PORT=4000\n    Port to listen on.\n'));
    assert.ok(stdout.includes('\nHOST=127.0.0.1  (default)\n'));
    for (const { name, meaning } of settings) {
      assert.ok(stdout.includes(`${name}=`) && stdout.includes(`    ${meaning}\n`), name);
    }
  });

  it('are rejected together, each with its name and rule', async () => {
    const { status, stdout, stderr } = await runProgram(
      ['config'],
      {
        PORT: '65536',
        PRIVATE_PORT: 'x',
        BASE_URL: 'ftp://evidence.test',
        TRUSTED_PROXIES: '10.0.0.0/8, proxy.test, 10.0.0.0/33, fe80::1%eth0',
        LOG_LEVEL: 'loud',
        ANON_RPM: '0',
        DATABASE_URL: 'mysql://evidence:open-sesame@db.test/evidence',
      },
      folder,
    );
    assert.equal(status, 1);
    assert.equal(stdout, '');
    assert.equal(
      stderr,
      [
        'Wrong settings:',
        '  - PORT is "65536": a whole number from 0 to 65535 is needed',
        '  - PRIVATE_PORT is "x": a whole number from 0 to 65535 is needed',
        '  - BASE_URL is "ftp://evidence.test": an http or https address is needed',
        '  - TRUSTED_PROXIES has proxy.test, 10.0.0.0/33, fe80::1%eth0: IP addresses or ranges such as 10.0.0.0/8 are needed',
        '  - LOG_LEVEL is "loud": one of info, warn, silent is needed',
        '  - ANON_RPM is "0": a whole number from 1 to 2147483647 is needed',
        '  - DATABASE_URL: an address that begins with postgres:// or postgresql:// is needed',
        '',
      ].join('\n'),
    );
  });

  it('do not repeat an invalid database address in the error', () => {
    for (const address of ['postgres://u:open-sesame@[broken/x', 'open-sesame']) {
      assert.throws(
        () => load({ DATABASE_URL: address }),
        (error: Error) => /^Wrong settings:\n {2}- DATABASE_URL: /.test(error.message) && !/sesame/.test(error.message),
      );
    }
  });

  it('accept redis:// and rediss:// addresses, and do not repeat any other address', () => {
    for (const address of ['redis://:open-sesame@redis.test:6380/2', 'rediss://redis.test'])
      assert.equal(load({ REDIS_URL: address }).text('REDIS_URL'), address);
    for (const address of ['http://u:open-sesame@redis.test', 'redis://u:open-sesame@[broken', 'open-sesame']) {
      assert.throws(
        () => load({ REDIS_URL: address }),
        (error: Error) => /^Wrong settings:\n {2}- REDIS_URL: /.test(error.message) && !/sesame/.test(error.message),
      );
    }
  });

  it('are read from .env when the environment does not set them', async () => {
    const path = join(folder, '.env');
    const lines = [
      '# a comment',
      'PORT=4001',
      'export HOST="::1"',
      "OPERATOR_NAME = 'Somebody & Co'",
      'CONTACT_EMAIL=',
      'nonsense',
    ];
    await writeFile(path, lines.join('\r\n'));
    const config = loadConfig(settings, { PORT: '5000' }, path);
    assert.equal(config.integer('PORT'), 5000);
    assert.equal(config.text('HOST'), '::1');
    assert.equal(config.text('OPERATOR_NAME'), 'Somebody & Co');
    assert.equal(config.text('CONTACT_EMAIL'), '');
  });

  it('throw when an undeclared setting is read', () => {
    assert.throws(() => load({}).text('NONSENSE'), /Setting NONSENSE is not declared/);
  });
});
