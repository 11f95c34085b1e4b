/** Builds first-stage lists with their features, for training and evaluating rerankers. */
import { openInProcessIndex } from '#core/search/in-process.ts';
import type { SearchDocument, SearchIndex } from '#core/search/port.ts';
import { INDEX_FIELDS } from '#plugins/evidence/index-feed.ts';
import { FEATURES, featureRows } from '#plugins/evidence/rerank/features.ts';
import { RERANK_DEPTH } from '#plugins/evidence/rerank/rerank-hits.ts';
import type { Candidate } from '#plugins/evidence/rerank/reranker.ts';
import { type Dataset, QUERY_PERMISSION } from './datasets.ts';
import { type Item, type MadeQuery, queriesOf } from './rerank-data.ts';

/** First candidates of a query: the features (in their order) and the grade of each, and the grades of all relevant documents. */
export interface List {
  readonly set: string;
  readonly form: string;
  readonly item: string;
  readonly text: string;
  readonly features: readonly (readonly number[])[];
  readonly grades: readonly number[];
  readonly ideal: readonly number[];
}

/** Creates for an index a function that preprocesses queries before they are searched. */
export type Reader = (index: SearchIndex) => Promise<(text: string, form: string) => string>;

const AS_TYPED: Reader = async () => (text) => text;

export const openWith = async (documents: readonly SearchDocument[]): Promise<SearchIndex> => {
  const index = await openInProcessIndex({ folder: null, fields: INDEX_FIELDS });
  await index.apply({ upsert: documents, revision: 1 });
  await index.settled();
  return index;
};

export const candidatesOf = async (
  index: SearchIndex,
  documents: ReadonlyMap<string, SearchDocument>,
  text: string,
): Promise<Candidate[]> => {
  const { hits } = await index.search({ text, permission: QUERY_PERMISSION, limit: RERANK_DEPTH });
  return hits.map(({ id, score, legs }) => {
    const { title = '', abstract = '' } = documents.get(id)!.text;
    return { id, title, text: abstract, score, legs };
  });
};

interface Asked {
  readonly set: string;
  readonly form: string;
  readonly item: string;
  readonly text: string;
  readonly judged: ReadonlyMap<string, number>;
}

const listsFrom = async (
  documents: readonly SearchDocument[],
  asked: readonly Asked[],
  reader: Reader,
): Promise<List[]> => {
  const index = await openWith(documents);
  const read = await reader(index);
  const byId = new Map(documents.map((document) => [document.id, document]));
  const lists: List[] = [];
  for (const { judged, ...rest } of asked) {
    const text = read(rest.text, rest.form);
    const candidates = await candidatesOf(index, byId, text);
    const rows = featureRows(text, index.scorer(text), candidates);
    lists.push({
      ...rest,
      features: rows.map((row) => FEATURES.map((name) => row[name])),
      grades: candidates.map(({ id }) => judged.get(id) ?? 0),
      ideal: [...judged.values()].sort((a, b) => b - a),
    });
  }
  await index.close();
  return lists;
};

const documentOf = ({ id, title, abstract }: Item, titled: boolean): SearchDocument => ({
  id,
  text: { title: titled ? title : '', abstract },
  filters: {},
});

/**
 * Builds lists for the queries of the `wanted` items, searched among all items. Queries derived from titles search documents
 * without titles; the others search whole documents.
 */
export const madeLists = async (
  items: readonly Item[],
  wanted: (item: Item) => boolean,
  reader: Reader = AS_TYPED,
): Promise<List[]> => {
  const asked = (ofTitle: boolean): Asked[] =>
    items.filter(wanted).flatMap((item) =>
      queriesOf(item)
        .filter((query) => query.ofTitle === ofTitle)
        .map((query: MadeQuery) => ({ ...query, set: item.from, judged: new Map([[item.id, 1]]) })),
    );
  const lists = async (titled: boolean): Promise<List[]> =>
    listsFrom(
      items.map((item) => documentOf(item, titled)),
      asked(!titled),
      reader,
    );
  return [...(await lists(false)), ...(await lists(true))];
};

export const datasetLists = ({ documents, queries, judgements, name }: Dataset): Promise<List[]> =>
  listsFrom(
    documents,
    queries.map(({ id, text }) => ({ set: name, form: 'full', item: id, text, judged: judgements.get(id)! })),
    AS_TYPED,
  );
