/**
 * A chat model behind an endpoint: sends requests in the dialect that the endpoint accepts, and charges them to the token budget.
 */
import { afterRefusal, type ChatDialect, chatBody, firstDialect, type WireMessage } from './chat-dialect.ts';
import { readChatReply, readChatStream } from './chat-replies.ts';
import { type Endpoint, post, readJson } from './endpoint.ts';
import type { Guard } from './guard.ts';
import { EndpointRefusal, ModelError } from './model-error.ts';
import { Permission } from './permission.ts';
import type { CompletionOptions } from './port.ts';
import { withoutThoughts } from './thoughts.ts';
import { type TokenBudget, tokensOf } from './token-budget.ts';

export interface ChatParts {
  readonly endpoint: Endpoint;
  readonly guard: Guard;
  readonly budget: TokenBudget;
}

export interface Chat {
  complete(messages: readonly WireMessage[], options: CompletionOptions): Promise<string>;
  stream(messages: readonly WireMessage[], options: CompletionOptions): AsyncGenerator<string, void>;
}

/** Upper bound of the average token length: a longer reply ignores its limit. */
const CHARACTERS_PER_TOKEN = 16;
/** Estimated tokens of one picture: those of a large one with hosted models. */
const TOKENS_OF_A_PICTURE = 1_500;

const sizeOf = ({ content }: WireMessage): number =>
  typeof content === 'string' ? tokensOf(content.length) : TOKENS_OF_A_PICTURE;

/** Removes the code fence around JSON, which models add when only the prompt asks for JSON. */
const withoutFence = (text: string): string => /^\s*```(?:json)?\s*([\s\S]*?)\s*```\s*$/.exec(text)?.[1] ?? text;

export const createChat = ({ endpoint, guard, budget }: ChatParts): Chat => {
  const { name, model } = endpoint;
  let known: ChatDialect = firstDialect;

  /** Sends the request in the known dialect, then in others while the endpoint refuses; remembers the one that it accepts. */
  const ask = async (
    messages: readonly WireMessage[],
    options: CompletionOptions,
    { stream, signal }: { stream: boolean; signal: AbortSignal },
  ): Promise<Response> => {
    let dialect: ChatDialect | null = known;
    for (;;) {
      const current: ChatDialect = dialect;
      const body = chatBody({ model, messages, options, stream }, current);
      try {
        const reply = await post(endpoint, { path: '/chat/completions', body, signal });
        known = current;
        return reply;
      } catch (error) {
        if (!(error instanceof EndpointRefusal)) throw error;
        dialect = afterRefusal(error, current, { schema: options.schema !== undefined, stream });
        if (dialect === null) throw error;
      }
    }
  };

  /** Returns the charge for a failed call: all reserved tokens when the endpoint may have processed the request, else none. */
  const chargeFor = (error: unknown, reserved: number): number =>
    error instanceof ModelError && ['unavailable', 'refused', 'circuit_open'].includes(error.code) ? 0 : reserved;

  return {
    complete: async (messages, options) => {
      Permission.check(options.permission, name);
      const prompt = messages.reduce((sum, message) => sum + sizeOf(message), 0);
      const reserved = prompt + options.maxTokens;
      const settle = budget.reserve(reserved);
      const work = async (signal: AbortSignal) => {
        const reply = await ask(messages, options, { stream: false, signal });
        return readChatReply(await readJson(reply, name), name);
      };
      try {
        const { text, tokens } = await guard.run(work, options.signal);
        settle(tokens ?? prompt + tokensOf(text.length));
        const reply = withoutThoughts()(text);
        if (reply.trim() === '') throw new ModelError('bad_reply', `The reply of the ${name} has no text`);
        return options.schema ? checkJson(withoutFence(reply), name) : reply;
      } catch (error) {
        settle(chargeFor(error, reserved));
        throw error;
      }
    },

    stream: async function* (messages, options) {
      Permission.check(options.permission, name);
      const prompt = messages.reduce((sum, message) => sum + sizeOf(message), 0);
      const settle = budget.reserve(prompt + options.maxTokens);
      const open = async function* (signal: AbortSignal) {
        const reply = await ask(messages, options, { stream: true, signal });
        yield* readChatStream(reply.body, name);
      };
      const filter = withoutThoughts();
      let [characters, counted, shown]: [number, number | null, boolean] = [0, null, false];
      try {
        for await (const { text, tokens } of guard.stream(open, options.signal)) {
          counted = tokens ?? counted;
          characters += text.length;
          if (characters > options.maxTokens * CHARACTERS_PER_TOKEN)
            throw new ModelError('bad_reply', `The ${name} does not stop`);
          const piece = filter(text);
          shown ||= piece.trim() !== '';
          if (piece) yield piece;
        }
        if (!shown) throw new ModelError('bad_reply', `The reply of the ${name} has no text`);
      } catch (error) {
        settle(counted ?? (characters ? prompt + tokensOf(characters) : chargeFor(error, prompt)));
        throw error;
      } finally {
        settle(counted ?? prompt + tokensOf(characters));
      }
    },
  };
};

const checkJson = (text: string, name: string): string => {
  try {
    JSON.parse(text);
    return text;
  } catch (cause) {
    // The message of the JSON parser would quote the reply.
    throw new ModelError('bad_reply', `The reply of the ${name} is not JSON`, { cause: (cause as Error).name });
  }
};
