/**
 * The model ports, through which features use models. A port is null when the operator configured no model; the feature then uses
 * its local default, so that everything works without a model. Calls reject with ModelError and never hang: the ports handle
 * timeouts, retries, the budget and the circuit breaker. Each call carries a permission (permission.ts); a model behind an
 * endpoint refuses every call without one.
 */
import type { HandOver, Permission } from './permission.ts';

export interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
}

export interface CompletionOptions {
  /** Permission to send the messages or the picture; null is refused. */
  readonly permission: Permission | null;
  /** Maximum number of tokens in the reply. */
  readonly maxTokens: number;
  /** 0 by default. */
  readonly temperature?: number;
  /** JSON schema of the reply. It is sent to the endpoint, and the caller must validate the reply again. */
  readonly schema?: object;
  readonly signal?: AbortSignal;
}

/** A chat model behind an OpenAI-compatible endpoint. */
export interface LanguageModel {
  readonly name: string;
  complete(messages: readonly ChatMessage[], options: CompletionOptions): Promise<string>;
  /** Yields the reply in pieces. */
  stream(messages: readonly ChatMessage[], options: CompletionOptions): AsyncIterable<string>;
}

/** A model that reads an image (PNG, JPEG or WEBP bytes) with a prompt. */
export interface VisionModel {
  readonly name: string;
  read(image: Buffer, prompt: string, options: CompletionOptions): Promise<string>;
}

/** A model that converts texts to unit vectors of `dimensions` numbers. */
export interface Embedder {
  readonly name: string;
  readonly dimensions: number;
  embed(texts: readonly string[], kind: 'query' | 'passage', handOver: HandOver): Promise<readonly Float32Array[]>;
}

/** A model that scores how well each passage answers the query: higher is better; scores are comparable within one call only. */
export interface CrossEncoder {
  readonly name: string;
  score(query: string, passages: readonly string[], handOver: HandOver): Promise<readonly number[]>;
}

export interface Models {
  readonly language: LanguageModel | null;
  readonly vision: VisionModel | null;
  readonly embedder: Embedder | null;
  readonly crossEncoder: CrossEncoder | null;
}
