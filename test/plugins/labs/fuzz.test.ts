/** Mutated files, read by the real readers: the short form of `npm run bench -- fuzz-files`. */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { fuzzFiles } from '../../../bench/attacks/fuzz.ts';

const FILES = 160;

describe('mutated files', () => {
  it('end no reader, and take no more time and memory than a file may', async function () {
    this.timeout(600_000);
    const { files, findings, outcomes } = await fuzzFiles({ files: FILES, seed: 1 });
    equal(files, FILES);
    deepEqual(findings, []);
    // Some of these formats are read: else the mutations would only try the first check.
    for (const format of ['pdf', 'fhir', 'xml', 'clinical'])
      ok((outcomes.get(`${format}: read`) ?? 0) > 0, `${format}: ${[...outcomes].join(' ')}`);
  });
});
