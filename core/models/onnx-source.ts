/** Locates an ONNX model and reads the settings in its folder. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { OperatorError } from '../errors.ts';
import { type Prompts, promptsOf } from './passage-prompts.ts';

/** A folder in the layout of the hub (config.json, tokenizer.json, onnx/model.onnx), or a name on the hub. */
export type OnnxSource =
  | { readonly kind: 'folder'; readonly parent: string; readonly name: string; readonly dtype: string }
  /** A model that is downloaded once into the cache folder. */
  | { readonly kind: 'hub'; readonly name: string; readonly cacheDir: string; readonly dtype: string };

/** Weight files in order of preference, with the library's name for each data type. */
const WEIGHTS: readonly (readonly [string, string])[] = [
  ['model.onnx', 'fp32'],
  ['model_fp16.onnx', 'fp16'],
  ['model_quantized.onnx', 'q8'],
  ['model_int8.onnx', 'int8'],
  ['model_uint8.onnx', 'uint8'],
];

/**
 * Checks a model folder.
 * @throws OperatorError that names the missing files.
 */
export const folderSource = (setting: string, path: string): OnnxSource => {
  const missing = ['config.json', 'tokenizer.json', 'tokenizer_config.json'].filter(
    (name) => !existsSync(join(path, name)),
  );
  const weights = WEIGHTS.find(([name]) => existsSync(join(path, 'onnx', name)));
  if (!weights) missing.push('onnx/model.onnx');
  if (missing.length || !weights) throw new OperatorError(`${setting}: ${path} has no ${missing.join(', ')}`);
  return { kind: 'folder', parent: `${dirname(path)}/`, name: basename(path), dtype: weights[1] };
};

const readObject = async (path: string): Promise<Readonly<Record<string, unknown>>> => {
  const text = await readFile(path, 'utf8').catch(() => '{}');
  return JSON.parse(text) as Record<string, unknown>;
};

/** Returns the prompts and the pooling of a model; its folder's own files take precedence over the defaults for its name. */
export const promptsAt = async (source: OnnxSource): Promise<Prompts> => {
  const byName = promptsOf(source.name);
  if (source.kind === 'hub') return byName;
  const folder = join(source.parent, source.name);
  const { prompts } = await readObject(join(folder, 'config_sentence_transformers.json'));
  const pooling = await readObject(join(folder, '1_Pooling', 'config.json'));
  const told = (prompts ?? {}) as { query?: string; passage?: string; document?: string };
  const hasPooling = pooling.pooling_mode_cls_token !== undefined;
  return {
    query: told.query ?? byName.query,
    passage: told.passage ?? told.document ?? byName.passage,
    pooling: hasPooling ? (pooling.pooling_mode_cls_token === true ? 'cls' : 'mean') : byName.pooling,
  };
};
