import type { Embedder } from '#core/models/port.ts';
import { QdrantConnection } from '#core/search/qdrant/connection.ts';
import { openQdrantIndex } from '#core/search/qdrant/qdrant-index.ts';
import { QdrantStandIn } from '../../support/qdrant-stand-in.ts';
import { describeSearchIndex } from './index-contract.ts';
import { madeEmbedder } from './made-embedder.ts';

const fields = { title: 3, terms: 2, abstract: 1 };
const url = process.env.QDRANT_URL;

const open = (address: string, embedder: Embedder | null = null) =>
  openQdrantIndex({
    connection: new QdrantConnection({ url: address, apiKey: process.env.QDRANT_API_KEY ?? '' }),
    name: 'contract-test',
    fields,
    embedder,
  });

describe('on the Qdrant server in QDRANT_URL', () => {
  if (url) {
    describeSearchIndex('on Qdrant', () => open(url));
    describeSearchIndex('on Qdrant with a sentence model', () => open(url, madeEmbedder()));
  } else it.skip('QDRANT_URL is not set: the contract does not run on a real server');
});

describe('on a stand-in for Qdrant', () => {
  const server = new QdrantStandIn();

  before(() => server.start());
  after(() => server.stop());

  describeSearchIndex('on a stand-in for Qdrant', () => open(server.url));
  describeSearchIndex('on a stand-in for Qdrant with a sentence model', () => open(server.url, madeEmbedder()));
});
