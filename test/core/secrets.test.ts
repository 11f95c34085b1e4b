import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { allSettings } from '#core/boot.ts';
import { loadConfig } from '#core/config.ts';
import { loadSecrets, SealBroken, secretsOf } from '#core/secrets.ts';

const PLACE = { purpose: 'lab_report', id: 'rep_1' };
const WORDS = Buffer.from('haemoglobin 13.5 g/dL');

describe('sealed data', () => {
  const secrets = secretsOf(['the secret of today']);

  it('opens as it was sealed, and shows nothing of itself', () => {
    const sealed = secrets.seal(PLACE, WORDS);
    assert.deepEqual(secrets.open(PLACE, sealed), WORDS);
    assert.ok(!sealed.includes('haemoglobin'));
    assert.notDeepEqual(secrets.seal(PLACE, WORDS), sealed);
  });

  it('opens in no other place, for no other purpose, and not when a bit of it changed', () => {
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

  it('opens with the secret of before, which is not current, and with no other', () => {
    const sealed = secrets.seal(PLACE, WORDS);
    const rotated = secretsOf(['the secret of tomorrow', 'the secret of today']);
    assert.deepEqual(rotated.open(PLACE, sealed), WORDS);
    assert.equal(rotated.isCurrent(sealed), false);
    assert.equal(rotated.isCurrent(rotated.seal(PLACE, WORDS)), true);
    assert.throws(() => secretsOf(['another']).open(PLACE, sealed), SealBroken);
  });

  it('signs with keys that differ by purpose, the one in use first', () => {
    const keys = secretsOf(['new', 'old']).signingKeys('session');
    assert.deepEqual(keys.slice(1), secretsOf(['old']).signingKeys('session'));
    assert.notDeepEqual(secretsOf(['new', 'old']).signingKeys('other'), keys);
  });

  it('made with the secret of this installation still opens once the operator sets one', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'secrets-'));
    const load = (settings: Record<string, string>) =>
      loadSecrets(loadConfig(allSettings([]), { DATA_DIR: dataDir, ...settings }, null));
    try {
      const sealed = (await load({})).seal(PLACE, WORDS);
      const set = await load({ APP_SECRET: 'set by the operator' });
      assert.deepEqual(set.open(PLACE, sealed), WORDS);
      assert.equal(set.isCurrent(sealed), false);
      const next = await load({ APP_SECRET: 'the next', APP_SECRET_PREVIOUS: 'older, set by the operator' });
      assert.deepEqual(next.open(PLACE, set.seal(PLACE, WORDS)), WORDS);
    } finally {
      await rm(dataDir, { recursive: true, force: true });
    }
  });
});
