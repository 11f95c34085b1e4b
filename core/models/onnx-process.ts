/**
 * Runs one ONNX model in a child process. The runtime computes synchronously and would block every request; in a thread it could
 * not be stopped without ending the whole program. The process receives the model to load, then batches, and sends numbers.
 * Errors are reported with our own messages, because the library's would contain the texts. The process ends when the IPC channel
 * closes.
 */
import type { OnnxSource } from './onnx-source.ts';
import { type Library, loadLibrary } from './transformers-library.ts';

export type OnnxTask = 'embed' | 'score';

export interface OnnxWork {
  readonly task: OnnxTask;
  readonly source: OnnxSource;
  readonly pooling: 'mean' | 'cls';
}

/** For `embed` the texts; for `score` the passages, each scored against the query. */
export interface OnnxBatch {
  readonly texts: readonly string[];
  readonly query: string;
}

/** The `numbers` of all texts in sequence, `perText` for each: a vector, or one score. */
export type OnnxAnswer =
  | { readonly kind: 'ready' }
  | { readonly kind: 'numbers'; readonly numbers: Float32Array; readonly perText: number }
  | { readonly kind: 'failed'; readonly message: string };

type Run = (batch: OnnxBatch) => Promise<{ numbers: Float32Array; perText: number }>;

const open = ({ source }: OnnxWork): Library => {
  const library = loadLibrary();
  const { env } = library;
  env.allowRemoteModels = source.kind === 'hub';
  env.allowLocalModels = source.kind === 'folder';
  if (source.kind === 'folder') env.localModelPath = source.parent;
  else env.cacheDir = source.cacheDir;
  return library;
};

const embedder = async ({ source, pooling }: OnnxWork, library: Library): Promise<Run> => {
  const extract = await library.pipeline('feature-extraction', source.name, { dtype: source.dtype });
  return async ({ texts }) => {
    const { data, dims } = await extract(texts, { pooling, normalize: true });
    return { numbers: Float32Array.from(data), perText: dims.at(-1) ?? 0 };
  };
};

const crossEncoder = async ({ source }: OnnxWork, library: Library): Promise<Run> => {
  const tokenizer = await library.AutoTokenizer.from_pretrained(source.name);
  const model = await library.AutoModelForSequenceClassification.from_pretrained(source.name, { dtype: source.dtype });
  return async ({ query, texts }) => {
    const pairs = { text_pair: [...texts], padding: true, truncation: true };
    const { logits } = await model(tokenizer(new Array<string>(texts.length).fill(query), pairs));
    const labels = logits.dims.at(-1) ?? 0;
    if (labels !== 1 && labels !== 2) throw new Error('labels');
    // The two labels are "no" and "yes".
    const numbers = Float32Array.from(texts, (_, at) =>
      labels === 1
        ? (logits.data[at] as number)
        : (logits.data[2 * at + 1] as number) - (logits.data[2 * at] as number),
    );
    return { numbers, perText: 1 };
  };
};

const answer = (message: OnnxAnswer): void => void process.send?.(message);

const load = async (work: OnnxWork): Promise<Run> => {
  const library = open(work);
  return work.task === 'embed' ? embedder(work, library) : crossEncoder(work, library);
};

let run: Run | null = null;

const take = async (message: OnnxWork | OnnxBatch): Promise<OnnxAnswer> => {
  if ('texts' in message) {
    if (!run) throw new Error('no model');
    return { kind: 'numbers', ...(await run(message)) };
  }
  run = await load(message);
  return { kind: 'ready' };
};

process.on('message', (message: OnnxWork | OnnxBatch) => {
  take(message).then(answer, (error: Error) => {
    // An error before the first text is shown to the operator, because it names the missing or unreadable file.
    const words = run ? 'the model failed on a text' : `the model cannot be loaded: ${error.message.split('\n')[0]}`;
    answer({ kind: 'failed', message: words });
  });
});
