/** Trains a linear ranker on pairs, each weighted by the change in nDCG@10 when the two are swapped (LambdaRank, Burges 2010). */
import { random } from './random.ts';
import type { List } from './rerank-lists.ts';

const EPOCHS = 8;
const RATE = 0.2;
const SHRINK = 1e-4;
const discount = (place: number): number => (place < 10 ? 1 / Math.log2(place + 2) : 0);

export const idealGain = ({ ideal }: List): number =>
  ideal.slice(0, 10).reduce((total, grade, place) => total + grade * discount(place), 0);

export const scoresOf = ({ features }: List, weights: readonly number[]): number[] =>
  features.map((row) => row.reduce((score, value, at) => score + value * weights[at]!, 0));

/** Returns positions, best first; equal scores keep the order of the first stage. */
export const orderOf = (scores: readonly number[]): number[] =>
  [...scores.keys()].sort((a, b) => scores[b]! - scores[a]! || a - b);

/** Returns the gradient that moves the relevant candidates of one list before the others. */
const gradientOf = (list: List, weights: readonly number[]): number[] => {
  const scores = scoresOf(list, weights);
  const places: number[] = [];
  for (const [place, at] of orderOf(scores).entries()) places[at] = place;
  const gradient = weights.map(() => 0);
  const ideal = idealGain(list);
  const pull = (better: number, worse: number): void => {
    const [gain, loss] = [1 / Math.log2(places[better]! + 2), 1 / Math.log2(places[worse]! + 2)];
    const stake = (Math.abs(gain - loss) * (list.grades[better]! - list.grades[worse]!)) / ideal;
    const force = stake / (1 + Math.exp(scores[better]! - scores[worse]!));
    const [to, from] = [list.features[better]!, list.features[worse]!];
    for (let j = 0; j < gradient.length; j += 1) gradient[j]! += force * (to[j]! - from[j]!);
  };
  for (const [better, grade] of list.grades.entries()) {
    if (grade === 0) continue;
    for (const [worse, other] of list.grades.entries()) if (other < grade) pull(better, worse);
  }
  return gradient;
};

/** Learns weights for the features, in their order, with AdaGrad steps on one randomly chosen list at a time. Deterministic. */
export const learnWeights = (lists: readonly List[]): number[] => {
  const usable = lists.filter(({ grades }) => grades.length > 1 && grades.some((grade) => grade > 0));
  const weights: number[] = (usable[0]?.features[0] ?? []).map((_, at) => (at === 0 ? 1 : 0));
  const squares = weights.map(() => 1e-8);
  const next = random('the order of the lists');
  for (let step = 0; step < EPOCHS * usable.length; step += 1) {
    const gradient = gradientOf(usable[next(usable.length)]!, weights);
    for (const [j, slope] of gradient.entries()) {
      const move = slope - SHRINK * weights[j]!;
      squares[j]! += move ** 2;
      weights[j]! += (RATE * move) / Math.sqrt(squares[j]!);
    }
  }
  return weights;
};
