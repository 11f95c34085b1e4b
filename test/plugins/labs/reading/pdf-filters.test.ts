/** Tests the stream filters of PDF with vectors of the standard, and files that unpack to far more than they contain. */
import assert from 'node:assert/strict';
import { deflateSync } from 'node:zlib';
import { ReadingFailure } from '#plugins/labs/reading/failure.ts';
import { decodeFilter, TooMuch } from '#plugins/labs/reading/pdf-filters.ts';
import { checkStreams } from '#plugins/labs/reading/pdf-streams.ts';

const MOST = 1_000_000;
const decoded = (filter: string, bytes: Buffer): string | undefined =>
  decodeFilter(filter, bytes, MOST)?.toString('latin1');

/** Creates a stream object; `length` is what its dictionary says. */
const stream = (filters: readonly string[], content: Buffer, length = content.length): Buffer =>
  Buffer.concat([
    Buffer.from(
      `%PDF-1.4\n9 0 obj\n<< /Length ${length} /Filter [${filters.map((name) => `/${name}`).join(' ')}] >>\nstream\n`,
    ),
    content,
    Buffer.from('\nendstream\nendobj\n'),
  ]);

/** Encodes zeros by LZW: each code stands for one zero more than the one before it, until the table is full. */
const lzwZeros = (rounds: number): Buffer => {
  let bits = '';
  for (let round = 0; round < rounds; round += 1) {
    bits += (256).toString(2).padStart(round === 0 ? 9 : 12, '0') + '0'.repeat(9);
    for (let code = 258; code < 4_096; code += 1)
      bits += code.toString(2).padStart(Math.min(12, Math.floor(Math.log2(code + 1)) + 1), '0');
  }
  return Buffer.from((bits.match(/.{1,8}/g) ?? []).map((byte) => Number.parseInt(byte.padEnd(8, '0'), 2)));
};

describe('filters of PDF streams', () => {
  it('decodes the LZW example of the standard', () => {
    assert.equal(decoded('LZWDecode', Buffer.from('800b6050220c0c8501', 'hex')), '-----A---B');
  });

  it('decodes sequences of LZW codes of 9 to 12 bits', () => {
    const zeros = decodeFilter('LZW', lzwZeros(1), 10 * MOST);
    const codes = 4_096 - 258;
    assert.equal(zeros?.length, 1 + ((codes + 1) * (codes + 2)) / 2 - 1);
    assert.ok(zeros?.every((byte) => byte === 0));
  });

  it('decodes runs, and stops at their end mark', () => {
    const runs = Buffer.from([2, 97, 98, 99, 254, 100, 128, 1, 120, 121]);
    assert.equal(decoded('RunLengthDecode', runs), 'abcddd');
    assert.equal(decoded('RL', Buffer.from([5, 97])), 'a');
  });

  it('decodes ASCII filters', () => {
    assert.equal(decoded('ASCIIHexDecode', Buffer.from('48 65 6C6c 6F 7>41')), 'Hellop');
    assert.equal(decoded('ASCII85Decode', Buffer.from('87cUR D]i,"\nEbo80~>41')), 'Hello World!');
    assert.equal(decoded('A85', Buffer.from('z9jqo^~>')), '\0\0\0\0Man ');
    assert.equal(decoded('A85', Buffer.from('9jqo~>')), 'Man');
  });

  it('returns null for filters of pictures and for damaged data', () => {
    assert.equal(decodeFilter('DCTDecode', Buffer.from('x'), MOST), null);
    assert.equal(decodeFilter('FlateDecode', Buffer.from('not packed'), MOST), null);
  });

  it('stops at the maximum size', () => {
    for (const [filter, bytes] of [
      ['LZWDecode', lzwZeros(1)],
      ['RunLengthDecode', Buffer.alloc(20_000, 0x81)],
      ['FlateDecode', deflateSync(Buffer.alloc(2 * MOST))],
      ['ASCII85Decode', Buffer.alloc(MOST / 2, 'z')],
      ['ASCIIHexDecode', Buffer.alloc(3 * MOST, '4')],
    ] as const)
      assert.throws(() => decodeFilter(filter, bytes, MOST), TooMuch, filter);
  });

  it('rejects a report in which a chain of filters of any kind unpacks to more than a report has', () => {
    const runs = Buffer.alloc(300, 0x81);
    const hex = (bytes: Buffer): Buffer => Buffer.from(`${bytes.toString('hex')}>`);
    for (const [filters, content] of [
      [['RunLengthDecode', 'RunLengthDecode', 'RL', 'RL'], runs],
      [['ASCIIHexDecode', 'RL', 'RL', 'RL'], hex(Buffer.alloc(3_000, 0x81))],
      [['LZWDecode', 'FlateDecode'], lzwZeros(30)],
      [['AHx', 'FlateDecode'], hex(deflateSync(Buffer.alloc(170 * MOST)))],
    ] as const)
      assert.throws(() => checkStreams(stream(filters, content)), ReadingFailure, filters.join(' '));
    assert.doesNotThrow(() => checkStreams(stream(['RL', 'RL'], runs)));
    assert.doesNotThrow(() =>
      checkStreams(stream(['AHx', 'FlateDecode'], hex(deflateSync('q BT (Ferritin) Tj ET Q')))),
    );
  });

  it('checks a stream as far as its dictionary says, beyond an end mark within it', () => {
    const content = Buffer.concat([Buffer.from([10]), Buffer.from('\nendstream\n'), Buffer.alloc(300, 0x81)]);
    assert.throws(() => checkStreams(stream(['RL', 'RL', 'RL', 'RL'], content)), ReadingFailure);
  });

  it('rejects many streams that are each read to the end of the file', () => {
    const open = '9 0 obj\n<< /Length 9999999 /Filter /AHx >>\nstream\n';
    assert.throws(() => checkStreams(Buffer.from(open.repeat(6_000) + ' '.repeat(200_000))), ReadingFailure);
  });
});
