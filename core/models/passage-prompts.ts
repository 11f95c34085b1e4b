/** Prefixes that some embedding models require before a text, from their model cards; without them retrieval is worse. */

export interface Prompts {
  readonly query: string;
  readonly passage: string;
  /** The pooling: `mean` of the token vectors, or the vector of the first token (`cls`). */
  readonly pooling: 'mean' | 'cls';
}

const none: Prompts = { query: '', passage: '', pooling: 'mean' };

/**
 * Returns the prompts by model name, as used by hubs, Ollama and folders, such as `Xenova/multilingual-e5-small` or
 * `bge-small-en-v1.5`.
 */
export const promptsOf = (name: string): Prompts => {
  const model = name.toLowerCase();
  // The instruction-tuned E5 models expect a task description instead.
  if (/(^|[/_-])e5[-_]/.test(model) && !/instruct|mistral/.test(model))
    return { query: 'query: ', passage: 'passage: ', pooling: 'mean' };
  if (/(^|[/_-])bge-(small|base|large)-en/.test(model))
    return { query: 'Represent this sentence for searching relevant passages: ', passage: '', pooling: 'cls' };
  if (/(^|[/_-])nomic-embed-text/.test(model))
    return { query: 'search_query: ', passage: 'search_document: ', pooling: 'mean' };
  return none;
};
