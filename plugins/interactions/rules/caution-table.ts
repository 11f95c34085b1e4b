/**
 * Reads content/interactions/cautions.tsv, the safety floor: one row for each supplement and state of a person that has no
 * caution of its own in a rule file. A state that nobody has studied is stated as a fact, with the severity `unknown`.
 */
import type { Passage, Reviewed } from '#core/content-check/reviewed.ts';
import { ContentError } from '#core/errors.ts';
import type { ContentFile } from '#core/plugin.ts';
import type { KnownNames } from './cross-check.ts';
import { UNSOURCED } from './due-kinds.ts';
import type { CautionEntry, RuleSource } from './schemas.ts';
import { ACTIONS, CAUTION_CONDITIONS, LIKELIHOODS, SEVERITIES } from './severity-labels.ts';
import { rowsOf } from './table-rows.ts';

export const CAUTION_COLUMNS = [
  'supplement',
  'condition',
  'name',
  'severity',
  'action',
  'likelihood',
  'effect',
  'recommendation',
  'authority',
  'address',
] as const;
type Column = (typeof CAUTION_COLUMNS)[number];

const ADDRESS = /^https:\/\/\S+$/;

export interface PlacedCaution {
  readonly line: number;
  readonly supplement: string;
  readonly data: CautionEntry;
}

/**
 * Parses the table of cautions.
 * @throws ContentError with the invalid line and column.
 */
export const readCautionTable = (file: ContentFile, names: KnownNames): readonly PlacedCaution[] =>
  rowsOf(file, CAUTION_COLUMNS).map(({ line, cells }) => {
    const wrong = (column: Column, message: string): never => {
      throw new ContentError(file.path, line, `field ${column}: ${message}`);
    };
    const word = <T extends string>(column: Column, words: readonly T[]): T =>
      words.find((one) => one === cells[column]) ?? wrong(column, `"${cells[column]}" is none of ${words.join(', ')}`);
    const text = (column: Column): string => cells[column] || wrong(column, 'is missing');
    const { supplement, name, authority, address } = cells;
    if (!names.supplements.has(supplement)) wrong('supplement', `no supplement is called "${supplement}"`);
    if (Boolean(authority) !== Boolean(address)) wrong('address', 'an authority needs the address of its page');
    if (address && !ADDRESS.test(address)) wrong('address', `"${address}" is no https:// address`);
    const condition = word('condition', CAUTION_CONDITIONS);
    if (condition === 'other') text('name');
    const source: RuleSource = authority ? { authority, address } : { practice: true };
    const data: CautionEntry = {
      condition,
      ...(name && { name }),
      severity: word('severity', SEVERITIES),
      action: word('action', ACTIONS),
      likelihood: word('likelihood', LIKELIHOODS),
      effect: text('effect'),
      recommendation: text('recommendation'),
      sources: [source],
    };
    return { line, supplement, data };
  });

/** Reviews the table for `npm run content:check`. */
export const reviewCautions = (file: ContentFile): Reviewed => {
  const rows = rowsOf(file, CAUTION_COLUMNS);
  const passage = (line: number, field: Column, text: string, role: Passage['role'], address: string): Passage => ({
    field,
    line: () => line,
    text,
    role,
    cites: address ? [address] : [],
  });
  return {
    kind: 'cautions',
    entries: rows.length,
    offers: [...Map.groupBy(rows, ({ cells }) => `${cells.supplement}/${cells.condition}`)].map(([id, of]) => ({
      ids: [`floor:${id}`],
      says: JSON.stringify(of.map(({ cells }) => cells)),
      about: of.slice(0, 1).map(({ cells }) => `supplement:${cells.supplement}`),
      warns: true,
    })),
    names: [],
    reviewedAt: [],
    toldDays: [],
    due: rows
      .filter(({ cells }) => !cells.address)
      .map(({ line, cells }) => ({
        kind: UNSOURCED,
        line,
        words: `${cells.supplement}, ${cells.name || cells.condition}: no source has been opened`,
      })),
    passages: rows.flatMap(({ line, cells }) => [
      // Without an address it is safety advice from professional knowledge, which has no page as its source.
      passage(line, 'effect', cells.effect, cells.address ? 'claim' : 'general', cells.address),
      passage(line, 'recommendation', cells.recommendation, 'advice', ''),
    ]),
  };
};
