/** Adapts the importers of `npm run import` as inputs of the packer. */
import { importerOf } from '../../importers/index.ts';
import type { Importer } from '../../source-record.ts';
import type { PackEvent, PackInput } from './source-input.ts';

const FILES: readonly (readonly [kind: string, files: RegExp])[] = [
  ['pubmed', /\.xml(?:\.gz)?$/],
  ['jats', /^articles\.tar\.gz$/],
  ['ctgov', /^(?:ctg-)?studies.*\.json$/],
  ['nbib', /\.nbib$/],
  ['ris', /\.ris$/],
];

async function* read(importer: Importer, path: string, signal: AbortSignal): AsyncGenerator<PackEvent> {
  for await (const event of importer.read(path, signal)) {
    if (event.type === 'record' || event.type === 'problem') yield event;
    else if (event.type === 'retraction' && event.status === 'retracted')
      yield { type: 'exclusion', pmid: event.pmid, doi: event.doi, why: 'retracted' };
  }
}

export const importerInputs: readonly PackInput[] = FILES.map(([kind, files]) => {
  const importer = importerOf(kind);
  if (!importer) throw new Error(`no importer is called ${kind}`);
  return { files, read: (path, signal) => read(importer, path, signal) };
});
