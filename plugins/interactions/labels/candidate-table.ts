/**
 * Reads and writes content/interactions/label-candidates.tsv: sentences that imports of labels found and that are not yet in
 * labels.tsv, have changed since they were read, or were dismissed. Editors review it; readers never see it.
 */
import type { DueEntry, Reviewed } from '#core/content-check/reviewed.ts';
import { ContentError } from '#core/errors.ts';
import type { ContentFile, ContentSource } from '#core/plugin.ts';
import { CHANGED_LABEL, UNREAD_SENTENCE } from '../rules/due-kinds.ts';
import { rowsOf } from '../rules/table-rows.ts';
import type { InteractionServices } from '../services.ts';

export const CANDIDATES = 'interactions/label-candidates.tsv';

export const CANDIDATE_COLUMNS = [
  'id',
  'state',
  'supplement',
  'medicine',
  'set_id',
  'version',
  'date',
  'section',
  'label',
  'sentence',
  'before',
  'reason',
] as const;
type Column = (typeof CANDIDATE_COLUMNS)[number];

/**
 * `new`: nobody has read it. `dismissed`: read and left out. `changed`: the quote of a row of labels.tsv is missing from a newer
 * edition of its label. `moved`: the quote is in another section.
 */
export const CANDIDATE_STATES = ['new', 'changed', 'moved', 'dismissed'] as const;
export type CandidateState = (typeof CANDIDATE_STATES)[number];

export type CandidateRow = Readonly<Record<Exclude<Column, 'state'>, string>> & { readonly state: CandidateState };
export type PlacedCandidate = CandidateRow & { readonly line: number };

const ID = /^[0-9a-f]{12}$/;

/**
 * Parses the table of candidates.
 * @throws ContentError with the invalid line and column.
 */
export const readCandidateTable = (file: ContentFile): readonly PlacedCandidate[] => {
  const taken = new Set<string>();
  return rowsOf(file, CANDIDATE_COLUMNS).map(({ line, cells }) => {
    const wrong = (column: Column, message: string): never => {
      throw new ContentError(file.path, line, `field ${column}: ${message}`);
    };
    const state =
      CANDIDATE_STATES.find((one) => one === cells.state) ??
      wrong('state', `"${cells.state}" is none of ${CANDIDATE_STATES.join(', ')}`);
    if (!ID.test(cells.id)) wrong('id', `"${cells.id}" is no id of a candidate`);
    if (taken.has(cells.id)) wrong('id', `${cells.id} is listed twice`);
    taken.add(cells.id);
    if (state === 'dismissed' && !cells.reason) wrong('reason', 'is missing: why was it left out?');
    return { ...cells, state, line };
  });
};

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Formats a cell on one line; whitespace that would break the table becomes a space. */
const cell = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** Formats the table in a fixed order: the same rows give the same bytes. */
export const writeCandidateTable = (rows: readonly CandidateRow[]): string =>
  [
    CANDIDATE_COLUMNS.join('\t'),
    ...rows
      .toSorted((a, b) => byText(a.supplement, b.supplement) || byText(a.medicine, b.medicine) || byText(a.id, b.id))
      .map((row) => CANDIDATE_COLUMNS.map((column) => cell(row[column])).join('\t')),
    '',
  ].join('\n');

const pairOf = ({ supplement, medicine }: CandidateRow): string => `${supplement} × ${medicine}`;

const quoted = (text: string): string => (text ? `“${text}”` : 'no sentence in its place');

/** Describes a changed row for the editor, in one line. */
export const sayChange = (row: CandidateRow): string => {
  const edition = [row.date && `of ${row.date}`, row.version && `version ${row.version}`].filter(Boolean).join(', ');
  return row.state === 'moved'
    ? `the sentence behind ${pairOf(row)} has moved from ${row.before} to ${row.section} (label ${edition})`
    : `the sentence behind ${pairOf(row)} has changed: before “${row.before}”, now ${quoted(row.sentence)} (label ${edition})`;
};

/** Returns the entries that await review: changes one by one, new sentences by pair. */
const dueIn = (rows: readonly PlacedCandidate[]): DueEntry[] => [
  ...rows
    .filter(({ state }) => state === 'changed' || state === 'moved')
    .map((row) => ({ kind: CHANGED_LABEL, line: row.line, words: sayChange(row) })),
  ...[
    ...Map.groupBy(
      rows.filter(({ state }) => state === 'new'),
      pairOf,
    ),
  ].map(([pair, of]) => ({
    kind: UNREAD_SENTENCE,
    line: of[0]?.line ?? null,
    words: `${pair}: ${of.length} ${of.length === 1 ? 'sentence' : 'sentences'} of labels that nobody has read`,
  })),
];

export const reviewCandidates = (file: ContentFile): Reviewed => {
  const rows = readCandidateTable(file);
  return {
    kind: 'label candidates',
    entries: rows.length,
    offers: [],
    names: [],
    passages: [],
    due: dueIn(rows),
  };
};

/** Validates the table at every sync. It is never shown, so it is not stored. */
export const candidateContent: ContentSource<InteractionServices> = {
  id: 'label-candidates',
  matches: (path) => path === CANDIDATES,
  review: reviewCandidates,
  sync: async (_context, files) => {
    for (const file of files) readCandidateTable(file);
  },
};
