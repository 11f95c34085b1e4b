/** Runs mutated files through the real parsers; this is the short form of `npm run bench -- fuzz-files`. */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { fuzzFiles } from '../../../bench/attacks/fuzz.ts';

const FILES = 160;

describe('file parsers', () => {
  it('handle mutated files without a crash, within the time and memory limits of a file', async function () {
    this.timeout(600_000);
    const { files, findings, outcomes } = await fuzzFiles({ files: FILES, seed: 1 });
    equal(files, FILES);
    deepEqual(findings, []);
    // Some mutated files of each format must parse; otherwise the mutations would only exercise the first check.
    for (const format of ['pdf', 'fhir', 'xml', 'clinical'])
      ok((outcomes.get(`${format}: read`) ?? 0) > 0, `${format}: ${[...outcomes].join(' ')}`);
  });
});
