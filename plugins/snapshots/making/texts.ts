/** Writes the text files of a snapshot: the terms, instructions for verifying and reading the data, and the schema of a row. */
import { plain } from '#core/http/openapi.ts';
import type { OfferedDataset } from '#core/plugin.ts';
import type { Manifest } from '../manifest.ts';

const CREDIT = 'Supplement Evidence Base contributors';

/** Returns the JSON Schema of a row. Its id is the same on every instance, and changes only with a breaking change of the row. */
export const schemaText = ({ name, title, description, row }: OfferedDataset): string =>
  `${JSON.stringify(
    {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $id: `urn:supplement-evidence-base:dataset:${name}:1`,
      title: `${title}: one row`,
      description,
      ...plain(row),
    },
    null,
    1,
  )}\n`;

/** @param more the terms of content/, if available. */
export const licenceText = (datasets: readonly Pick<OfferedDataset, 'name' | 'title' | 'licence'>[], more: string) =>
  [
    'The terms of each file. Credit, where it is asked for:',
    `"${CREDIT}", with a link to the licence and a note of what you changed.`,
    'Keep PMIDs and DOIs with what they support.',
    ...datasets.flatMap(({ name, title, licence }) => [
      '',
      `${name}: ${title}`,
      `${licence.id}, ${licence.name}`,
      licence.url,
      licence.terms,
    ]),
    ...(more ? ['', '-- The licence of the texts, as it lies in content/LICENSE --', '', more.trimEnd()] : []),
    '',
  ].join('\n');

export const readmeText = ({
  id,
  base_url,
  made_at,
  datasets,
}: Pick<Manifest, 'id' | 'base_url' | 'made_at' | 'datasets'>) =>
  `Snapshot ${id} of the Supplement Evidence Base at ${base_url}, made at ${made_at}.

Not medical advice: ${base_url}/disclaimer. What is not in these files is not known to be absent or safe.

What is here
${datasets.map(({ file, rows, title }) => `  ${file}  ${rows} rows  ${title}`).join('\n')}
  *.schema.json    JSON Schema (2020-12) of a row of the file of the same name
  manifest.json    rows, bytes, checksums and terms of each file, as data
  LICENSE.txt      the terms
  SHA256SUMS       checksums of all files; SHA256SUMS.sig is its signature, signing-key.pem the key

Check it
  sha256sum -c SHA256SUMS                  (macOS: shasum -a 256 -c SHA256SUMS)
  openssl pkeyutl -verify -pubin -inkey signing-key.pem -rawin -in SHA256SUMS -sigfile SHA256SUMS.sig
Compare signing-key.pem with the key that ${base_url}/api/snapshots states, if you have the files from elsewhere.

Read it
  gzip -dc sources.jsonl.gz | head -n 1
One JSON object a line, in UTF-8; lines end with a line feed. Rows are as the API answers them. Members may be added:
pass over those that you do not know. Rows are read part by part while the service runs: what was in the base all the
while is there once, as it was when its part was read.
`;
