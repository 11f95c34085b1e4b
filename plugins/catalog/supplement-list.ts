/** Lists the supplement pages, each with a version derived from everything it shows; a handful of queries for all of them. */
import type { Context, PageInstance } from '#core/plugin.ts';
import { biomarkersPlugin } from '#plugins/biomarkers/index.ts';
import { latest, sourceFinder, versionOf } from '#plugins/evidence/index.ts';
import { interactionsPlugin } from '#plugins/interactions/index.ts';
import { outcomesPlugin } from '#plugins/outcomes/index.ts';
import { productsPlugin } from '#plugins/products/index.ts';
import { vocabularyPlugin } from '#plugins/vocabulary/index.ts';
import { refsInReadingOrder } from './citations.ts';
import { readCitedStates } from './cited-states.ts';
import { interactionParts } from './interaction-parts.ts';

interface Sum {
  readonly supplement: string;
  readonly n: number;
  readonly revisions: string;
  readonly last: string;
}

const SUMS = `select v.supplement_slug as supplement, count(*)::int as n,
  sum(s.revision)::text || '/' || max(s.revision)::text as revisions,
  to_char(max(s.updated_at) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as last
  from evidence_vertical v join evidence_source s on s.source_id = v.source_id
  where s.removed_at is null group by 1`;

const CHANGES = `select subject_id as subject, max(id)::text as change from change_log
  where (subject_type = 'content' and kind = 'content.changed')
  or (subject_type = 'source' and kind in ('evidence.tier_changed', 'evidence.retracted', 'evidence.removed'))
  group by 1`;

export async function* listSupplementPages({ db, use }: Context): AsyncIterable<PageInstance> {
  const { supplements, topics, intakes, substances } = await use(vocabularyPlugin).terms();
  const interactions = use(interactionsPlugin);
  const book = await interactions.book();
  const rows = [...supplements.values()];
  const refsOf = new Map(rows.map((row) => [row.slug, [...new Set(refsInReadingOrder(row.entry, row.body))].sort()]));
  const { bySupplement: markets } = await use(productsPlugin).marketStates();
  const { sums, changes, find } = await db.read(async (em) => ({
    sums: new Map(((await em.execute(SUMS)) as unknown as Sum[]).map((sum) => [sum.supplement, sum])),
    changes: new Map(
      ((await em.execute(CHANGES)) as unknown as { subject: string; change: string }[]).map((row) => [
        row.subject,
        row.change,
      ]),
    ),
    find: sourceFinder(await readCitedStates(em, [...new Set([...refsOf.values()].flat())])),
  }));
  const grades = Map.groupBy(await use(outcomesPlugin).all(), ({ supplement_slug: slug }) => slug);
  const names = versionOf([...topics.values()].map(({ slug, name }) => [slug, name]));
  for (const row of rows) {
    const cited = (refsOf.get(row.slug) ?? []).map((ref) => [ref, find(ref)] as const);
    const states = cited.map(([ref, source]) => [
      ref,
      source && [source.sourceId, Number(source.revision), changes.get(source.sourceId)],
    ]);
    const sum = sums.get(row.slug);
    const market = markets.get(row.slug);
    const shown = interactionParts(book, row.slug, await interactions.ofSupplement(row.slug));
    yield {
      params: { slug: row.slug },
      version: versionOf(
        row.digest,
        names,
        states,
        sum,
        changes.get(`supplements/${row.slug}.md`),
        intakes.get(row.slug),
        substances.get(row.slug),
        shown,
        market,
        await use(biomarkersPlugin).ofSupplement(row.slug),
        grades.get(row.slug)?.map(({ digest }) => digest),
      ),
      changedAt: latest([
        row.changedAt.toISOString(),
        sum?.last,
        market?.last,
        ...cited.map(([, source]) => source?.updatedAt.toISOString()),
      ]),
    };
  }
}
