import { existsSync, globSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { jats } from '../../plugins/evidence/importers/jats.ts';
import {
  type EffectDirection,
  type EvidenceLevel,
  emptyRecord,
  type Funding,
  type SourceRecord,
  type Species,
} from '../../plugins/evidence/source-record.ts';

/** Location of the real data: beside the project, never inside it. */
export const DATA = new URL('../../../shared/data/', import.meta.url);
const CONTENT = new URL('../../content/', import.meta.url).pathname;

export const dataIsThere = (): boolean => existsSync(new URL('literature/supplement-papers.jsonl', DATA));

/** Values that an editor who read the source entered in `content/sources`. */
export interface ReadByEditor {
  readonly pmid: string;
  readonly design: EvidenceLevel;
  readonly sampleSize: number | null;
  readonly studies: number | null;
  readonly species: Species;
  readonly direction: EffectDirection;
  readonly funding: Funding;
  readonly supplements: readonly string[];
  readonly topics: readonly string[];
}

const field = <Value>(entry: Record<string, unknown>, name: string, fallback: Value): Value =>
  (entry[name] ?? fallback) as Value;

/** Returns the editors' readings by PMID; files that do not parse are skipped. */
export const editorsReadings = (): Map<string, ReadByEditor> => {
  const readings = new Map<string, ReadByEditor>();
  for (const path of globSync(`${CONTENT}sources/*.yaml`).sort()) {
    let entries: Record<string, unknown>[] = [];
    try {
      entries = (parse(readFileSync(path, 'utf8')) ?? []) as Record<string, unknown>[];
    } catch {
      console.log(`left out, does not parse: ${path}`);
    }
    for (const entry of entries) {
      const pmid = String(entry.pmid ?? '');
      if (pmid === '') continue;
      readings.set(pmid, {
        pmid,
        design: field<EvidenceLevel>(entry, 'design', 'other'),
        sampleSize: field<number | null>(entry, 'sample_size', null),
        studies: field<number | null>(entry, 'studies', null),
        species: field<Species>(entry, 'species', 'unknown'),
        direction: field<EffectDirection>(entry, 'direction', 'unclear'),
        funding: field<Funding>(entry, 'funding', 'not_stated'),
        supplements: field<string[]>(entry, 'supplements', []),
        topics: field<string[]>(entry, 'topics', []),
      });
    }
  }
  return readings;
};

/** Reads the 549 supplement papers with their publication types. */
export const supplementPapers = (): SourceRecord[] =>
  readFileSync(new URL('literature/supplement-papers.jsonl', DATA), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, never>)
    .map((paper) => ({
      ...emptyRecord('pubmed'),
      pmid: String(paper.pmid),
      title: field(paper, 'title', ''),
      abstract: field(paper, 'abstract', ''),
      journal: field(paper, 'journal', ''),
      year: field(paper, 'year', null),
      publicationTypes: field<string[]>(paper, 'publicationTypes', []),
    }));

const nbibField = (record: string, name: string): string[] =>
  [...record.matchAll(new RegExp(`^${name.padEnd(4)}- (.*(?:\\n {6}.*)*)`, 'gm'))].map((match) =>
    (match[1] ?? '').replace(/\n {6}/g, ' '),
  );

/** Reads the 84 records on NMN and NR, with MeSH terms and publication types. */
export const nmnRecords = (): SourceRecord[] =>
  readFileSync(new URL('literature/nmn-nr-84.nbib', DATA), 'utf8')
    .replaceAll('\r', '')
    .split(/\n\n+(?=PMID)/)
    .map((record) => ({
      ...emptyRecord('nbib'),
      pmid: nbibField(record, 'PMID')[0] ?? '',
      title: nbibField(record, 'TI')[0] ?? '',
      abstract: nbibField(record, 'AB')[0] ?? '',
      journal: nbibField(record, 'JT')[0] ?? '',
      authors: nbibField(record, 'AU'),
      year: Number((nbibField(record, 'DP')[0] ?? '').slice(0, 4)) || null,
      publicationTypes: nbibField(record, 'PT'),
      meshTerms: nbibField(record, 'MH').map((term) => term.replace(/\*/g, '').split('/', 1)[0] ?? ''),
      keywords: nbibField(record, 'OT'),
      fundingText: nbibField(record, 'GR').join('. '),
    }))
    .filter(({ pmid }) => pmid !== '');

/** Reads the 1,100 full-text articles of trials. */
export const trialArticles = async (): Promise<SourceRecord[]> => {
  const records: SourceRecord[] = [];
  const path = new URL('jats/articles.tar.gz', DATA).pathname;
  for await (const event of jats.read(path, new AbortController().signal)) {
    if (event.type === 'record') records.push(event.record);
  }
  return records;
};

/** A study of the NMN and NR review, with the numbers of participants that the review's authors give. */
export interface CuratedTrial {
  readonly author: string;
  readonly year: number;
  readonly randomised: number;
  readonly analysed: number;
}

/** Reads the review's table of studies; no quoted comma precedes the columns that are read. */
export const curatedTrials = (): CuratedTrial[] =>
  readFileSync(new URL('literature/nmn-nr-study_characteristics_curated.csv', DATA), 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.split(','))
    .map((cells) => ({
      author: cells[2] ?? '',
      year: Number(cells[3]),
      randomised: Number(cells[7]),
      analysed: Number(cells[8]) + Number(cells[9]),
    }));
