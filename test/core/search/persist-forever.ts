/** The child process of the kill test: it adds documents and persists, revision by revision, until it is killed. */
import { openInProcessIndex } from '#core/search/in-process.ts';
import { syntheticDocuments } from './synthetic.ts';

const index = await openInProcessIndex({ folder: process.argv[2]!, fields: { title: 3, abstract: 1 } });
const documents = syntheticDocuments(4000);
for (let revision = index.state().revision + 1; ; revision++) {
  // Revision r contains exactly 20 × r documents, so that a mixture of two states would be visible.
  await index.apply({ upsert: documents.slice(20 * (revision - 1), 20 * revision), revision });
  await index.persist();
  process.stdout.write(`${revision}\n`);
}
