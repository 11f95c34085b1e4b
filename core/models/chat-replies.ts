/** Parses the replies of a chat endpoint, complete or streamed. */
import { ModelError } from './model-error.ts';
import { eventData } from './server-sent-events.ts';

interface Choice {
  readonly message?: { readonly content?: unknown; readonly refusal?: unknown };
  readonly delta?: { readonly content?: unknown; readonly refusal?: unknown };
  readonly finish_reason?: unknown;
}

interface ChatReply {
  readonly choices?: readonly (Choice | undefined)[];
  readonly usage?: { readonly total_tokens?: unknown } | null;
  readonly error?: unknown;
}

/** A piece of a reply; `tokens` is the endpoint's count for the whole call and occurs at most once. */
export interface ChatPiece {
  readonly text: string;
  readonly tokens: number | null;
}

const tokensIn = ({ usage }: ChatReply): number | null =>
  typeof usage?.total_tokens === 'number' && usage.total_tokens >= 0 ? usage.total_tokens : null;

/** Throws when the model refused or its reply was truncated: half a sentence about a dose may mean the opposite. */
const checkEnding = ({ finish_reason }: Choice, refusal: unknown, name: string): void => {
  if (finish_reason === 'content_filter' || (typeof refusal === 'string' && refusal !== ''))
    throw new ModelError('refused', `The ${name} would not answer`);
  if (finish_reason === 'length') throw new ModelError('bad_reply', `The reply of the ${name} was cut at its limit`);
};

/**
 * Parses a complete reply.
 * @throws ModelError `refused`, or `bad_reply` when there is no text or it was truncated.
 */
export const readChatReply = (reply: unknown, name: string): ChatPiece => {
  const whole = (reply ?? {}) as ChatReply;
  const choice = Array.isArray(whole.choices) ? whole.choices[0] : undefined;
  if (choice) checkEnding(choice, choice.message?.refusal, name);
  const content = choice?.message?.content;
  if (typeof content !== 'string' || content.trim() === '')
    throw new ModelError('bad_reply', `The reply of the ${name} has no text`);
  return { text: content, tokens: tokensIn(whole) };
};

const parseEvent = (data: string, name: string): ChatReply => {
  try {
    const event: unknown = JSON.parse(data);
    if (event !== null && typeof event === 'object') return event as ChatReply;
  } catch {
    // The error is thrown below.
  }
  throw new ModelError('bad_reply', `The stream of the ${name} has something that is not JSON`);
};

/**
 * Parses a streamed reply.
 * @throws ModelError `bad_reply` when the stream is invalid or ends before the reply does.
 */
export async function* readChatStream(
  body: ReadableStream<Uint8Array> | null,
  name: string,
): AsyncGenerator<ChatPiece, void> {
  let finished = false;
  for await (const data of eventData(body ?? new ReadableStream())) {
    if (data === '[DONE]') {
      finished = true;
      break;
    }
    const event = parseEvent(data, name);
    if (event.error) throw new ModelError('unavailable', `The ${name} failed within its reply`);
    const choice = Array.isArray(event.choices) ? event.choices[0] : undefined;
    const content = choice?.delta?.content;
    const tokens = tokensIn(event);
    if ((typeof content === 'string' && content !== '') || tokens !== null)
      yield { text: typeof content === 'string' ? content : '', tokens };
    if (choice) checkEnding(choice, choice.delta?.refusal, name);
    if (choice?.finish_reason) finished = true;
  }
  if (!finished) throw new ModelError('bad_reply', `The stream of the ${name} broke off`);
}
