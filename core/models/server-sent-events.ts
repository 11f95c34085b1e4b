/** Parses server-sent events, which chat endpoints use for streaming. */
import { ModelError } from './model-error.ts';

/** Maximum length of an event in characters; a longer one is not a valid reply. */
const LONGEST_EVENT = 1_000_000;

const dataOf = (event: string): string =>
  event
    .split(/\r\n|\r|\n/)
    .filter((line) => line.startsWith('data:'))
    .map((line) => line.slice(5).replace(/^ /, ''))
    .join('\n');

/** Yields the non-empty `data` of each event; an event that is truncated by the end of the stream is skipped. */
export async function* eventData(body: ReadableStream<Uint8Array>): AsyncGenerator<string, void> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const part of body) {
    rest += decoder.decode(part, { stream: true });
    const events = rest.split(/\r\n\r\n|\n\n|\r\r/);
    rest = events.pop() ?? '';
    if (rest.length > LONGEST_EVENT) throw new ModelError('bad_reply', 'An event of the stream has no end');
    for (const event of events) {
      const data = dataOf(event);
      if (data) yield data;
    }
  }
}
