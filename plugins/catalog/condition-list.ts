/** Lists the condition pages, each with a version derived from everything it shows; two queries for all of them. */
import type { Context, PageInstance } from '#core/plugin.ts';
import { latest, readVerticalCounts, sourceFinder, versionOf } from '#plugins/evidence/index.ts';
import { careOf, interactionsPlugin } from '#plugins/interactions/index.ts';
import { outcomesPlugin } from '#plugins/outcomes/index.ts';
import { vocabularyPlugin } from '#plugins/vocabulary/index.ts';
import { readCitedStates } from './cited-states.ts';
import { claimsOn } from './condition-data.ts';
import { statesOf } from './condition-states.ts';

export async function* listConditionPages({ db, use }: Context): AsyncIterable<PageInstance> {
  const terms = await use(vocabularyPlugin).terms();
  const book = await use(interactionsPlugin).book();
  const rows = [...terms.conditions.values()].map((row) => ({ row, claims: claimsOn(row, terms) }));
  const refs = rows.flatMap(({ claims }) => claims.flatMap(({ claim }) => claim.sources));
  const { verticals, find } = await db.read(async (em) => ({
    verticals: await readVerticalCounts(em),
    find: sourceFinder(await readCitedStates(em, [...new Set(refs)])),
  }));
  const byTopic = Map.groupBy(verticals, ({ topic }) => topic);
  const all = await use(outcomesPlugin).all();
  const grades = new Map(all.map(({ vertical, digest }) => [vertical, digest]));
  // The page shows the grade of every outcome in people who have the condition.
  const inPeople = Map.groupBy(
    all.flatMap(({ vertical, digest, assessments }) =>
      [...new Set(assessments.map(({ population }) => population.condition || population.people))].map((condition) => ({
        condition,
        state: [vertical, digest],
      })),
    ),
    ({ condition }) => condition,
  );
  const names = versionOf([...terms.supplements.values()].map(({ slug, name }) => [slug, name]));
  for (const { row, claims } of rows) {
    const counts = row.topics.flatMap((topic) => byTopic.get(topic) ?? []);
    const said = claims.map(({ supplement, claim }) => ({ slug: supplement.slug, claim }));
    const cited = claims.flatMap(({ claim }) => claim.sources).map(find);
    yield {
      params: { condition_slug: row.slug },
      version: versionOf(
        row.digest,
        names,
        row.topics.map((slug) => [slug, terms.topics.get(slug)?.name]),
        counts.map(({ vertical, revisions }) => [vertical, revisions, grades.get(vertical)]),
        (inPeople.get(row.slug) ?? []).map(({ state }) => state),
        said,
        careOf(book, row.entry, statesOf(row.slug)),
        cited.map((source) => source && [source.sourceId, Number(source.revision)]),
      ),
      changedAt: latest([
        row.changedAt.toISOString(),
        ...counts.map(({ last }) => last),
        ...claims.map(({ supplement }) => supplement.changedAt.toISOString()),
      ]),
    };
  }
}
