/** Trains the stance model on PubMedQA (Jin et al. 2019, MIT) and measures it by five-fold cross-validation. */
import { existsSync, readFileSync } from 'node:fs';
import { sentencesOf } from '#plugins/answers/engine/sentences.ts';
import { type Passage, stanceFeatures } from '#plugins/answers/engine/stance/features.ts';
import {
  believe,
  type StanceWeights,
  VERDICTS,
  type Verdict,
  verdictOf,
} from '#plugins/answers/engine/stance/stance.ts';

export interface LabelledQuestion {
  readonly pmid: string;
  readonly question: string;
  readonly contexts: readonly string[];
  readonly labels: readonly string[];
  /** Conclusion of the abstract (LONG_ANSWER); not among the contexts. */
  readonly conclusion: string;
  readonly verdict: Verdict;
  readonly year: string;
  readonly meshes: readonly string[];
}

interface Entry {
  readonly QUESTION: string;
  readonly CONTEXTS: readonly string[];
  readonly LABELS: readonly string[];
  readonly MESHES: readonly string[];
  readonly YEAR?: string;
  readonly LONG_ANSWER: string;
  readonly final_decision: Verdict;
}

/** Reads the 500 labelled questions; returns null when the file does not exist. */
export const readLabelled = (path: string): readonly LabelledQuestion[] | null => {
  if (!existsSync(path)) return null;
  const entries = JSON.parse(readFileSync(path, 'utf8')) as Record<string, Entry>;
  return Object.entries(entries).map(([pmid, entry]) => ({
    pmid,
    question: entry.QUESTION,
    contexts: entry.CONTEXTS,
    labels: entry.LABELS,
    conclusion: entry.LONG_ANSWER,
    verdict: entry.final_decision,
    year: entry.YEAR ?? '',
    meshes: entry.MESHES,
  }));
};

const sentences = (text: string): string[] => sentencesOf(text).map(({ text: sentence }) => sentence);
const isResult = (label: string): boolean => /RESULT|FINDING|OUTCOME/i.test(label);

/** Returns the passages of a question: its results, and its conclusion if `withConclusion` is set. */
export const passageOf = ({ contexts, labels, conclusion }: LabelledQuestion, withConclusion: boolean): Passage => {
  const results = contexts.filter((_, at) => isResult(labels[at] ?? ''));
  return {
    conclusion: withConclusion ? sentences(conclusion) : [],
    results: (results.length ? results : contexts.slice(-1)).flatMap(sentences),
  };
};

export interface Example {
  readonly question: string;
  readonly passage: Passage;
  readonly verdict: Verdict;
}

const EPOCHS = 200;
/** Strength of the L2 penalty; cross-validation compared 0.001, 0.003 and 0.01. */
export const L2 = 0.005;

/** Trains by full-batch gradient descent with L2; equal examples give equal weights. */
export const trainStance = (examples: readonly Example[], l2: number): StanceWeights => {
  const rows = examples.map(({ question, passage, verdict }) => ({
    features: [...stanceFeatures(question, passage)],
    label: VERDICTS.indexOf(verdict),
  }));
  const weights: Record<string, [number, number, number]> = {};
  for (const { features } of rows) for (const [name] of features) weights[name] ??= [0, 0, 0];
  for (let epoch = 0; epoch < EPOCHS; epoch += 1) {
    const rate = 1.5 / (1 + epoch / 100);
    const slopes: Record<string, [number, number, number]> = {};
    for (const { features, label } of rows) {
      const sums = [0, 0, 0];
      for (const [name, value] of features) for (let k = 0; k < 3; k += 1) sums[k]! += weights[name]![k]! * value;
      const top = Math.max(...sums);
      const powers = sums.map((sum) => Math.exp(sum - top));
      const whole = powers.reduce((sum, power) => sum + power, 0);
      for (let k = 0; k < 3; k += 1) {
        const miss = powers[k]! / whole - (k === label ? 1 : 0);
        for (const [name, value] of features) {
          const slope = slopes[name] ?? [0, 0, 0];
          slopes[name] = slope;
          slope[k as 0 | 1 | 2] += miss * value;
        }
      }
    }
    for (const [name, weight] of Object.entries(weights))
      for (let k = 0; k < 3; k += 1)
        weight[k]! -= rate * ((slopes[name]?.[k] ?? 0) / rows.length + (name === 'bias' ? 0 : l2 * weight[k]!));
  }
  return weights;
};

export interface StanceFigures {
  readonly accuracy: number;
  readonly macroF1: number;
  readonly majority: number;
  /** Share of correct directions among answers whose true label is yes or no and whose prediction is not maybe. */
  readonly direction: number;
  /** Share of the predictions whose belief reaches the threshold, and their accuracy. */
  readonly sure: { readonly share: number; readonly accuracy: number };
  readonly confusion: Readonly<Record<string, number>>;
  /** Wrong predictions, those with the highest belief first. */
  readonly mistakes: readonly Judged[];
}

const FOLDS = 5;
const SURE = 0.65;

export interface Judged {
  readonly question: string;
  readonly truth: Verdict;
  readonly said: Verdict;
  readonly belief: number;
}

const figuresOf = (pairs: readonly Judged[]): StanceFigures => {
  const right = (list: typeof pairs): number => list.filter(({ truth, said }) => truth === said).length;
  const confusion: Record<string, number> = {};
  for (const { truth, said } of pairs) confusion[`${truth}>${said}`] = (confusion[`${truth}>${said}`] ?? 0) + 1;
  const f1 = VERDICTS.map((verdict) => {
    const hit = confusion[`${verdict}>${verdict}`] ?? 0;
    const said = pairs.filter((pair) => pair.said === verdict).length;
    const are = pairs.filter((pair) => pair.truth === verdict).length;
    return hit ? (2 * hit) / (said + are) : 0;
  });
  const directed = pairs.filter(({ truth, said }) => truth !== 'maybe' && said !== 'maybe');
  const sure = pairs.filter(({ belief }) => belief >= SURE);
  return {
    accuracy: right(pairs) / pairs.length,
    macroF1: f1.reduce((sum, value) => sum + value, 0) / 3,
    majority:
      Math.max(...VERDICTS.map((verdict) => pairs.filter(({ truth }) => truth === verdict).length)) / pairs.length,
    direction: right(directed) / Math.max(1, directed.length),
    sure: { share: sure.length / pairs.length, accuracy: right(sure) / Math.max(1, sure.length) },
    confusion,
    mistakes: pairs.filter(({ truth, said }) => truth !== said).toSorted((a, b) => b.belief - a.belief),
  };
};

export const examplesOf = (all: readonly LabelledQuestion[], views: readonly boolean[]): Example[] =>
  all.flatMap((one) =>
    views.map((withConclusion) => ({
      question: one.question,
      passage: passageOf(one, withConclusion),
      verdict: one.verdict,
    })),
  );

/** Runs cross-validation: question i is tested in fold i mod 5; both views of a question are always in the same fold. */
export const crossValidate = (
  all: readonly LabelledQuestion[],
  l2: number,
): { abstract: StanceFigures; whole: StanceFigures } => {
  const pairs: Record<'abstract' | 'whole', Judged[]> = {
    abstract: [],
    whole: [],
  };
  for (let fold = 0; fold < FOLDS; fold += 1) {
    const training = examplesOf(
      all.filter((_, at) => at % FOLDS !== fold),
      [true, false],
    );
    const weights = trainStance(training, l2);
    for (const one of all.filter((_, at) => at % FOLDS === fold))
      for (const view of ['abstract', 'whole'] as const) {
        const belief = believe(one.question, passageOf(one, view === 'whole'), weights);
        const said = verdictOf(belief);
        pairs[view].push({ question: one.question, truth: one.verdict, said, belief: belief[said] });
      }
  }
  return { abstract: figuresOf(pairs.abstract), whole: figuresOf(pairs.whole) };
};
