/** Formats log entries as JSON for the API and for the export. */
import { Type } from 'typebox';
import type { Checked, Interaction, Interplay } from './interplay.ts';
import type { LogEntry } from './kept-entry.ts';

const text = Type.String();
const count = Type.Integer();

const InteractionJson = Type.Object({
  with: Type.Object({ log_id: count, name: text, slug: text, kind: text }),
  severity: text,
  to_do: text,
  effect: text,
  recommendation: text,
  separate_hours: Type.Union([Type.Number(), Type.Null()]),
  url: text,
  needs_confirmation: Type.Boolean(),
});

export const EntryJson = Type.Object({
  log_id: count,
  kind: Type.String({ enum: ['supplement', 'medicine'] }),
  supplement_slug: Type.String({
    description: 'Of a supplement or a substance; "" for medicines and for names that are none of ours.',
  }),
  drug_slug: text,
  name: text,
  given_name: text,
  needs_confirmation: Type.Boolean({ description: 'The name was taken for a misspelling of this one.' }),
  dsld_id: text,
  dose_amount: Type.Union([Type.Number(), Type.Null()]),
  dose_unit: text,
  frequency: text,
  time_of_day: text,
  started_at: text,
  stopped_at: Type.Union([Type.String(), Type.Null()]),
  status: Type.String({ enum: ['started', 'stopped'] }),
  reason: text,
  target_biomarkers: Type.Array(text),
  unknown_targets: Type.Array(text),
  interactions: Type.Array(InteractionJson),
  interactions_checked: Type.Object({
    pairs: count,
    found: count,
    no_record: count,
    not_covered: count,
    not_recognised: count,
    message: text,
  }),
  created_at: text,
});

/** Formats the entry without its current interactions, which are not data of the person. */
export const keptEntryJson = (entry: LogEntry) => {
  const isSubject = entry.slugKind === 'supplement' || entry.slugKind === 'substance';
  return {
    log_id: entry.logId,
    kind: entry.kind,
    supplement_slug: isSubject ? entry.slug : '',
    drug_slug: isSubject ? '' : entry.slug,
    name: entry.name,
    given_name: entry.given,
    needs_confirmation: entry.isGuess,
    dsld_id: entry.dsldId,
    dose_amount: entry.doseAmount,
    dose_unit: entry.doseUnit,
    frequency: entry.frequency,
    time_of_day: entry.timeOfDay,
    started_at: entry.startedAt,
    stopped_at: entry.stoppedAt,
    status: entry.stoppedAt === null ? ('started' as const) : ('stopped' as const),
    reason: entry.reason,
    target_biomarkers: entry.targets,
    unknown_targets: entry.unknownTargets,
    created_at: entry.createdAt,
  };
};

export const entryJson = (entry: LogEntry, interplay: Interplay) => {
  const { interactions, checked }: { interactions: readonly Interaction[]; checked: Checked } = interplay.of(
    entry.logId,
  );
  return { ...keptEntryJson(entry), interactions, interactions_checked: checked };
};
