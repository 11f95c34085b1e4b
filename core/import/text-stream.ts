/** Decodes bytes into text as a stream, checks the format of the text, and splits it into lines. */
import { TextDecoder } from 'node:util';
import { UnreadableInput } from './unreadable-input.ts';

/** Decoded text in chunks. After reading, `damaged` is true when the input contained bytes that are invalid in the encoding. */
export interface TextStream {
  readonly chunks: AsyncIterable<string>;
  readonly encoding: string;
  readonly damaged: boolean;
}

const byteOrderMarks: readonly (readonly [string, readonly number[]])[] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
  ['utf-16le', [0x3c, 0x00, 0x3f, 0x00]],
  ['utf-16be', [0x00, 0x3c, 0x00, 0x3f]],
];

const encodingOf = (head: Uint8Array): string => {
  const marked = byteOrderMarks.find(([, mark]) => mark.every((byte, index) => head[index] === byte));
  if (marked !== undefined) return marked[0];
  const start = Buffer.from(head.subarray(0, 200)).toString('latin1');
  const declared = /^\s*<\?xml[^>]*?\sencoding\s*=\s*["']([^"']+)["']/.exec(start)?.[1] ?? 'utf-8';
  // A declaration that is readable as ASCII proves that the text is not UTF-16, whatever the declaration says.
  return /^utf-?16/i.test(declared) ? 'utf-8' : declared;
};

const decoderFor = (encoding: string): TextDecoder => {
  try {
    return new TextDecoder(encoding);
  } catch {
    throw new UnreadableInput(`declares an encoding unknown here, "${encoding.slice(0, 40)}"`);
  }
};

/**
 * Joins the first chunks until there are enough bytes to detect the encoding: members of an archive may begin with a few bytes.
 */
async function* withHead(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let head: Buffer | undefined = Buffer.alloc(0);
  for await (const chunk of bytes) {
    if (head === undefined) {
      yield chunk;
      continue;
    }
    head = Buffer.concat([head, chunk]);
    if (head.length < 256) continue;
    yield head;
    head = undefined;
  }
  if (head !== undefined && head.length > 0) yield head;
}

const replacement = Buffer.from('\ufffd');

/** Decodes bytes according to their byte order mark, else the XML declaration, else as UTF-8. */
export const decodeText = (bytes: AsyncIterable<Uint8Array>): TextStream => {
  const state = { encoding: 'utf-8', damaged: false };
  async function* chunks(): AsyncGenerator<string> {
    let decoder: TextDecoder | undefined;
    for await (const chunk of withHead(bytes)) {
      if (decoder === undefined) {
        state.encoding = encodingOf(chunk);
        decoder = decoderFor(state.encoding);
      }
      const text = decoder.decode(chunk, { stream: true });
      if (text.includes('\ufffd') && Buffer.from(chunk).indexOf(replacement) < 0) state.damaged = true;
      if (text !== '') yield text;
    }
    const rest = decoder?.decode() ?? '';
    if (rest !== '') state.damaged = true;
  }
  return {
    chunks: chunks(),
    get encoding() {
      return state.encoding;
    },
    get damaged() {
      return state.damaged;
    },
  };
};

export type TextFormat = 'xml' | 'json' | 'lines';

const looksBinary = (head: string): boolean => {
  const start = head.slice(0, 1000);
  const strange = start.match(/\ufffd|(?![\t-\r])\p{Cc}/gu)?.length ?? 0;
  return start.includes('\u0000') || strange > start.length / 20;
};

/**
 * Matches the start of an HTML page. A comment ends at its first terminator; otherwise backtracking would try every combination
 * of terminators.
 */
const HTML = /^(?:<\?xml[^>]*>\s*)?(?:<!--(?:(?!-->).)*-->\s*)*<(?:!doctype\s+html|html)[\s>]/is;

const contentOf = (head: string): string => {
  if (head.startsWith('PK\u0003\u0004')) return 'a ZIP archive';
  if (head.startsWith('%PDF')) return 'a PDF document';
  if (looksBinary(head)) return 'binary data';
  if (HTML.test(head)) return 'an HTML page';
  if (head.startsWith('<')) return 'XML';
  if (/^(?:\[\s*[{\]]|\{\s*["}])/.test(head)) return 'JSON';
  return 'text';
};

const fits: Readonly<Record<TextFormat, readonly string[]>> = { xml: ['XML'], json: ['JSON'], lines: ['text'] };

/**
 * Passes text through after it has checked the beginning.
 * @throws UnreadableInput when the text is empty, binary or in another format.
 */
export async function* expectFormat(
  chunks: AsyncIterable<string>,
  format: TextFormat,
  wanted: string,
): AsyncGenerator<string> {
  let head: string | undefined = '';
  for await (const chunk of chunks) {
    if (head === undefined) {
      yield chunk;
      continue;
    }
    head = (head + chunk).trimStart();
    if (head === '') continue;
    const content = contentOf(head);
    if (!fits[format].includes(content)) throw new UnreadableInput(`holds ${content}, not ${wanted}`);
    yield head;
    head = undefined;
  }
  if (head === '') throw new UnreadableInput('is empty');
}

const longestLine = 8 * 1024 * 1024;

/** Splits text into lines without their terminators (LF, CRLF or CR). */
export async function* linesOf(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = '';
  let held: string[] = [];
  let heldLength = 0;
  for await (const chunk of chunks) {
    // A line that spans many chunks is joined once instead of with each chunk.
    if (!/[\r\n]/.test(chunk) && !(held.at(-1) ?? rest).endsWith('\r')) {
      held.push(chunk);
      heldLength += chunk.length;
      if (rest.length + heldLength > longestLine)
        throw new UnreadableInput('has a line of more than 8 million characters');
      continue;
    }
    const text = rest + held.join('') + chunk;
    [held, heldLength] = [[], 0];
    // A CR at the end of a chunk may be the first half of a CRLF.
    const whole = text.endsWith('\r') ? text.slice(0, -1) : text;
    const lines = whole.split(/\r\n|\r|\n/);
    rest = (lines.pop() ?? '') + text.slice(whole.length);
    if (rest.length > longestLine) throw new UnreadableInput('has a line of more than 8 million characters');
    yield* lines;
  }
  rest += held.join('');
  if (rest !== '') yield rest.replace(/\r$/, '');
}
