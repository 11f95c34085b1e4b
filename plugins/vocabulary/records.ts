/** Builds the API's representation of the rows of the vocabulary. */
import { originOfNote } from './origins.ts';
import type { Resolved } from './resolver.ts';
import {
  type ConditionRow,
  type IntakeRow,
  legalStatusOf,
  type SubstanceRow,
  type SupplementRow,
  type Terms,
} from './terms.ts';

const NO_LIMIT = 'No upper limit was set. This does not mean that any amount is safe.';

export const intakeRecord = ({ unit, upperLimit, recommended, authority }: IntakeRow) => ({
  unit,
  upper_limit: upperLimit,
  upper_limit_note: upperLimit ? (upperLimit.note ?? null) : NO_LIMIT,
  recommended: [...recommended],
  authority,
});

export const warningRecord = ({ slug, name, kind, statement, authority, statusAsOf }: SubstanceRow) => ({
  slug,
  name,
  kind,
  statement,
  authority,
  status_as_of: statusAsOf || null,
});

export const supplementSummary = (row: SupplementRow, terms: Terms, baseUrl: string) => {
  const intake = terms.intakes.get(row.slug);
  const status = legalStatusOf(terms, row.slug);
  return {
    slug: row.slug,
    name: row.name,
    latin_name: row.latinName,
    category: row.category,
    traditions: row.traditions,
    synonyms: row.synonyms,
    brands: row.entry.brands ?? [],
    parts_used: row.entry.parts_used ?? [],
    ids: row.entry.ids ?? {},
    answer: row.entry.answer,
    intake: intake ? intakeRecord(intake) : null,
    legal_status: status && warningRecord(status),
    url: `${baseUrl}/supplements/${row.slug}`,
    updated_at: row.entry.updated_at,
  };
};

const replacesOf = ({ redirects }: Terms, slug: string): string[] =>
  [...redirects].filter(([, to]) => to === slug).map(([from]) => from);

export const supplementRecord = (row: SupplementRow, terms: Terms, baseUrl: string) => ({
  ...supplementSummary(row, terms, baseUrl),
  forms: row.entry.forms,
  dosing: row.entry.dosing,
  safety: row.entry.safety.map((note) => ({ ...note, origin: originOfNote(note) })),
  unknown: row.entry.unknown,
  further_reading: row.entry.further_reading,
  replaces: replacesOf(terms, row.slug),
});

export const conditionSummary = (row: ConditionRow, { topics }: Terms, baseUrl: string) => ({
  slug: row.slug,
  name: row.name,
  category: row.category,
  synonyms: row.synonyms,
  ids: row.entry.ids ?? {},
  topics: row.topics.map((slug) => ({ slug, name: topics.get(slug)?.name ?? slug })),
  answer: row.entry.answer,
  url: `${baseUrl}/conditions/${row.slug}`,
  updated_at: row.entry.updated_at,
});

export const conditionRecord = (row: ConditionRow, terms: Terms, baseUrl: string) => ({
  ...conditionSummary(row, terms, baseUrl),
  ask: row.entry.ask,
  red_flags: row.entry.red_flags,
  see_doctor: row.entry.see_doctor ?? [],
  further_reading: row.entry.further_reading,
  replaces: replacesOf(terms, row.slug),
});

/** Builds the record of a resolved name; substances have no page. */
export const resolvedRecord = (resolved: Resolved, baseUrl: string) => ({
  ...resolved,
  url: resolved.kind === 'substance' ? null : `${baseUrl}/${resolved.kind}s/${resolved.slug}`,
});
