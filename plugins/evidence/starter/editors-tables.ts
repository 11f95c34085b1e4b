/**
 * Reads the tables of editors next to the corpus file: which supplements a paper is about (`screening.tsv`), and its results on
 * its topics (`readings.tsv`). The packer includes both; they override a program's readings.
 */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Match } from '../matching/vocabulary.ts';
import type { EffectDirection, TopicFinding } from '../source-record.ts';
import { tabRows } from './inputs/read-rows.ts';

/** One screened paper. Supplements in `either` are arguable: the program decides. */
export interface Screening {
  readonly supplements: ReadonlySet<string>;
  readonly either: ReadonlySet<string>;
}

export interface EditorsTables {
  readonly screening: ReadonlyMap<string, Screening>;
  readonly readings: ReadonlyMap<string, readonly TopicFinding[]>;
}

const DIRECTIONS: Readonly<Record<string, EffectDirection>> = {
  better: 'positive',
  worse: 'negative',
  none: 'null',
  mixed: 'mixed',
  unclear: 'unclear',
};

const slugs = (cell: string | undefined): ReadonlySet<string> => new Set((cell ?? '').split('|').filter(Boolean));

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

/** Reads the tables of a folder, keyed by PMID; a missing table is empty. */
export const readEditorsTables = async (folder: string, signal: AbortSignal): Promise<EditorsTables> => {
  const screening = new Map<string, Screening>();
  const readings = new Map<string, TopicFinding[]>();
  const [screeningFile, readingsFile] = [join(folder, 'screening.tsv'), join(folder, 'readings.tsv')];
  if (await exists(screeningFile))
    for await (const row of tabRows(screeningFile, signal))
      screening.set(row.pmid ?? '', { supplements: slugs(row.supplements), either: slugs(row.either) });
  if (await exists(readingsFile))
    for await (const { pmid = '', supplement = '', topic = '', verdict = '', outcome = '' } of tabRows(
      readingsFile,
      signal,
    )) {
      const direction = DIRECTIONS[verdict];
      if (!direction || direction === 'unclear') continue;
      const finding: TopicFinding = { supplement, topic, direction, outcome, by: 'editor', probability: null };
      readings.set(pmid, [...(readings.get(pmid) ?? []), finding]);
    }
  return { screening, readings };
};

/** Returns the supplements of a screened paper: those that the editor named, and the arguable ones that the program matched. */
export const screened = (matched: readonly Match[], screening: Screening | undefined): readonly Match[] => {
  if (!screening) return matched;
  const kept = matched.filter(({ slug }) => screening.supplements.has(slug) || screening.either.has(slug));
  const known = new Set(kept.map(({ slug }) => slug));
  const added = [...screening.supplements]
    .filter((slug) => !known.has(slug))
    .map((slug): Match => ({ slug, where: 'abstract' }));
  return [...kept, ...added].map(({ probability: _, ...match }) => match);
};
