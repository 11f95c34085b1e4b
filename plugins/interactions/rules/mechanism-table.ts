/**
 * Reads content/interactions/mechanisms.tsv: the actions of a supplement through which its rules work, with the constituent, the
 * dose or preparation where known, whether the action was shown in people, and the basis.
 */
import type { Reviewed } from '#core/content-check/reviewed.ts';
import { ContentError } from '#core/errors.ts';
import type { ContentFile } from '#core/plugin.ts';
import { THROUGH, type Through } from '../drugs/properties.ts';
import type { KnownNames } from './cross-check.ts';
import { SET_ID } from './label-rules.ts';
import { rowsOf } from './table-rows.ts';

export const MECHANISM_COLUMNS = [
  'supplement',
  'constituent',
  'action',
  'target',
  'strength',
  'shown_in',
  'dose',
  'basis',
  'address',
  'sentence',
] as const;
const ACTIONS = ['inhibits', 'induces', 'binds', 'adds to', 'works against'] as const;
const STRENGTHS = ['', 'weak', 'moderate', 'strong'];
const SHOWN_IN = ['people', 'laboratory'] as const;

/** One action of a supplement. */
export interface MechanismFact {
  readonly constituent: string;
  readonly action: (typeof ACTIONS)[number];
  readonly target: Through;
  readonly strength: string;
  readonly shownIn: (typeof SHOWN_IN)[number];
  /** "" if nobody states one. */
  readonly dose: string;
  /** `label`, `practice`, or the name of an authority or a paper's identifier. */
  readonly basis: string;
  /** Address of a page; for a label, its set id. */
  readonly address: string;
  readonly sentence: string;
}

export interface PlacedMechanism {
  readonly line: number;
  readonly supplement: string;
  readonly fact: MechanismFact;
}

/**
 * Parses the table of mechanisms.
 * @throws ContentError with the invalid line and column.
 */
export const readMechanisms = (
  file: ContentFile,
  names: Pick<KnownNames, 'supplements' | 'substances'> | null,
): readonly PlacedMechanism[] =>
  rowsOf(file, MECHANISM_COLUMNS).map(({ line, cells }) => {
    const wrong = (column: (typeof MECHANISM_COLUMNS)[number], message: string): never => {
      throw new ContentError(file.path, line, `field ${column}: ${message}`);
    };
    const word = <T extends string>(column: (typeof MECHANISM_COLUMNS)[number], words: readonly T[]): T =>
      words.find((one) => one === cells[column]) ?? wrong(column, `"${cells[column]}" is none of ${words.join(', ')}`);
    const { supplement, basis, address, sentence } = cells;
    if (names && !names.supplements.has(supplement) && !names.substances.has(supplement))
      wrong('supplement', `no supplement or substance is called "${supplement}"`);
    if (!basis) wrong('basis', 'is missing');
    if (basis === 'label' && !(SET_ID.test(address) && sentence)) wrong('address', 'a label needs set id and sentence');
    if (basis !== 'label' && basis !== 'practice' && !/^https:\/\/\S+$/.test(address))
      wrong('address', `"${address}" is no https:// address`);
    const fact: MechanismFact = {
      constituent: cells.constituent,
      action: word('action', ACTIONS),
      target: word('target', THROUGH),
      strength: word('strength', STRENGTHS),
      shownIn: word('shown_in', SHOWN_IN),
      dose: cells.dose,
      basis,
      address,
      sentence,
    };
    return { line, supplement, fact };
  });

export const reviewMechanisms = (file: ContentFile): Reviewed => ({
  kind: 'supplement-mechanisms',
  entries: readMechanisms(file, null).length,
  offers: [],
  names: [],
  reviewedAt: [],
  toldDays: [],
  passages: [],
});
