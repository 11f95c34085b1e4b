import type { Log } from '../log.ts';
import type { Embedder } from '../models/port.ts';
import type { SearchFactory } from './factory.ts';
import { type QdrantAddress, QdrantConnection } from './qdrant/connection.ts';
import { openQdrantIndex } from './qdrant/qdrant-index.ts';

/** Indexes on a Qdrant server, shared by all nodes of one database and named after it; opening one throws OperatorError when the server does not answer. */
export const qdrantSearch = (address: QdrantAddress, log: Log, embedder: Embedder | null = null): SearchFactory => {
  const connection = new QdrantConnection(address);
  return {
    perCorpus: true,
    open: async (name, { fields, corpus }) => {
      const own = corpus ? `${name}-${corpus.id.slice(0, 8)}` : name;
      const index = await openQdrantIndex({ connection, name: own, fields, embedder, feed: corpus?.feed ?? '' });
      log.info('index_opened', { name: own, ...index.state(), from: 'qdrant' });
      return index;
    },
  };
};
