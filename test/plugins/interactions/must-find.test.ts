/**
 * Tests lists by a pharmacist, written without knowledge of our rules: pairs that must be found, with the minimum
 * severity, and pairs that must not be reported. The file lists pairs not found yet as known gaps, so that nobody
 * mistakes them for safe.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { api, bearer } from '../../support/client.ts';
import { type SharedService, sharedService } from '../../support/shared.ts';

interface Group {
  readonly supplement: string;
  readonly least: string;
  readonly medicines: readonly string[];
}
const read = (name: string): Readonly<Record<string, readonly Group[]>> =>
  parse(readFileSync(new URL(name, import.meta.url), 'utf8'));
const SEVERITIES = ['contraindicated', 'major', 'moderate', 'minor'];

describe('pairs listed by a pharmacist', () => {
  const { find = [], known_gaps: gaps = [] } = read('must-find.yaml');
  const { not = [] } = read('must-not.yaml');
  let service: SharedService;
  before(async function () {
    this.timeout(300_000);
    service = await sharedService();
  });
  const ask = async (supplement: string, drug: string) =>
    (
      await api(service)
        .get('/api/interactions/check')
        .query({ supplement, drug })
        .set(...bearer(service.admin.key))
        .expect(200)
    ).body;
  /** Returns one line for each pair that fails. */
  const failing = async (
    groups: readonly Group[],
    isWrong: (found: boolean, severity: string, least: string) => boolean,
  ) => {
    const wrong: string[] = [];
    for (const { supplement, least, medicines } of groups)
      for (const medicine of medicines) {
        const { found, severity } = await ask(supplement, medicine);
        if (isWrong(found, severity, least))
          wrong.push(`${supplement} with ${medicine}: ${found ? severity : 'not found'}`);
      }
    return wrong;
  };

  it('are found with at least the listed severity', async function () {
    this.timeout(120_000);
    const isMilder = (severity: string, least: string) => SEVERITIES.indexOf(severity) > SEVERITIES.indexOf(least);
    assert.deepEqual(await failing(find, (found, severity, least) => !found || isMilder(severity, least)), []);
  });

  it('are not reported when no interaction is possible', async function () {
    this.timeout(120_000);
    assert.deepEqual(await failing(not, (found) => found), []);
  });

  it('are marked as known gaps only while they are missing', async () => {
    assert.deepEqual(await failing(gaps, (found) => found), []);
  });

  it('include at least 1,000 to find and 400 not to report', () => {
    const count = (groups: readonly Group[]) => groups.reduce((sum, { medicines }) => sum + medicines.length, 0);
    assert.ok(count(find) >= 1000 && count(not) >= 400, `${count(find)}, ${count(not)}`);
  });

  it('are found with at least the listed severity when the names are swapped', async function () {
    this.timeout(240_000);
    const isMilder = (severity: string, least: string) => SEVERITIES.indexOf(severity) > SEVERITIES.indexOf(least);
    const wrong: string[] = [];
    for (const { supplement, least, medicines } of find)
      for (const medicine of medicines) {
        const { found, severity } = await ask(medicine, supplement);
        if (!found || isMilder(severity, least)) wrong.push(`${medicine} with ${supplement}`);
      }
    assert.deepEqual(wrong, []);
  });
});
