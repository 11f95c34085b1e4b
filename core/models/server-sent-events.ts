/** Reads the data of server-sent events, as chat endpoints stream them. */
import { ModelError } from './model-error.ts';

/** A single event is never this long; more is not what was asked for. */
const LONGEST_EVENT = 1_000_000;

const dataOf = (event: string): string =>
  event
    .split(/\r\n|\r|\n/)
    .filter((line) => line.startsWith('data:'))
    .map((line) => line.slice(5).replace(/^ /, ''))
    .join('\n');

/** The `data` of each event that has any; an event that the end of the stream cut off is left out. */
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
