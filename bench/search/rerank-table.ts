/** Tabulates the effect of reranking on a set of lists: nDCG@10 and MRR, before and after. */
import { hashOf } from './random.ts';
import { idealGain, orderOf, scoresOf } from './rank-learning.ts';
import type { Item } from './rerank-data.ts';
import type { List } from './rerank-lists.ts';

/** Returns whether an item is held out: half of the items, selected by a hash of their ids, is never trained on. */
export const isHeldOut = ({ id }: Pick<Item, 'id'>): boolean => hashOf(id) % 2 === 0;

interface Figures {
  readonly ndcg10: number;
  readonly mrr: number;
}

const figuresOf = (list: List, order: readonly number[]): Figures => {
  const grades = order.map((at) => list.grades[at]!);
  const gain = grades.slice(0, 10).reduce((total, grade, place) => total + grade / Math.log2(place + 2), 0);
  const first = grades.findIndex((grade) => grade > 0);
  const ideal = idealGain(list);
  return { ndcg10: ideal > 0 ? gain / ideal : 0, mrr: first < 0 ? 0 : 1 / (first + 1) };
};

const mean = (figures: readonly Figures[]): string => {
  const of = (name: keyof Figures) =>
    (figures.reduce((total, each) => total + each[name], 0) / Math.max(1, figures.length)).toFixed(3);
  return `${of('ndcg10')} / ${of('mrr')}`;
};

/** Returns rows for console.table by group, in the order of the groups' names. */
export const rerankTable = (
  lists: readonly List[],
  weights: readonly number[],
  groupOf: (list: List) => string,
): Record<string, Record<string, string | number>> => {
  const groups = Map.groupBy(lists, groupOf);
  const rows = [...groups]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([group, members]) => {
      const before = members.map((list) => figuresOf(list, [...list.grades.keys()]));
      const after = members.map((list) => figuresOf(list, orderOf(scoresOf(list, weights))));
      return [group, { queries: members.length, 'first stage': mean(before), reranked: mean(after) }] as const;
    });
  return Object.fromEntries(rows);
};
