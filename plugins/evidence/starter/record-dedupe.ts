/** Merges the records of one paper from several inputs, and removes papers that occur twice under different identifiers. */
import { mergeRecords } from '../projection.ts';
import type { SourceRecord } from '../source-record.ts';

/** Normalises a title: lower case, without diacritics and punctuation. */
export const titleKey = (title: string): string =>
  title
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/** Minimum number of words of a distinctive title; shorter ones, such as "Vitamin D", name many papers. */
const TELLING_WORDS = 5;
const isTelling = (key: string): boolean => key.split(' ').length >= TELLING_WORDS;

export const isCochrane = ({ journal, doi }: Pick<SourceRecord, 'journal' | 'doi'>): boolean =>
  /^cochrane database|^the cochrane database/i.test(journal) || doi.startsWith('10.1002/14651858.');

const differ = (one: string, other: string): boolean => one !== '' && other !== '' && one !== other;

/** Returns whether two records with the same title describe one paper: no identifier or year contradicts it. */
const isSamePaper = (one: SourceRecord, other: SourceRecord): boolean =>
  !differ(one.pmid, other.pmid) &&
  !differ(one.doi, other.doi) &&
  (one.year === null || other.year === null || Math.abs(one.year - other.year) <= 1);

export interface PaperSet {
  add(record: SourceRecord): void;
  /** Returns one record per paper, ordered by identifier. */
  papers(): SourceRecord[];
}

const keyOf = ({ pmid, doi, nctId }: SourceRecord): string =>
  pmid ? `1 ${pmid.padStart(9, '0')}` : doi ? `2 ${doi}` : `3 ${nctId}`;

/** Collects records. Records of one paper are merged; for each field, the first record with a value wins. */
export const paperSet = (): PaperSet => {
  const papers = new Set<{ records: SourceRecord[] }>();
  const byId = new Map<string, { records: SourceRecord[] }>();
  const byTitle = new Map<string, { records: SourceRecord[] }[]>();
  const idsOf = ({ pmid, doi, nctId }: SourceRecord): string[] =>
    [pmid && `pmid:${pmid}`, doi && `doi:${doi}`, !pmid && !doi && nctId && `nct:${nctId}`].filter((id): id is string =>
      Boolean(id),
    );
  const find = (record: SourceRecord) => {
    for (const id of idsOf(record)) {
      const known = byId.get(id);
      if (known) return known;
    }
    const sameTitle = byTitle.get(titleKey(record.title)) ?? [];
    return sameTitle.find(({ records }) => records.every((other) => isSamePaper(record, other)));
  };
  return {
    add: (record) => {
      const paper = find(record) ?? { records: [] };
      paper.records.push(record);
      papers.add(paper);
      for (const id of idsOf(record)) byId.set(id, paper);
      const key = titleKey(record.title);
      if (!isTelling(key) || record.nctId) return;
      const others = byTitle.get(key) ?? [];
      if (!others.includes(paper)) byTitle.set(key, [...others, paper]);
    },
    papers: () =>
      [...papers]
        .map(({ records }) => ({ ...mergeRecords(records), origin: 'corpus' as const }))
        .sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1)),
  };
};

/**
 * Returns the rank among papers with the same title: those with an abstract first, then those with MeSH terms, then the newest.
 */
const worth = ({ packed, meshTerms, year }: SourceRecord): number =>
  (packed?.from === 'abstract' ? 1e6 : 0) + (meshTerms.length ? 1e5 : 0) + (year ?? 0);

/**
 * Selects one paper per title. Versions of one Cochrane review share a title and are all retained; `link-versions.ts` links them.
 */
export const withoutDoubles = (papers: readonly SourceRecord[]): { kept: SourceRecord[]; dropped: number } => {
  const best = new Map<string, SourceRecord>();
  for (const paper of papers) {
    const key = titleKey(paper.title);
    if (!isTelling(key) || isCochrane(paper)) continue;
    const other = best.get(key);
    if (!other || worth(paper) > worth(other)) best.set(key, paper);
  }
  const kept = papers.filter((paper) => {
    const chosen = best.get(titleKey(paper.title));
    return chosen === undefined || chosen === paper || isCochrane(paper);
  });
  return { kept, dropped: papers.length - kept.length };
};
