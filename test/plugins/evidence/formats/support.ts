import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BibliographicFormat } from '#plugins/evidence/formats/index.ts';
import type { Importer, SourceRecord } from '#plugins/evidence/source-record.ts';
import type { SourceRow } from '#plugins/evidence/source-view.ts';

export const context = { indexVersion: '2026-11-20.1' };

/** Fictional article in which every field is filled. */
export const article: SourceRow = {
  sourceId: 'pmid-99000001',
  pmid: '99000001',
  doi: '10.1000/example_1.(a)<b>',
  pmcid: 'PMC9900001',
  nctId: 'NCT99000001',
  title: 'Effect of magnesium on sleep in older adults: a randomised, double-blind, placebo-controlled trial.',
  abstract: 'Forty-six adults took 500 mg of magnesium or placebo for 8 weeks, and kept a diary of their sleep.',
  summary: '',
  authors: ['Nguyen Thi L', 'García-López JA', 'Smith J Jr', 'Magnesium Trial Group'],
  journal: 'Journal of Examples',
  year: 2012,
  volume: '17',
  issue: '12',
  pages: '1161-9',
  language: 'eng',
  publicationTypes: ['Journal Article', 'Randomized Controlled Trial'],
  meshTerms: ['Humans', 'Magnesium'],
  keywords: ['sleep diary'],
  license: 'CC BY',
  openAccessUrl: 'https://www.ncbi.nlm.nih.gov/pmc/articles/PMC9900001/',
  retractionStatus: 'none',
  sourceClass: 'pubmed_article',
  evidenceLevel: 'rct',
  qualityScore: 71.5,
  qualityTier: 'A',
  sampleSize: '46',
  sampleSizeN: 46,
  population: 'older adults, with insomnia',
  species: 'human',
  effectDirection: 'positive',
  funding: 'public',
  breakdown: [{ part: 'design', points: 40, max: 45, reason: 'randomised' }],
  trialStatus: '',
  indexWords: '',
  readFrom: 'abstract',
  supersededBy: '',
  findings: [],
  details: null,
  basis: {
    design: { by: 'registry', probability: null },
    sample_size: { by: 'program', probability: 0.8 },
    population: { by: 'program', probability: 0.6 },
    species: { by: 'program', probability: 0.9 },
    effect_direction: { by: 'program', probability: 0.6 },
    funding: { by: 'program', probability: 0.7 },
    supplements: { by: 'program', probability: 0.9 },
  },
  supplements: ['magnesium'],
  topics: ['sleep'],
  verticals: ['magnesium-sleep', 'magnesium-ageing'],
  read: '',
  revision: 1,
  updatedAt: new Date('2026-11-20T10:00:00Z'),
  removedAt: null,
};

/** Fictional source that has only the fields common to every source. */
export const bare: SourceRow = {
  ...article,
  sourceId: 'doi-0123456789abcdef',
  pmid: '',
  doi: '10.1000/bare',
  pmcid: '',
  nctId: '',
  title: '',
  abstract: '',
  authors: [],
  journal: '',
  year: null,
  volume: '',
  issue: '',
  pages: '',
  language: '',
  publicationTypes: [],
  meshTerms: [],
  keywords: [],
  license: '',
  openAccessUrl: '',
  sampleSize: '',
  sampleSizeN: null,
  population: '',
  supplements: [],
  topics: [],
  verticals: [],
};

export const trial: SourceRow = {
  ...bare,
  sourceId: 'nct-NCT99000002',
  doi: '',
  nctId: 'NCT99000002',
  title: 'Zinc for colds',
  journal: 'ClinicalTrials.gov',
  year: 2024,
  publicationTypes: ['Clinical Trial'],
  sourceClass: 'clinical_trial',
};

export const guideline: SourceRow = {
  ...article,
  pmid: '99000003',
  authors: ['WHO Guideline Committee'],
  sourceClass: 'guideline',
  evidenceLevel: 'guideline',
};

/** Titles that are difficult for at least one format. */
export const hardTitles = [
  'The so-called "sunshine vitamin": what is known?',
  'Effects of {n-3} fatty acids } and a lone { brace',
  'α-Lipoic acid, β-alanine and ω-3: Übersicht — 维生素 and ♥, 50% & more_',
  'A \\ backslash, ~tilde, ^caret, #hash and $dollar',
  "L'effet du zinc; ER - PMID- 1 in words",
];

export const exported = (format: BibliographicFormat, sources: readonly SourceRow[]): string =>
  [format.head(context), ...sources.map((source, at) => format.row(source, context, at)), format.tail()].join('');

/** Returns the records that an importer reads from a text. Throws on any problem. */
export const imported = async (importer: Importer, name: string, text: string): Promise<SourceRecord[]> => {
  const folder = await mkdtemp(join(tmpdir(), 'formats-'));
  try {
    const path = join(folder, name);
    await writeFile(path, text);
    const records: SourceRecord[] = [];
    for await (const event of importer.read(path, AbortSignal.timeout(10_000))) {
      if (event.type !== 'record') throw new Error(`Not a record: ${JSON.stringify(event)}`);
      records.push(event.record);
    }
    return records;
  } finally {
    await rm(folder, { recursive: true });
  }
};
