/** The `fields` parameter of searches: which of the added fields a client wants to read. */
import { invalid } from '#core/http/validate.ts';
import { RankedRecord } from './schemas.ts';

/** The contract's own fields; they are in every record, asked for or not. */
const CONTRACT = new Set([
  'source_id',
  'pmid',
  'doi',
  'title',
  'abstract_or_summary',
  'quality_score',
  'quality_tier',
  'evidence_level',
  'source_class',
  'rank_score',
  'rank_reasons',
  'year',
  'vertical',
  'sample_size',
  'population',
]);

/**
 * Cuts records to the contract's fields and those named in `fields` (with commas between); all of them without it.
 * @throws 422 naming a field that records do not have.
 */
export const fieldPicker = (fields: string | undefined): ((record: RankedRecord) => Partial<RankedRecord>) => {
  if (fields === undefined) return (record) => record;
  const named = fields.split(',').map((name) => name.trim());
  const unknown = named.find((name) => !Object.hasOwn(RankedRecord.properties, name));
  if (unknown !== undefined)
    throw invalid('query', 'fields', `Records have no field '${unknown.slice(0, 60)}'`, fields);
  const kept = new Set([...CONTRACT, ...named]);
  return (record) => Object.fromEntries(Object.entries(record).filter(([name]) => kept.has(name)));
};
