import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { jats } from '../../plugins/evidence/importers/jats.ts';
import type { EffectDirection, Funding, SourceRecord } from '../../plugins/evidence/source-record.ts';
import { DATA } from '../grading/reference.ts';

/** Manual reading of one article; the README explains each column. Numbers are null when the article gives none. */
export interface Label {
  readonly pmcid: string;
  readonly design: string;
  readonly species: string;
  readonly doubleBlind: string;
  readonly randomised: number | null;
  readonly enrolled: number | null;
  readonly analysed: number | null;
  readonly population: string;
  readonly direction: EffectDirection;
  readonly conclusion: EffectDirection;
  readonly funding: Funding;
  readonly note: string;
}

const table = (file: string): Record<string, string>[] => {
  const [head = '', ...lines] = readFileSync(new URL(file, import.meta.url), 'utf8')
    .trimEnd()
    .split('\n');
  const names = head.split('\t');
  return lines.map((line) => {
    const cells = line.split('\t');
    return Object.fromEntries(names.map((name, at) => [name, cells[at] ?? '']));
  });
};

const count = (cell = ''): number | null => (cell === '' ? null : Number(cell));

/** Reads both label files, in the order of reading. */
export const readLabels = (): Label[] =>
  ['labels-1.tsv', 'labels-2.tsv'].flatMap(table).map((row) => ({
    pmcid: (row.file ?? '').replace('.nxml', ''),
    design: row.design ?? '',
    species: row.species ?? '',
    doubleBlind: row.double_blind ?? '',
    randomised: count(row.n_randomised),
    enrolled: count(row.n_enrolled),
    analysed: count(row.n_analysed),
    population: row.population ?? '',
    direction: row.direction as EffectDirection,
    conclusion: row.direction_by_conclusion as EffectDirection,
    funding: row.funding as Funding,
    note: row.note ?? '',
  }));

/**
 * Returns whether an article is in the half on which rules may be tuned. The last digit of the hash selected the articles without
 * a supplement word, so the second to last digit splits the halves.
 */
export const isDevelopment = (pmcid: string): boolean =>
  Number.parseInt(createHash('sha256').update(pmcid).digest('hex').at(-2) ?? '0', 16) % 2 === 0;

/** An article as the importer reads it, with its label. */
export interface Labelled {
  readonly label: Label;
  readonly record: SourceRecord;
}

/** Reads the labelled articles from the archive of full texts, in the order of the labels. */
export const labelledArticles = async (): Promise<Labelled[]> => {
  const labels = new Map(readLabels().map((label) => [label.pmcid, label]));
  const found = new Map<string, SourceRecord>();
  const path = new URL('jats/articles.tar.gz', DATA).pathname;
  for await (const event of jats.read(path, new AbortController().signal)) {
    const pmcid = /(PMC\d+)\.nxml/.exec(event.at)?.[1] ?? '';
    if (event.type === 'record' && labels.has(pmcid)) found.set(pmcid, event.record);
  }
  return [...labels.values()].flatMap((label) => {
    const record = found.get(label.pmcid);
    return record === undefined ? [] : [{ label, record }];
  });
};

/** Returns the article without its full text, as a bibliographic database would provide it. */
export const abstractOnly = (record: SourceRecord): SourceRecord => ({ ...record, bodyText: '', fundingText: '' });
