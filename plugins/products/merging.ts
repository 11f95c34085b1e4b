/** Several files tell of one label: for each field the newer file wins, and what a file does not tell it does not erase. */
import type { LabelPatch, Origin, OriginNote, Told, ToldField } from './label.ts';

interface Held {
  readonly value: unknown;
  readonly origin: Origin;
  readonly asOf: string;
}

/** Everything told of one label, each field with the file that it stands on. */
export type LabelState = ReadonlyMap<ToldField, Held>;

/** Of two files of one day, the one with more detail is believed. */
const DETAIL: readonly Origin[] = ['dsld-json', 'dsld-csv', 'dsld-amounts', 'dsld-mineral', 'dsld-list'];
/** A nested facts panel says more than a flat one, whatever the day: a changed panel gets an id of its own. */
const PANEL_DETAIL: readonly Origin[] = ['dsld-json', 'dsld-amounts', 'dsld-csv', 'dsld-mineral', 'dsld-list'];

/** A field that counts only where the whole was never told. */
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

/** What is known after `patch`; the order in which patches come does not matter. */
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

/** The value of a field, or undefined when no file told it. */
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

/** The state again from what a product keeps. */
export const stateOf = (origins: readonly OriginNote[], told: Told): LabelState =>
  new Map(
    origins.flatMap(({ origin, as_of, fields }) =>
      fields.map((field): [ToldField, Held] => [field, { value: told[field], origin, asOf: as_of }]),
    ),
  );
