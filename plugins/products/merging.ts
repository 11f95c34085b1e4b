/**
 * Merges several files about one label. For each field the newer file wins, and a field that a file does not state is not
 * erased.
 */
import type { LabelPatch, Origin, OriginNote, Told, ToldField } from './label.ts';

interface Held {
  readonly value: unknown;
  readonly origin: Origin;
  readonly asOf: string;
}

/** The merged fields of one label, each with the file that it comes from. */
export type LabelState = ReadonlyMap<ToldField, Held>;

/** Precedence of files of the same day: the more detailed one wins. */
const DETAIL: readonly Origin[] = ['dsld-json', 'dsld-csv', 'dsld-amounts', 'dsld-mineral', 'dsld-list'];
/**
 * Precedence for the facts panel, whatever the day: a nested panel has more information than a flat one, and a changed panel
 * gets an id of its own.
 */
const PANEL_DETAIL: readonly Origin[] = ['dsld-json', 'dsld-amounts', 'dsld-csv', 'dsld-mineral', 'dsld-list'];

/** Fields that count only when the complete field was never stated. */
const PART_OF: Readonly<Partial<Record<ToldField, ToldField>>> = {
  some_ingredients: 'ingredients',
  suggested_use: 'statements',
};
const WHOLES = Object.entries(PART_OF) as readonly [ToldField, ToldField][];

const isTold = (value: unknown): boolean => value !== undefined && value !== null && value !== '';

const wins = (field: ToldField, one: Held, other: Held): boolean => {
  if (field === 'ingredients' && one.origin !== other.origin)
    return PANEL_DETAIL.indexOf(one.origin) < PANEL_DETAIL.indexOf(other.origin);
  if (one.asOf !== other.asOf) return one.asOf > other.asOf;
  return DETAIL.indexOf(one.origin) <= DETAIL.indexOf(other.origin);
};

/** Returns the state after `patch`. The order of patches does not affect the result. */
export const applyPatch = (state: LabelState, { told, origin, asOf }: LabelPatch): LabelState => {
  const next = new Map(state);
  for (const [field, value] of Object.entries(told) as [ToldField, Told[ToldField]][]) {
    if (!isTold(value)) continue;
    const held: Held = { value, origin, asOf };
    const before = next.get(field);
    if (!before || wins(field, held, before)) next.set(field, held);
  }
  for (const [part, whole] of WHOLES) if (next.has(whole)) next.delete(part);
  return next;
};

/** Returns the value of a field, or undefined when no file stated it. */
export const toldValue = <F extends ToldField>(state: LabelState, field: F): Told[F] =>
  state.get(field)?.value as Told[F];

export const originsOf = (state: LabelState): OriginNote[] => {
  const notes = new Map<string, { origin: Origin; as_of: string; fields: ToldField[] }>();
  for (const [field, { origin, asOf }] of state) {
    const key = `${asOf} ${origin}`;
    const note = notes.get(key) ?? { origin, as_of: asOf, fields: [] };
    note.fields.push(field);
    notes.set(key, note);
  }
  for (const note of notes.values()) note.fields.sort();
  return [...notes].sort(([one], [other]) => (one < other ? 1 : -1)).map(([, note]) => note);
};

/** Restores the state from the fields that a product stores. */
export const stateOf = (origins: readonly OriginNote[], told: Told): LabelState =>
  new Map(
    origins.flatMap(({ origin, as_of, fields }) =>
      fields.map((field): [ToldField, Held] => [field, { value: told[field], origin, asOf: as_of }]),
    ),
  );
