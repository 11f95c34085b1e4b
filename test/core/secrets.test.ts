import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { allSettings } from '#core/boot.ts';
import { loadConfig } from '#core/config.ts';
import { loadSecrets, SealBroken, secretsOf } from '#core/secrets.ts';

const PLACE = { purpose: 'lab_report', id: 'rep_1' };
const SET = 'set by the operator with 32 letters or more';
const WORDS = Buffer.from('haemoglobin 13.5 g/dL');

describe('sealed data', () => {
  const secrets = secretsOf(['the secret of today']);

  it('is compatible whether a file is sealed in pieces or as a whole', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'secrets-'));
    const [from, to] = [join(folder, 'from'), join(folder, 'to')];
    try {
      for (const bytes of [Buffer.alloc(0), WORDS, randomBytes(1_000_003)]) {
        await writeFile(from, bytes);
        const seen: Buffer[] = [];
        await secrets.sealFile(PLACE, { from, to, onPiece: (piece) => void seen.push(piece) });
        const sealed = await readFile(to);
        assert.ok(secrets.open(PLACE, sealed).equals(bytes));
        assert.ok(Buffer.concat(seen).equals(bytes));
        assert.throws(() => secrets.open({ ...PLACE, id: 'rep_2' }, sealed), SealBroken);
        assert.throws(() => secrets.open(PLACE, sealed.subarray(0, -1)), SealBroken);
        await rm(to);
      }
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('requires a secret that is hard to guess', async () => {
    const config = (secret: string) => loadConfig(allSettings([]), { DATA_DIR: tmpdir(), APP_SECRET: secret }, null);
    for (const secret of ['sh0rt', 'a'.repeat(64), 'abcabcabcabcabcabcabcabcabcabcabcabcabc'])
      await assert.rejects(loadSecrets(config(secret)), (error: Error) => {
        assert.equal(error.name, 'OperatorError');
        assert.match(error.message, /^APP_SECRET is shorter than 32 characters or repeats itself: set [^\n]+\.$/);
        assert.match(error.message, /add the current value to APP_SECRET_PREVIOUS.*"Change APP_SECRET"/);
        assert.ok(!error.message.includes(secret));
        return true;
      });
  });

  it('opens unchanged, and does not reveal its content', () => {
    const sealed = secrets.seal(PLACE, WORDS);
    assert.deepEqual(secrets.open(PLACE, sealed), WORDS);
    assert.ok(!sealed.includes('haemoglobin'));
    assert.notDeepEqual(secrets.seal(PLACE, WORDS), sealed);
  });

  it('does not open for another id or purpose, or after any change', () => {
    const sealed = secrets.seal(PLACE, WORDS);
    assert.throws(() => secrets.open({ ...PLACE, id: 'rep_2' }, sealed), SealBroken);
    assert.throws(() => secrets.open({ ...PLACE, purpose: 'lab_crop' }, sealed), SealBroken);
    for (let at = 0; at < sealed.length; at += 1) {
      const changed = Buffer.from(sealed);
      changed[at] = (changed[at] as number) ^ 1;
      assert.throws(() => secrets.open(PLACE, changed), SealBroken, `byte ${at}`);
    }
    assert.throws(() => secrets.open(PLACE, sealed.subarray(0, 20)), SealBroken);
  });

  it('opens with the previous secret, which is not current, and with no other', () => {
    const sealed = secrets.seal(PLACE, WORDS);
    const rotated = secretsOf(['the secret of tomorrow', 'the secret of today']);
    assert.deepEqual(rotated.open(PLACE, sealed), WORDS);
    assert.equal(rotated.isCurrent(sealed), false);
    assert.equal(rotated.isCurrent(rotated.seal(PLACE, WORDS)), true);
    assert.throws(() => secretsOf(['another']).open(PLACE, sealed), SealBroken);
  });

  it('signs with keys that differ by purpose, with the current one first', () => {
    const keys = secretsOf(['new', 'old']).signingKeys('session');
    assert.deepEqual(keys.slice(1), secretsOf(['old']).signingKeys('session'));
    assert.notDeepEqual(secretsOf(['new', 'old']).signingKeys('other'), keys);
  });

  it('opens with a short previous secret that contains a comma, once a strong one is set', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'secrets-'));
    try {
      const set = { DATA_DIR: dataDir, APP_SECRET: SET };
      const load = (previous: string) =>
        loadSecrets(loadConfig(allSettings([]), { ...set, APP_SECRET_PREVIOUS: previous }, null));
      for (const old of ['sh0rt', 'sh0,rt'])
        assert.deepEqual((await load(old)).open(PLACE, secretsOf([old]).seal(PLACE, WORDS)), WORDS);
      assert.deepEqual((await load('older, sh0rt')).open(PLACE, secretsOf(['sh0rt']).seal(PLACE, WORDS)), WORDS);
    } finally {
      await rm(dataDir, { recursive: true, force: true });
    }
  });

  it('opens after the operator replaces the generated secret of the installation', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'secrets-'));
    const load = (settings: Record<string, string>) =>
      loadSecrets(loadConfig(allSettings([]), { DATA_DIR: dataDir, ...settings }, null));
    try {
      const sealed = (await load({})).seal(PLACE, WORDS);
      const set = await load({ APP_SECRET: SET });
      assert.deepEqual(set.open(PLACE, sealed), WORDS);
      assert.equal(set.isCurrent(sealed), false);
      const next = await load({
        APP_SECRET: 'the next one, which has enough letters',
        APP_SECRET_PREVIOUS: `older, ${SET}`,
      });
      assert.deepEqual(next.open(PLACE, set.seal(PLACE, WORDS)), WORDS);
    } finally {
      await rm(dataDir, { recursive: true, force: true });
    }
  });
});
