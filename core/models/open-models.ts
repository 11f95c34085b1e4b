/** Opens the models that the settings configure; the port of an unconfigured model is null. */
import { join } from 'node:path';
import type { Config } from '../config.ts';
import { OperatorError } from '../errors.ts';
import type { Log } from '../log.ts';
import { endpointCrossEncoder } from './endpoint-cross-encoder.ts';
import { createGuard, type Guard, guardDefaults } from './guard.ts';
import { type KnownDimensions, knownDimensions } from './known-dimensions.ts';
import { type ModelChoice, type ModelSettings, readModelSettings } from './model-settings.ts';
import { onnxCrossEncoder } from './onnx-cross-encoder.ts';
import { onnxEmbedder } from './onnx-embedder.ts';
import type { OnnxTask } from './onnx-process.ts';
import { createOnnxRunner, type OnnxRunner } from './onnx-runner.ts';
import { folderSource, type OnnxSource, promptsAt } from './onnx-source.ts';
import { openaiEmbedder } from './openai-embedder.ts';
import { openaiLanguage } from './openai-language.ts';
import { openaiVision } from './openai-vision.ts';
import type { CrossEncoder, Embedder, Models } from './port.ts';
import { createBudget } from './token-budget.ts';
import { checkLibrary } from './transformers-library.ts';

export type ModelState = 'ok' | 'degraded';

/** The ports with their state. */
export interface OpenModels extends Models {
  /** Returns the state of each configured port for /api/health, without a request to a model. */
  checks(): Readonly<Record<string, ModelState>>;
  close(): Promise<void>;
}

/** State while the models are being opened: the guards and runners to check and close later. */
interface Opening {
  readonly settings: ModelSettings;
  readonly folder: string;
  readonly log: Log;
  readonly guards: Map<string, Guard>;
  readonly runners: OnnxRunner[];
}

/** Timeout of the first start with a model of the hub, which downloads the model, in milliseconds. */
const DOWNLOAD_MS = 1_800_000;

type Chosen = NonNullable<ModelChoice>;

const guardFor = (opening: Opening, check: string, name: string, local: boolean): Guard => {
  const { timeoutSeconds } = opening.settings;
  // A model in this process computes one batch at a time, and retrying its errors is useless.
  const own = local ? { retries: 0, atOnce: 1 } : {};
  const guard = createGuard({ ...guardDefaults, ...own, name, timeoutSeconds }, opening.log);
  opening.guards.set(check, guard);
  return guard;
};

const sourceOf = (choice: Exclude<Chosen, { kind: 'endpoint' }>, setting: string, folder: string): OnnxSource => {
  checkLibrary(setting);
  if (choice.kind === 'folder') return folderSource(setting, choice.path);
  return { kind: 'hub', name: choice.name, cacheDir: join(folder, 'hub'), dtype: 'fp32' };
};

const runnerFor = async (opening: Opening, source: OnnxSource, task: OnnxTask): Promise<OnnxRunner> => {
  const { pooling } = await promptsAt(source);
  const runner = createOnnxRunner(task === 'embed' ? 'embedding model' : 'reranker', { task, source, pooling });
  opening.runners.push(runner);
  if (source.kind === 'hub') {
    opening.log.info('model_loading', { model: source.name });
    await runner.load(AbortSignal.timeout(DOWNLOAD_MS));
  }
  return runner;
};

const keyOf = (choice: Chosen): string => {
  if (choice.kind === 'endpoint') return `${choice.endpoint.baseUrl}#${choice.endpoint.model}`;
  return choice.kind === 'folder' ? choice.path : choice.name;
};

const openEmbedder = async (opening: Opening, choice: Chosen, known: KnownDimensions): Promise<Embedder> => {
  const guard = guardFor(opening, 'embedding_model', 'embedding model', choice.kind !== 'endpoint');
  const dimensions = await known.of(keyOf(choice));
  const onChange = (): void => void known.forget(keyOf(choice)).catch(() => undefined);
  if (choice.kind === 'endpoint') return openaiEmbedder({ endpoint: choice.endpoint, guard, dimensions, onChange });
  const source = sourceOf(choice, 'EMBEDDING_MODEL', opening.folder);
  const [runner, prompts] = [await runnerFor(opening, source, 'embed'), await promptsAt(source)];
  return onnxEmbedder({ name: source.name, runner, guard, prompts, dimensions, onChange });
};

const openCrossEncoder = async (opening: Opening, choice: Chosen): Promise<CrossEncoder> => {
  const guard = guardFor(opening, 'reranker_model', 'reranker', choice.kind !== 'endpoint');
  if (choice.kind === 'endpoint') return endpointCrossEncoder(choice.endpoint, guard);
  const source = sourceOf(choice, 'RERANKER_MODEL', opening.folder);
  return onnxCrossEncoder(source.name, await runnerFor(opening, source, 'score'), guard);
};

const openChosenEmbedder = async (opening: Opening): Promise<Embedder | null> => {
  const choice = opening.settings.embedder;
  if (!choice) return null;
  const known = knownDimensions(join(opening.folder, 'dimensions.json'));
  const embedder = await openEmbedder(opening, choice, known);
  if ((await known.of(keyOf(choice))) === null) await known.keep(keyOf(choice), embedder.dimensions);
  return embedder;
};

const ofOperator =
  (setting: string) =>
  (cause: unknown): never => {
    if (cause instanceof OperatorError) throw cause;
    throw new OperatorError(`${setting}: ${(cause as Error).message}`, { cause });
  };

const chatModels = (opening: Opening) => {
  const { language, vision, dailyTokens } = opening.settings;
  const budget = createBudget(dailyTokens);
  const parts = (check: string, endpoint: NonNullable<typeof language>) => ({
    endpoint,
    budget,
    guard: guardFor(opening, check, endpoint.name, false),
  });
  return {
    budget,
    language: language && openaiLanguage(parts('language_model', language)),
    vision: vision && openaiVision(parts('vision_model', vision)),
  };
};

/**
 * Opens the models.
 * @throws OperatorError for invalid settings, a missing library, or an embedding model that does not respond to the first
 *   request.
 */
export const openModels = async (config: Config, log: Log): Promise<OpenModels> => {
  const settings = readModelSettings(config);
  const folder = join(config.text('DATA_DIR'), 'models');
  const opening: Opening = { settings, folder, log, guards: new Map(), runners: [] };
  const { budget, language, vision } = chatModels(opening);
  const close = async (): Promise<void> => {
    await Promise.all(opening.runners.map((runner) => runner.close()));
  };
  try {
    const crossEncoder =
      settings.crossEncoder &&
      (await openCrossEncoder(opening, settings.crossEncoder).catch(ofOperator('RERANKER_MODEL')));
    const embedder = await openChosenEmbedder(opening).catch(ofOperator('EMBEDDING_MODEL'));
    const isSpent = (check: string): boolean => /^(language|vision)_/.test(check) && budget.isUsedUp();
    const checks = () =>
      Object.fromEntries(
        [...opening.guards].map(([check, guard]) => [check, guard.isWell() && !isSpent(check) ? 'ok' : 'degraded']),
      ) as Record<string, ModelState>;
    return { language, vision, embedder, crossEncoder, checks, close };
  } catch (error) {
    await close();
    throw error;
  }
};
