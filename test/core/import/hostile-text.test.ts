/** Tests texts that are crafted to take more than linear time to read. */
import assert from 'node:assert/strict';
import { jsonObjects } from '#core/import/json-objects.ts';
import { expectFormat, linesOf } from '#core/import/text-stream.ts';
import { UnreadableInput } from '#core/import/unreadable-input.ts';
import { taggedRecords } from '#plugins/evidence/importers/tagged-records.ts';
import { xmlRecords } from '#plugins/evidence/importers/xml-records.ts';

const PIECE = 4_096;

async function* pieces(text: string): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += PIECE) yield text.slice(at, at + PIECE);
}

const all = async <T>(from: AsyncIterable<T>): Promise<T[]> => {
  const found: T[] = [];
  for await (const one of from) found.push(one);
  return found;
};

/** Measures processor seconds, because wall time also depends on the load of the machine. */
const secondsOf = async (work: () => Promise<unknown>): Promise<number> => {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
};

const MOST_SECONDS = 3;
const quickly = async (work: () => Promise<unknown>): Promise<void> => {
  const seconds = await secondsOf(work);
  assert.ok(seconds < MOST_SECONDS, `${seconds.toFixed(1)} s`);
};

describe('reading a hostile text', () => {
  it('is fast where many comments precede the root element', () =>
    quickly(async () => {
      const text = `${'<!---->'.repeat(500)}<x>`;
      assert.equal((await all(expectFormat(pieces(text), 'xml', 'XML'))).join(''), text);
      await assert.rejects(all(expectFormat(pieces(`${'<!---->'.repeat(500)}<html>`), 'xml', 'XML')), /an HTML page/);
    }));

  it('joins a line from thousands of pieces quickly, and rejects an endless one', () =>
    quickly(async () => {
      const long = 'a'.repeat(8_000_000);
      const lines = await all(linesOf(pieces(`x\r\n${long}\n${long}\ry\r`)));
      assert.deepEqual(
        lines.map((line) => line.length),
        [1, long.length, long.length, 1],
      );
      await assert.rejects(all(linesOf(pieces(long.repeat(2)))), UnreadableInput);
    }));

  it('joins an object from thousands of pieces quickly', () =>
    quickly(async () => {
      const text = JSON.stringify({ results: [{ a: 'x'.repeat(24_000_000) }, { b: 1 }] });
      const found = await all(jsonObjects(pieces(text), 'results'));
      assert.deepEqual(
        found.map(({ json }) => json.length),
        [24_000_008, 7],
      );
    }));

  it('appends a hundred thousand lines to one value quickly', () =>
    quickly(async () => {
      const syntax = {
        line: /^([A-Z]{2,4}) *- (.*)$/,
        begins: 'PMID',
        ends: '',
        blankEnds: true,
        isContinuation: (line: string) => line.startsWith('      '),
      };
      const text = `PMID- 1\nAB  - begin\n${'      and so on and on\n'.repeat(100_000)}`;
      const [piece] = await all(taggedRecords(pieces(text), syntax));
      assert.equal(piece?.type === 'record' && piece.record.first('AB').length, 5 + 100_000 * 17);
    }));

  it('is fast for a document type without an end', () =>
    quickly(async () => {
      const text = `<!DOCTYPE ${'a'.repeat(16_000_000)}`;
      await all(xmlRecords(pieces(text), ['PubmedArticle']).pieces).catch(() => undefined);
    }));
});
