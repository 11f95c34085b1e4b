/** Computes the measures of a ranked list against graded judgements, with trec_eval's definitions. */

export interface Measures {
  readonly ndcg10: number;
  readonly recall100: number;
  readonly map: number;
}

/** Returns nDCG at 10 (gain = grade, discount = log2), recall at 100 and average precision of one query. */
export function measure(ranked: readonly string[], judged: ReadonlyMap<string, number>): Measures {
  const discounted = (grades: readonly number[]) =>
    grades.slice(0, 10).reduce((sum, grade, i) => sum + grade / Math.log2(i + 2), 0);
  const ideal = discounted([...judged.values()].sort((a, b) => b - a));
  const relevant = [...judged.values()].filter((grade) => grade > 0).length;
  let found = 0;
  let precisions = 0;
  ranked.forEach((id, i) => {
    if ((judged.get(id) ?? 0) === 0) return;
    found++;
    precisions += found / (i + 1);
  });
  const within100 = ranked.slice(0, 100).filter((id) => (judged.get(id) ?? 0) > 0).length;
  return {
    ndcg10: ideal === 0 ? 0 : discounted(ranked.map((id) => judged.get(id) ?? 0)) / ideal,
    recall100: relevant === 0 ? 0 : within100 / relevant,
    map: relevant === 0 ? 0 : precisions / relevant,
  };
}

/** Returns the mean of each measure over queries. */
export function mean(all: readonly Measures[]): Measures {
  const of = (pick: (measures: Measures) => number) =>
    all.reduce((sum, measures) => sum + pick(measures), 0) / Math.max(1, all.length);
  return { ndcg10: of((m) => m.ndcg10), recall100: of((m) => m.recall100), map: of((m) => m.map) };
}
