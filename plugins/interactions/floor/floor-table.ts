/**
 * Reads content/interactions/floor.tsv: one row for each supplement, with its upper intake if no reference intake gives it, and
 * with the topics that have too little evidence for any caution.
 */
import type { Reviewed } from '#core/content-check/reviewed.ts';
import { ContentError } from '#core/errors.ts';
import type { ContentFile } from '#core/plugin.ts';
import type { KnownNames } from '../rules/cross-check.ts';
import { rowsOf } from '../rules/table-rows.ts';
import { NOT_STUDIED_TOPICS, type NotStudiedTopic } from './topics.ts';

export const FLOOR_COLUMNS = ['supplement', 'upper_intake', 'authority', 'address', 'not_studied'] as const;

export interface FloorData {
  /** Null if no upper limit was set, or if the reference intakes contain it. */
  readonly upper: { readonly statement: string; readonly authority: string; readonly address: string } | null;
  readonly notStudied: readonly NotStudiedTopic[];
}

export interface PlacedFloor {
  readonly line: number;
  readonly supplement: string;
  readonly data: FloorData;
}

/**
 * Parses the table.
 * @throws ContentError with the invalid line and column.
 */
export const readFloorTable = (file: ContentFile, names: Pick<KnownNames, 'supplements'>): readonly PlacedFloor[] => {
  const taken = new Set<string>();
  return rowsOf(file, FLOOR_COLUMNS).map(({ line, cells }) => {
    const wrong = (column: string, message: string): never => {
      throw new ContentError(file.path, line, `field ${column}: ${message}`);
    };
    const { supplement, upper_intake: statement, authority, address } = cells;
    if (!names.supplements.has(supplement)) wrong('supplement', `no supplement is called "${supplement}"`);
    if (taken.has(supplement)) wrong('supplement', `"${supplement}" is listed twice`);
    taken.add(supplement);
    if (Boolean(authority) !== Boolean(address)) wrong('address', 'an authority needs the address of its page');
    if (authority && !statement) wrong('upper_intake', 'is missing beside its authority');
    const notStudied = cells.not_studied
      .split(' ')
      .filter(Boolean)
      .map(
        (topic) =>
          NOT_STUDIED_TOPICS.find((known) => known === topic) ??
          wrong('not_studied', `"${topic}" is none of ${NOT_STUDIED_TOPICS.join(', ')}`),
      );
    return { line, supplement, data: { upper: statement ? { statement, authority, address } : null, notStudied } };
  });
};

/** Reviews the table for `npm run content:check`. */
export const reviewFloor = (file: ContentFile): Reviewed => {
  const rows = rowsOf(file, FLOOR_COLUMNS);
  return {
    kind: 'floor',
    entries: rows.length,
    offers: [],
    names: [],
    reviewedAt: [],
    toldDays: [],
    passages: rows.flatMap(({ line, cells }) =>
      cells.upper_intake
        ? [
            {
              field: 'upper_intake',
              line: () => line,
              text: cells.upper_intake,
              role: cells.address ? ('claim' as const) : ('general' as const),
              cites: cells.address ? [cells.address] : [],
            },
          ]
        : [],
    ),
  };
};
