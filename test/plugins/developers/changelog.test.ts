/** Tests that errors in content/api-changelog.yaml are reported with their location. */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readApiChangelog } from '#plugins/developers/changelog.ts';

const release = (date: string): string =>
  `- date: ${date}\n  title: Something new\n  changes:\n    - kind: added\n      text: A route.\n      paths: [GET /api/made]\n`;

describe('content/api-changelog.yaml', () => {
  let folder = '';
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'ekb-changelog-'));
  });
  after(() => rm(folder, { recursive: true }));
  const read = async (...dates: readonly string[]) => {
    await writeFile(join(folder, 'api-changelog.yaml'), dates.map(release).join(''));
    return readApiChangelog(folder);
  };

  it('is sorted newest first, whatever the order in the file', async () => {
    const dates = (await read('2026-01-02', '2026-03-04')).map(({ date }) => date);
    assert.deepEqual(dates, ['2026-03-04', '2026-01-02']);
  });

  it('rejects two entries for one day, because the day is the anchor and the ID in the feed', async () => {
    await assert.rejects(read('2026-01-02', '2026-01-01', '2026-01-02'), {
      name: 'ContentError',
      message: 'content/api-changelog.yaml: 2026-01-02 is listed twice: the changes of a day are one entry',
    });
  });
});
