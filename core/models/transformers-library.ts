/**
 * Loads the library that runs ONNX models. It is not a dependency, because it has 474 MB and the default needs no model. It is
 * resolved next to the program, and in the folders of NODE_PATH, where `npm ci` does not remove it.
 */
import { createRequire } from 'node:module';
import { OperatorError } from '../errors.ts';

const PACKAGE = '@huggingface/transformers';
/** The tested version. */
const LIBRARY_VERSION = '4.3.1';

const require = createRequire(import.meta.url);

/** A tensor as the library returns it. */
export interface Tensor {
  readonly dims: readonly number[];
  readonly data: Float32Array;
}

/** The parts of the library that this program uses. */
export interface Library {
  readonly env: {
    readonly version: string;
    allowRemoteModels: boolean;
    allowLocalModels: boolean;
    localModelPath: string;
    cacheDir: string;
  };
  readonly pipeline: (
    task: 'feature-extraction',
    model: string,
    options: object,
  ) => Promise<(texts: readonly string[], options: { pooling: string; normalize: boolean }) => Promise<Tensor>>;
  readonly AutoTokenizer: { from_pretrained(model: string): Promise<(texts: string[], options: object) => object> };
  readonly AutoModelForSequenceClassification: {
    from_pretrained(model: string, options: object): Promise<(inputs: object) => Promise<{ logits: Tensor }>>;
  };
}

/**
 * Checks that the library is installed.
 * @throws OperatorError with installation instructions.
 */
export const checkLibrary = (setting: string): void => {
  try {
    require.resolve(PACKAGE);
  } catch (cause) {
    throw new OperatorError(
      `${setting} names an ONNX model, which needs the package ${PACKAGE} (474 MB). Run ` +
        `"npm install --no-save --ignore-scripts ${PACKAGE}@${LIBRARY_VERSION}" here, or install it elsewhere and name ` +
        `that node_modules folder in NODE_PATH.`,
      { cause },
    );
  }
};

/** Loads the library, which takes about a quarter of a second. */
export const loadLibrary = (): Library => require(PACKAGE) as Library;
