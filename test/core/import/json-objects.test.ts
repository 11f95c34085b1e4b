import assert from 'node:assert/strict';
import { jsonObjects } from '#core/import/json-objects.ts';

/** Yields chunks of `size` characters, so that a chunk may end anywhere. */
async function* cut(text: string, size: number): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size);
}

const read = async (text: string, size: number): Promise<[number, unknown][]> => {
  const found: [number, unknown][] = [];
  for await (const { json, line } of jsonObjects(cut(text, size), 'results')) found.push([line, JSON.parse(json)]);
  return found;
};

const objects = [{ a: 1, b: { c: ['}', '{', '\\"', '"]'] } }, { d: 'line\nend and \\' }, {}];

describe('jsonObjects', () => {
  for (const size of [1, 2, 7, 1_000]) {
    it(`extracts objects from a list, a named list and JSON lines, ${size} characters at a time`, async () => {
      const values = objects.map((value) => value as unknown);
      const list = await read(JSON.stringify(objects), size);
      assert.deepEqual(
        list.map(([, value]) => value),
        values,
      );
      const named = { meta: { results: { total: 3 }, other: [{ no: 1 }] }, results: objects };
      const found = await read(JSON.stringify(named, null, 2), size);
      assert.deepEqual(
        found.map(([, value]) => value),
        values,
      );
      const lines = await read(objects.map((value) => JSON.stringify(value)).join('\n'), size);
      assert.deepEqual(
        lines,
        values.map((value, at) => [at + 1, value]),
      );
    });
  }

  it('reports a truncated text', async () => {
    await assert.rejects(read('{"results": [\n{"a": 1},\n{"b": ', 5), {
      message: 'is cut short: it ends inside the record of line 3',
    });
    await assert.rejects(read('{"results": [\n{"a": 1}', 5), { message: 'is cut short: it ends before its list does' });
  });
});
