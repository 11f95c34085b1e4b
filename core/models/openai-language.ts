/** Opens a chat model behind an OpenAI-compatible endpoint: hosted ones, Ollama, vLLM, the llama.cpp server. */
import { type ChatParts, createChat } from './chat.ts';
import type { LanguageModel } from './port.ts';

export const openaiLanguage = (parts: ChatParts): LanguageModel => {
  const chat = createChat(parts);
  return { name: parts.endpoint.model, complete: chat.complete, stream: chat.stream };
};
