/** Validates the fields of a new log entry and converts them to the entry. */
import { type Static, Type } from 'typebox';
import { invalid } from '#core/http/validate.ts';
import type { Book } from '#plugins/biomarkers/index.ts';
import { Day } from '../route-parts.ts';
import { FREQUENCIES, type KeptEntry } from './kept-entry.ts';
import { type Meaning, meaningOfName, meaningOfSlug, type Words } from './naming.ts';

export const EntryFields = Type.Object({
  consent: Type.Optional(
    Type.Boolean({ description: 'Required with the first entry of a device, and remembered for the next: `true`.' }),
  ),
  kind: Type.Optional(Type.String({ enum: ['supplement', 'medicine'], default: 'supplement' })),
  supplement_slug: Type.Optional(Type.String({ maxLength: 120 })),
  name: Type.Optional(Type.String({ maxLength: 200 })),
  dsld_id: Type.Optional(
    Type.Union([Type.String({ maxLength: 20, pattern: '^[0-9]*$' }), Type.Integer({ minimum: 1 })]),
  ),
  dose_amount: Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: 1_000_000_000 })),
  dose_unit: Type.Optional(Type.String({ maxLength: 40 })),
  frequency: Type.Optional(Type.String({ enum: [...FREQUENCIES] })),
  time_of_day: Type.Optional(Type.String({ maxLength: 60 })),
  started_at: Type.Optional(Day),
  reason: Type.Optional(Type.String({ maxLength: 500 })),
  target_biomarkers: Type.Optional(Type.Array(Type.String({ maxLength: 200 }), { maxItems: 20 })),
});
export type EntryFields = Static<typeof EntryFields>;

const DAY_MS = 86_400_000;

export const today = (now = Date.now()): string => new Date(now).toISOString().slice(0, 10);
/** Returns the latest day that is not in the future anywhere: it is already tomorrow in some time zones. */
const latestDay = (): string => today(Date.now() + DAY_MS);
const EARLIEST = '1900-01-01';

/**
 * Returns the day.
 * @throws AppError 422 for a day in the future or before 1900.
 */
export const checkedDay = (field: string, day: string): string => {
  if (day > latestDay()) throw invalid('body', field, 'The day is in the future', day);
  if (day < EARLIEST) throw invalid('body', field, 'The day is too long ago', day);
  return day;
};

/**
 * Resolves the name or the slug.
 * @throws AppError 422 without a name and without a slug, and for an unknown slug.
 */
const meaningOf = async (words: Words, fields: EntryFields): Promise<Meaning> => {
  const [slug, name] = [fields.supplement_slug?.trim().toLowerCase() ?? '', fields.name?.trim() ?? ''];
  if (slug) {
    const meaning = await meaningOfSlug(words, slug);
    if (meaning) return meaning;
    if (!name)
      throw invalid('body', 'supplement_slug', 'There is no supplement of this slug; send its name instead', slug);
  }
  if (!name) throw invalid('body', 'name', 'Send the name of what you take, or a supplement_slug');
  return meaningOfName(words, name, (fields.kind ?? 'supplement') as KeptEntry['kind']);
};

/** Resolves the targets by slug, or by a name that means exactly one marker. */
const targetsOf = (book: Book, given: readonly string[]): Pick<KeptEntry, 'targets' | 'unknownTargets'> => {
  const [targets, unknownTargets] = [new Set<string>(), new Set<string>()];
  for (const text of given
    .flatMap((one) => one.split(/[,;\n]/))
    .map((one) => one.trim())
    .filter(Boolean)) {
    const named = book.named(text).filter(({ certainty }) => certainty === 1);
    const slug = book.bySlug(text.toLowerCase())?.slug ?? (named.length === 1 ? named[0]?.marker.slug : undefined);
    if (slug) targets.add(slug);
    else unknownTargets.add(text);
  }
  return { targets: [...targets], unknownTargets: [...unknownTargets] };
};

export const entryFrom = async (words: Words, book: Book, fields: EntryFields): Promise<KeptEntry> => ({
  ...(await meaningOf(words, fields)),
  ...targetsOf(book, fields.target_biomarkers ?? []),
  dsldId: String(fields.dsld_id ?? ''),
  doseAmount: fields.dose_amount ?? null,
  doseUnit: fields.dose_unit?.trim() ?? '',
  frequency: (fields.frequency ?? '') as KeptEntry['frequency'],
  timeOfDay: fields.time_of_day?.trim() ?? '',
  startedAt: checkedDay('started_at', fields.started_at ?? today()),
  stoppedAt: null,
  reason: fields.reason?.trim() ?? '',
});
