import { join } from 'node:path';
import type { Log } from '../log.ts';
import type { Embedder } from '../models/port.ts';
import type { SearchFactory } from './factory.ts';
import { openInProcessIndex } from './in-process.ts';

/** Opens indexes in this process, each in its own folder. */
export const inProcessSearch = (folder: string, log: Log, embedder: Embedder | null = null): SearchFactory => ({
  open: async (name, { fields }) => {
    const index = await openInProcessIndex({ folder: join(folder, name), fields, embedder });
    const from = index.openedFrom;
    log.info('index_opened', {
      name,
      ...index.state(),
      from: from.source,
      ...('reason' in from && { reason: from.reason }),
    });
    return index;
  },
});
