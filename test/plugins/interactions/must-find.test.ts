/**
 * Lists of a pharmacist, written without sight of our rules: what must be found, with the least severity, and what must not be
 * reported. What is not found yet stands in the file as a known gap, so that nobody mistakes it for safe.
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

describe('pairs of a pharmacist', () => {
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
  /** One line for each pair that fails. */
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

  it('are found, and not milder than practice has it', async function () {
    this.timeout(120_000);
    const isMilder = (severity: string, least: string) => SEVERITIES.indexOf(severity) > SEVERITIES.indexOf(least);
    assert.deepEqual(await failing(find, (found, severity, least) => !found || isMilder(severity, least)), []);
  });

  it('are not reported where nothing can happen', async function () {
    this.timeout(120_000);
    assert.deepEqual(await failing(not, (found) => found), []);
  });

  it('are gaps only where they are still missing', async () => {
    assert.deepEqual(await failing(gaps, (found) => found), []);
  });

  it('are 1,000 to find and 400 to leave alone', () => {
    const count = (groups: readonly Group[]) => groups.reduce((sum, { medicines }) => sum + medicines.length, 0);
    assert.ok(count(find) >= 1000 && count(not) >= 400, `${count(find)}, ${count(not)}`);
  });

  it('are found whichever name comes first, and not milder', async function () {
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
