import assert from 'node:assert/strict';
import { formats } from '#plugins/evidence/formats/index.ts';
import { toRecord } from '#plugins/evidence/source-view.ts';
import { article, bare, exported } from './support.ts';

describe('JSONL export', () => {
  it('writes the API record of each source on its own line, with the index version', () => {
    const lines = exported(formats.jsonl, [article, bare]).split('\n');
    assert.equal(lines.pop(), '');
    const records = lines.map((line) => JSON.parse(line));
    assert.deepEqual(
      records,
      [article, bare].map((source) => ({ ...toRecord(source), index_version: '2026-11-20.1' })),
    );
  });

  it('escapes line breaks of all kinds within a record', () => {
    const title = 'One\ntwo\r\nthree\u2028four\u2029five\u0085six';
    const text = exported(formats.jsonl, [{ ...article, title }]);
    assert.match(text, /^[^\n\r\u0085\u2028\u2029]+\n$/);
    assert.equal(JSON.parse(text).title, title);
  });

  it('is empty when there are no sources', () => {
    assert.equal(exported(formats.jsonl, []), '');
  });
});
