/** Finds the links between log entries and laboratory values: the person's own aim, or the evidence in the database. */
import type { Database } from '#core/plugin.ts';
import type { BiomarkerServices, Book, Marker } from '#plugins/biomarkers/index.ts';
import { addressOf, readCited, Source, type SourceRow, sourceFinder } from '#plugins/evidence/index.ts';
import type { OutcomeGrade, OutcomeServices } from '#plugins/outcomes/index.ts';
import type { VocabularyServices } from '#plugins/vocabulary/index.ts';
import type { LogEntry } from '../supplements/kept-entry.ts';

export type Way = 'up' | 'down' | 'unchanged';

export interface Link {
  /** `aim`: the person stated it; `nutrient`: the value measures the substance; `outcome`: the database grades the pair. */
  readonly by: 'aim' | 'nutrient' | 'outcome';
  /** Expected direction of the value according to the database; null if it states none for this value. */
  readonly expected: Way | null;
  /** Sources in the database, without retracted ones. */
  readonly evidence: readonly Evidence[];
}

export interface Evidence {
  readonly id: string;
  readonly title: string;
  /** "" if there is none. */
  readonly address: string;
}

export type Links = (entry: LogEntry, marker: Marker) => Link | null;

interface Parts {
  readonly db: Database;
  readonly biomarkers: Pick<BiomarkerServices, 'rows'>;
  readonly outcomes: Pick<OutcomeServices, 'all'>;
  readonly vocabulary: Pick<VocabularyServices, 'terms'>;
}

const OWN_LEVEL = 'nutrient-status';
const MOST_SOURCES = 20;

/**
 * Returns the direction from an effect size. A grade rates an outcome, and "better blood fats" does not give the direction of
 * LDL; only an effect size of this very value, in a unit of it, does.
 */
const wayByFigure = (book: Book, marker: Marker, { magnitude: { effect }, direction }: OutcomeGrade): Way | null => {
  if (!effect || !['MD', 'percent'].includes(effect.measure) || !['positive', 'negative'].includes(direction))
    return null;
  if (effect.groups.length || !effect.value) return null;
  const meant = book.named(effect.outcome.replace(/^fasting /, ''), { specimen: marker.specimen });
  if (meant[0]?.marker.slug !== marker.slug || meant[0].certainty < 1) return null;
  return effect.value > 0 ? 'up' : 'down';
};

/**
 * Returns the direction for the blood level of the substance itself: taking it raises the level, unless the certainty of the
 * grade is very low.
 */
const wayByLevel = (
  marker: Marker,
  supplement: string,
  { topic_slug, direction, certainty }: OutcomeGrade,
): Way | null =>
  topic_slug === OWN_LEVEL && marker.slug === supplement && direction === 'positive' && certainty !== 'very_low'
    ? 'up'
    : null;

const evidenceOf = (rows: readonly SourceRow[]): readonly Evidence[] =>
  [...new Map(rows.map((row) => [row.sourceId, row])).values()]
    .filter(({ retractionStatus }) => retractionStatus !== 'retracted')
    .slice(0, MOST_SOURCES)
    .map((row) => ({ id: row.sourceId, title: row.title, address: addressOf(row) }));

/** Reads sources by the references that entries cite, and by their own ids. */
const readSources = async (db: Database, refs: readonly string[], ids: readonly string[]) => {
  const [cited, named] = await db.read(async (em) => [
    refs.length ? await readCited(em, refs) : [],
    ids.length
      ? ((await em.find(
          Source,
          { sourceId: { $in: [...ids] } },
          { disableIdentityMap: true },
        )) as unknown as SourceRow[])
      : [],
  ]);
  return {
    find: sourceFinder(cited as readonly SourceRow[]),
    byId: new Map((named as readonly SourceRow[]).map((row) => [row.sourceId, row])),
  };
};

/** Reads the evidence on the supplements of a log; only the sources of these supplements are queried. */
export const readLinks = async (
  { db, biomarkers, outcomes, vocabulary }: Parts,
  book: Book,
  log: readonly LogEntry[],
): Promise<Links> => {
  const slugs = [...new Set(log.filter(({ slugKind }) => slugKind === 'supplement').map(({ slug }) => slug))];
  const entries = new Map((await biomarkers.rows()).map(({ slug, entry }) => [slug, entry]));
  const { supplements } = await vocabulary.terms();
  const taken = new Set(slugs);
  const grades = Map.groupBy(
    (await outcomes.all()).filter(({ assessed, supplement_slug }) => assessed && taken.has(supplement_slug)),
    ({ supplement_slug }) => supplement_slug,
  );
  const claimsOf = (supplement: string) => supplements.get(supplement)?.entry.evidence ?? [];
  const refs = [...new Set(slugs.flatMap(claimsOf).flatMap(({ sources }) => sources))];
  const figured = [...grades.values()].flat().flatMap(({ magnitude: { effect } }) => effect?.source_id ?? []);
  const { find, byId } = await readSources(db, refs, figured);
  const cited = (supplement: string, topics: readonly string[]): SourceRow[] =>
    claimsOf(supplement)
      .filter(({ topic }) => topics.includes(topic))
      .flatMap(({ sources }) => sources.flatMap((ref) => find(ref) ?? []));
  return (entry, marker) => {
    const isAim = entry.targets.includes(marker.slug);
    const { topics = [], nutrients = [] } = entries.get(marker.slug) ?? {};
    const isNutrient = entry.slugKind === 'supplement' && nutrients.includes(entry.slug);
    const fitting = (grades.get(entry.slug) ?? []).filter(
      ({ topic_slug, assessed }) => assessed && topics.includes(topic_slug) && (topic_slug !== OWN_LEVEL || isNutrient),
    );
    if (!isAim && !isNutrient && !fitting.length) return null;
    const stated = fitting.find((grade) => wayByFigure(book, marker, grade));
    const expected =
      (stated && wayByFigure(book, marker, stated)) ??
      fitting.map((grade) => wayByLevel(marker, entry.slug, grade)).find((way) => way !== null) ??
      null;
    const own = byId.get(stated?.magnitude.effect?.source_id ?? '');
    const rows = [
      ...(own ? [own] : []),
      ...cited(
        entry.slug,
        fitting.map(({ topic_slug }) => topic_slug),
      ),
    ];
    return { by: isAim ? 'aim' : isNutrient ? 'nutrient' : 'outcome', expected, evidence: evidenceOf(rows) };
  };
};
