/** Provides fictional papers in the formats that the packer reads. People, journals and findings are invented. */
import { gzipSync } from 'node:zlib';
import { compileVocabulary } from '#plugins/evidence/matching/matcher.ts';
import { makePack, type PackOptions } from '#plugins/evidence/starter/pack.ts';

export interface MadePaper {
  readonly pmid: string;
  readonly title: string;
  readonly abstract?: string;
  readonly journal?: string;
  readonly publication_date?: string;
  readonly publication_types?: readonly string[];
}

/** Builds a trial of zinc lozenges with a word that occurs only in its abstract. */
export const zincPaper = (pmid: string, more: Partial<MadePaper> = {}): MadePaper => ({
  pmid,
  title: `Zinc lozenges shorten the common cold in adults: randomised trial ${pmid}`,
  abstract:
    'We randomly assigned 240 adults with a common cold to zinc lozenges (75 mg of zinc a day) or placebo in a double-blind trial. Zinc supplementation shortened the common cold by two days compared with placebo (p = 0.01). A questionnaire on wombats was kept. Zinc lozenges shortened the common cold.',
  journal: 'Journal of Invented Nutrition',
  publication_date: '2021-May',
  publication_types: ['Randomized Controlled Trial', 'Journal Article'],
  ...more,
});

export const jsonLines = (papers: readonly MadePaper[]): Buffer =>
  gzipSync(papers.map((paper) => `${JSON.stringify(paper)}\n`).join(''));

const vocabulary = {
  supplements: [{ slug: 'zinc', name: 'Zinc', latinName: '', synonyms: [], forms: [] }],
  topics: [{ slug: 'colds', name: 'Colds', kind: 'condition', terms: ['common cold'] }],
} as const;

export const grader = { matcher: compileVocabulary(vocabulary), vocabulary, version: 'test' };

/** Packs the files in a folder with a vocabulary of zinc and colds. */
export const packFolder = (folder: string, options: Partial<PackOptions> = {}) =>
  makePack([folder], {
    grader,
    readBy: 'read-test',
    known: [],
    editors: { screening: new Map(), readings: new Map() },
    signal: AbortSignal.timeout(60_000),
    ...options,
  } as PackOptions);
