/**
 * The model ports: what the features ask of models, whatever stands behind them. Each is null when the operator
 * configured none; the feature then uses its local default, so that nothing is missing without a model.
 * Calls reject with ModelError and never hang: time-outs, retries, budget and circuit breaker are the port's business.
 * Each call carries a permission (permission.ts); a model behind an endpoint refuses every call without one.
 */
import type { HandOver, Permission } from './permission.ts';

export interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
}

export interface CompletionOptions {
  /** To hand over the messages or the picture; null is refused. */
  readonly permission: Permission | null;
  /** At most this many tokens are asked for. */
  readonly maxTokens: number;
  /** 0 unless given. */
  readonly temperature?: number;
  /** A JSON schema that the reply must fit; asked of the endpoint, and checked again by the caller. */
  readonly schema?: object;
  readonly signal?: AbortSignal;
}

/** A chat model behind an OpenAI-compatible endpoint. */
export interface LanguageModel {
  readonly name: string;
  complete(messages: readonly ChatMessage[], options: CompletionOptions): Promise<string>;
  /** Pieces of the reply as they come. */
  stream(messages: readonly ChatMessage[], options: CompletionOptions): AsyncIterable<string>;
}

/** Reads an image (PNG, JPEG, WEBP bytes) by a prompt. */
export interface VisionModel {
  readonly name: string;
  read(image: Buffer, prompt: string, options: CompletionOptions): Promise<string>;
}

/** Texts to unit vectors of `dimensions` numbers. */
export interface Embedder {
  readonly name: string;
  readonly dimensions: number;
  embed(texts: readonly string[], kind: 'query' | 'passage', handOver: HandOver): Promise<readonly Float32Array[]>;
}

/** How well each passage answers the query: comparable within one call only, higher is better. */
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
