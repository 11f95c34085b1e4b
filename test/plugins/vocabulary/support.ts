/** Starts a service with the real content and a few invented entries that editors never change. */
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { startService, type TestService } from '../../support/service.ts';

const SUPPLEMENT = `---
name: Korvelia
latin_name: Korvelia officinalis
category: herb
traditions: [folk]
synonyms: [marsh korvel, korvel mix, forbidweed, no no korvel, korvel soup]
parts_used: [root]
ids: {umls_cui: C9999999, rxcui: "99999999", unii: ZZ0000000Z, mesh: D999999}
brands: [Brandovex]
forms:
  - name: Korvelia root powder
answer: A plant that tests grow.
evidence: []
dosing:
  - context: Nothing
    dose: 300 mg twice daily
    amount: {min: 600, max: 600, unit: mg, of: root powder}
    sources: ["pmid:1"]
safety: []
unknown: [Everything.]
further_reading: []
updated_at: 2026-11-21
---
## What it is
A plant that tests grow.
`;

const OTHER = SUPPLEMENT.replaceAll('Korvelia', 'Melindra')
  .replace('[marsh korvel, korvel mix, forbidweed, no no korvel, korvel soup]', '[korvel mix]')
  .replace(/^(?:ids|brands): .*\n/gm, '');

const CONDITION = `---
name: Testitis
synonyms: [inflamed tests]
category: other
ids: {mesh: D999998}
topics: [sleep]
answer: Tests that hurt.
ask: [Is it red?, Is it green?, Is it flaky?]
red_flags: [smoke]
see_doctor: [a test that lasts]
further_reading: []
updated_at: 2026-11-21
---
## What it is
Tests that hurt.
`;

const LISTS: Readonly<Record<string, string>> = {
  'substances.yaml': `- slug: forbidweed
  name: Forbidweed
  kind: banned
  synonyms: [no no korvel]
  statement: Nobody may sell it.
  authority: {name: FDA, address: "https://www.fda.gov/"}
  status_as_of: 2026-01
- slug: korveliane
  name: Korveliane
  kind: food
  synonyms: [korvel soup]
  statement: A dish.
- slug: melindra
  name: Melindra
  kind: restricted
  synonyms: [MLD, sly melindra]
  ids: {umls_cui: C9999997}
  statement: Some may not sell it.
  authority: {name: FDA, address: "https://www.fda.gov/melindra"}
  status_as_of: 2026-02
`,
  'reference-intakes.yaml': `- supplement: korvelia
  unit: mg
  upper_limit: null
  recommended: [{group: Male, age: 19-30, value: 400, kind: RDA}]
  authority: {name: NIH ODS, address: "https://ods.od.nih.gov/"}
`,
  'redirects.yaml': `- {from: korvel-root, to: korvelia, kind: supplement, reason: merged}
- {from: sore-tests, to: testitis, kind: condition, reason: renamed}
`,
};

export interface MadeContent {
  readonly folder: string;
  read(path: string): Promise<string>;
  write(path: string, text: string): Promise<void>;
  remove(): Promise<void>;
}

export const makeContent = async (): Promise<MadeContent> => {
  const folder = await mkdtemp(join(tmpdir(), 'ekb-words-'));
  await cp(join(import.meta.dirname, '../../../content'), folder, { recursive: true });
  const read = (path: string): Promise<string> => readFile(join(folder, path), 'utf8');
  const write = async (path: string, text: string): Promise<void> => {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  };
  await write('supplements/korvelia.md', SUPPLEMENT);
  await write('supplements/melindra.md', OTHER);
  await write('conditions/testitis.md', CONDITION);
  for (const [path, text] of Object.entries(LISTS)) await write(path, `${await read(path).catch(() => '')}\n${text}`);
  return { folder, read, write, remove: () => rm(folder, { recursive: true }) };
};

export const startOver = ({ folder }: MadeContent): Promise<TestService> =>
  startService({ contentDir: folder, settings: { ANON_RPM: '100000', ANON_DAILY: '100000' } });
