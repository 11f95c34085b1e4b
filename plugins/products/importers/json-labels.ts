import { reasonOf } from '#core/import/unreadable-input.ts';
import type { LabelPatch, Origin, Told } from '../label.ts';
import { type LabelEvent, labelAt, problemAt, readLabelId } from './events.ts';
import { type JsonText, jsonValues } from './json-values.ts';
import { isApiLabel, toldByApi } from './label-json.ts';
import { isAmountsLabel, isMineralLabel, toldByAmounts, toldByMineral } from './label-lists.ts';
import { recordOf } from './values.ts';

type Json = Readonly<Record<string, unknown>>;

const SHAPES: readonly { readonly origin: Origin; fits(label: Json): boolean; told(label: Json): Told }[] = [
  { origin: 'dsld-json', fits: isApiLabel, told: toldByApi },
  { origin: 'dsld-amounts', fits: isAmountsLabel, told: toldByAmounts },
  { origin: 'dsld-mineral', fits: isMineralLabel, told: toldByMineral },
];

/** Unwraps a search hit, which has its label in `_source` and its id beside it. */
const unwrap = (value: Json): Json => {
  if (!('_source' in value) || typeof value._source !== 'object') return value;
  const source = recordOf(value._source);
  return { ...source, id: source.id ?? value._id };
};

const eventOf = ({ text, line }: JsonText, file: { name: string; asOf: string }): LabelEvent => {
  let label: Json;
  try {
    label = unwrap(recordOf(JSON.parse(text)));
  } catch {
    return problemAt(file.name, line, 'is no JSON');
  }
  const shape = SHAPES.find(({ fits }) => fits(label));
  if (!shape) return problemAt(file.name, line, 'is no label of a shape that is known');
  const id = readLabelId(label.id);
  if (id === null) return problemAt(file.name, line, 'the label has no id');
  try {
    const patch: LabelPatch = { dsldId: id, origin: shape.origin, asOf: file.asOf, told: shape.told(label) };
    return labelAt({ file: file.name, line }, patch);
  } catch (error) {
    return problemAt(file.name, line, reasonOf(error));
  }
};

/** Reads labels from JSON: one, an array, JSON lines, or a search response. */
export async function* jsonLabels(
  chunks: AsyncIterable<string>,
  file: { readonly name: string; readonly asOf: string },
): AsyncGenerator<LabelEvent> {
  let count = 0;
  for await (const value of jsonValues(chunks, /\.(?:jsonl|ndjson)(?:\.gz)?$/i.test(file.name))) {
    count += 1;
    yield eventOf(value, file);
  }
  if (!count) yield problemAt(file.name, null, 'holds no label');
}
