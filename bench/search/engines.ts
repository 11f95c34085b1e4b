/** Wraps this index and the common alternative libraries in one interface, each configured as its documentation recommends. */
import { create, insertMultiple, search } from '@orama/orama';
import MiniSearch from 'minisearch';
import { openInProcessIndex } from '#core/search/in-process.ts';
import type { SearchDocument } from '#core/search/port.ts';
import { FIELDS } from './datasets.ts';

export interface Opened {
  /** Returns ids, best first. */
  search(text: string, limit: number): Promise<readonly string[]> | readonly string[];
  /** Seconds of the build that searches need not wait for. */
  readonly behind?: number;
  close(): Promise<void> | void;
}

export interface Engine {
  readonly name: string;
  /** Resolves when all documents are indexed and no work remains. */
  open(documents: readonly SearchDocument[]): Promise<Opened>;
}

const BATCH = 5_000;

const ours: Engine = {
  name: 'this index',
  open: async (documents) => {
    const index = await openInProcessIndex({ folder: null, fields: FIELDS });
    for (let at = 0; at < documents.length; at += BATCH) {
      await index.apply({ upsert: documents.slice(at, at + BATCH), revision: at + 1 });
    }
    const since = performance.now();
    await index.settled();
    return {
      search: async (text, limit) => (await index.search({ text, limit })).hits.map((hit) => hit.id),
      behind: (performance.now() - since) / 1000,
      close: () => index.close(),
    };
  },
};

const flat = ({ id, text }: SearchDocument) => ({ id, title: text.title ?? '', abstract: text.abstract ?? '' });

const miniSearch: Engine = {
  name: 'MiniSearch 7.2.0',
  open: async (documents) => {
    const index = new MiniSearch({ fields: ['title', 'abstract'] });
    index.addAll(documents.map(flat));
    return {
      search: (text, limit) =>
        index
          .search(text, { boost: { title: 3 } })
          .slice(0, limit)
          .map(({ id }) => id as string),
      close: () => index.removeAll(),
    };
  },
};

/** Orama with its English stemmer, which is off by default. */
const orama: Engine = {
  name: 'Orama 3.1.18',
  open: async (documents) => {
    const index = create({
      schema: { title: 'string', abstract: 'string' } as const,
      components: { tokenizer: { language: 'english', stemming: true } },
    });
    await insertMultiple(index, documents.map(flat), BATCH);
    return {
      search: async (term, limit) => {
        const { hits } = await search(index, { term, limit, boost: { title: 3 } });
        return hits.map(({ id }) => id);
      },
      close: () => {},
    };
  },
};

export const ENGINES: readonly Engine[] = [ours, miniSearch, orama];
