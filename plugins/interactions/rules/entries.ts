/** Rows of interaction_entry: the entries of content/interactions/, one row per rule, caution, depletion and signal. */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { DrugFacts } from '../drugs/properties.ts';
import type { FloorData } from '../floor/floor-table.ts';
import type { MechanismFact } from './mechanism-table.ts';
import type { CautionEntry, DepletionEntry, FormEntry, RuleEntry, SignalEntry, SignalFile } from './schemas.ts';

export type SignalData = SignalEntry & Pick<SignalFile, 'as_of' | 'source'>;

interface Row<Kind extends string, Data> {
  /** A rule's slug; `caution:…`, `depletion:…`, `signal:…`, `property:…`, `mechanism:…`, `limits:…`, `form:…` for the others. */
  readonly id: string;
  readonly kind: Kind;
  /** Slug of the supplement or substance that it is about; for a property, that of the medicine. */
  readonly subject: string;
  readonly data: Data;
  /** Digest of `data`: equal digests mean that nothing changed. */
  readonly digest: string;
  /** RFC 3339. */
  readonly changedAt: string;
}
export type RuleRow = Row<'rule', RuleEntry>;
export type CautionRow = Row<'caution', CautionEntry>;
export type DepletionRow = Row<'depletion', DepletionEntry>;
export type SignalRow = Row<'signal', SignalData>;
export type PropertyRow = Row<'property', { readonly facts: DrugFacts }>;
export type MechanismRow = Row<'mechanism', { readonly facts: readonly MechanismFact[] }>;
export type FloorRow = Row<'floor', FloorData>;
export type FormRow = Row<'form', FormEntry>;
export type EntryRow =
  | RuleRow
  | CautionRow
  | DepletionRow
  | SignalRow
  | PropertyRow
  | MechanismRow
  | FloorRow
  | FormRow;

const ALL = `select id, kind, subject, data, digest,
  to_char(changed_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as "changedAt"
  from interaction_entry order by id collate "C"`;

export const readEntries = async (em: EntityManager): Promise<readonly EntryRow[]> =>
  (await em.execute(ALL)) as unknown as EntryRow[];

/**
 * Query for a state that changes whenever the entries or the grades of sources may have changed. API keys and jobs write to the
 * log too, and do not count.
 */
const STATE = `select coalesce(max(id), 0)::text as state from (
  select id from change_log where kind like 'content.%' or kind like 'evidence.%' or kind like 'interaction.%'
  or kind = 'index.published' order by id desc limit 1) as last`;

export const readEntriesState = async (em: EntityManager): Promise<string> => {
  const [row] = (await em.execute(STATE)) as unknown as { state: string }[];
  return row?.state ?? '';
};
