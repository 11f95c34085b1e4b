/**
 * Converts labelled records to examples: the features of each supplement that a record names, and whether it was administered.
 */
import { join } from 'node:path';
import { readFields } from '../../plugins/evidence/matching/fields.ts';
import { type GivenFeatures, givenFeatures, readCues } from '../../plugins/evidence/matching/given-features.ts';
import { supplementTrie } from '../../plugins/evidence/matching/supplements.ts';
import type { SourceRecord } from '../../plugins/evidence/source-record.ts';
import { tableInputs } from '../../plugins/evidence/starter/inputs/bibliographic-tables.ts';
import { tabRows } from '../../plugins/evidence/starter/inputs/read-rows.ts';
import { editorsReadings } from '../grading/reference.ts';
import { contentVocabulary } from '../grading/vocabulary.ts';

const FILES = ['literature/supplement-papers.jsonl', 'pubmed-2025/abstracts.jsonl.gz'].map((file) =>
  join(import.meta.dirname, '../../../shared/data', file),
);
const { signal } = new AbortController();

export interface Label {
  readonly pmid: string;
  readonly part: string;
  readonly split: string;
  readonly supplements: ReadonlySet<string>;
  /** Arguable supplements, which count neither as correct nor as wrong. */
  readonly either: ReadonlySet<string>;
}

const slugs = (cell: string | undefined): ReadonlySet<string> => new Set((cell ?? '').split('|').filter(Boolean));

export const readLabels = async (file: string): Promise<ReadonlyMap<string, Label>> => {
  const labels = new Map<string, Label>();
  for await (const row of tabRows(file, signal))
    labels.set(row.pmid ?? '', {
      pmid: row.pmid ?? '',
      part: row.part ?? 'training',
      split: row.split ?? 'training',
      supplements: slugs(row.supplements),
      either: slugs(row.either),
    });
  return labels;
};

/**
 * Returns the editors' entries for the papers they read. Editors name the main subjects of a paper, so supplements that they do
 * not name are arguable. Papers with an even PMID are held out for `bench/grading/agreement.ts`.
 */
export const editorsLabels = (): ReadonlyMap<string, Label> => {
  const every = new Set(contentVocabulary().supplements.map(({ slug }) => slug));
  const odd = [...editorsReadings().values()].filter(({ pmid }) => Number(pmid) % 2 === 1);
  return new Map(
    odd.map(({ pmid, supplements }) => {
      const named = new Set(supplements);
      return [pmid, { pmid, part: 'editors', split: 'training', supplements: named, either: every.difference(named) }];
    }),
  );
};

/** Reads the labelled records with their abstracts from the data beside the project. */
export const readLabelled = async (labels: ReadonlyMap<string, Label>): Promise<readonly SourceRecord[]> => {
  const abstracts = tableInputs.find(({ files }) => files.test('abstracts.jsonl.gz'));
  const records = new Map<string, SourceRecord>();
  for (const file of FILES)
    for await (const event of abstracts?.read(file, signal) ?? [])
      if (event.type === 'record' && event.record.abstract && labels.has(event.record.pmid))
        records.set(event.record.pmid, event.record);
  return [...records.values()].sort((a, b) => Number(a.pmid) - Number(b.pmid));
};

export interface Example {
  readonly pmid: string;
  readonly slug: string;
  readonly features: GivenFeatures;
  readonly given: boolean;
}

/** Builds one example for each supplement that a record names, except the arguable ones. */
export const examplesOf = (
  records: readonly SourceRecord[],
  labels: ReadonlyMap<string, Label>,
): readonly Example[] => {
  const trie = supplementTrie(contentVocabulary().supplements);
  return records.flatMap((record) => {
    const label = labels.get(record.pmid);
    if (!label) return [];
    const fields = readFields(record, trie);
    const mentions = Map.groupBy(fields.findings, ({ entry }) => entry.slug);
    const about = { cues: readCues(record, fields), named: mentions.size, total: fields.findings.length };
    return [...mentions]
      .filter(([slug]) => !label.either.has(slug))
      .map(([slug, found]) => ({
        pmid: record.pmid,
        slug,
        features: givenFeatures(slug, found, fields, about),
        given: label.supplements.has(slug),
      }));
  });
};
