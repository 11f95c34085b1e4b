/** What some embedding models want before a text, by their model cards; without it they retrieve worse. */

export interface Prompts {
  readonly query: string;
  readonly passage: string;
  /** Which vector stands for the text: the mean of its tokens, or that of the first. */
  readonly pooling: 'mean' | 'cls';
}

const none: Prompts = { query: '', passage: '', pooling: 'mean' };

/** By the model's name as hubs, Ollama and folders write it, such as `Xenova/multilingual-e5-small` or `bge-small-en-v1.5`. */
export const promptsOf = (name: string): Prompts => {
  const model = name.toLowerCase();
  // The instruction-tuned E5 models want a task in words instead.
  if (/(^|[/_-])e5[-_]/.test(model) && !/instruct|mistral/.test(model))
    return { query: 'query: ', passage: 'passage: ', pooling: 'mean' };
  if (/(^|[/_-])bge-(small|base|large)-en/.test(model))
    return { query: 'Represent this sentence for searching relevant passages: ', passage: '', pooling: 'cls' };
  if (/(^|[/_-])nomic-embed-text/.test(model))
    return { query: 'search_query: ', passage: 'search_document: ', pooling: 'mean' };
  return none;
};
