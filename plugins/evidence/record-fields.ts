/** Implements the `fields` parameter of searches, which selects additional fields. */
import { invalid } from '#core/http/validate.ts';
import { CONTRACT_FIELDS, RankedRecord } from './schemas/search.ts';

/**
 * Returns a function that reduces records to the contract's fields and those named in `fields` (comma-separated); without it, to
 * all fields. `rank_explain` is sent only when `explain` is set or `fields` names it.
 * @throws 422 naming a field that records do not have.
 */
export const fieldPicker = (
  fields: string | undefined,
  explain: boolean,
): ((record: RankedRecord) => Partial<RankedRecord>) => {
  if (fields === undefined) return ({ rank_explain, ...record }) => (explain ? { ...record, rank_explain } : record);
  const named = fields.split(',').map((name) => name.trim());
  const unknown = named.find((name) => !Object.hasOwn(RankedRecord.properties, name));
  if (unknown !== undefined)
    throw invalid('query', 'fields', `Records have no field '${unknown.slice(0, 60)}'`, fields);
  const kept = new Set<string>([...CONTRACT_FIELDS, ...named, ...(explain ? ['rank_explain'] : [])]);
  return (record) => Object.fromEntries(Object.entries(record).filter(([name]) => kept.has(name)));
};
