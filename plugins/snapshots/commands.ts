/** Implements `npm run snapshot -- <new folder>`. */
import type { Command } from '#core/plugin.ts';
import { writeSnapshot } from './making/write-snapshot.ts';
import type { SnapshotServices } from './services.ts';

const number = (value: number): string => value.toLocaleString('en-GB');

export const snapshotCommand: Command<SnapshotServices> = {
  id: 'snapshot',
  summary: 'writes every dataset with schemas, terms and checksums into a new folder',
  usage: 'npm run snapshot -- <new folder>',
  run: async (context, args, out) => {
    const [folder, ...more] = args;
    if (!folder || more.length) {
      out(`usage: ${snapshotCommand.usage}`);
      return 2;
    }
    const making = await context.services.making(context);
    const { manifest } = await writeSnapshot(
      {
        ...making,
        onDataset: ({ file, rows, bytes }) => out(`${file}: ${number(rows)} rows, ${number(bytes)} bytes`),
      },
      folder,
    );
    out(`Snapshot ${manifest.id} is in ${folder}; there, sha256sum -c SHA256SUMS checks it.`);
    return 0;
  },
};
