import type { Log } from '../log.ts';
import type { Embedder } from '../models/port.ts';
import type { SearchFactory } from './factory.ts';
import { type QdrantAddress, QdrantConnection } from './qdrant/connection.ts';
import { openQdrantIndex } from './qdrant/qdrant-index.ts';

/**
 * Opens indexes on a Qdrant server. The nodes of one database share them, and they are named after it. Opening one throws
 * OperatorError when the server does not respond.
 */
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
