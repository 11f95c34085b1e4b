/**
 * Loads content/substances.yaml, reference-intakes.yaml and redirects.yaml into their tables; each sync replaces the previous
 * rows.
 */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Static, TSchema } from 'typebox';
import { readYaml } from '#core/content-file.ts';
import { bulkUpsert, type Row } from '#core/db/bulk.ts';
import type { ContentFile, ContentSource } from '#core/plugin.ts';
import { refuse, refuseDoubles } from './content-mistakes.ts';
import { IntakeList, RedirectList, type SubstanceKind, SubstanceList } from './list-schemas.ts';
import { reviewSubstances } from './review.ts';
import type { VocabularyServices } from './services.ts';
import { isExplained } from './terms.ts';

const slugsIn = async (
  em: EntityManager,
  table: 'supplement' | 'condition' | 'substance',
): Promise<ReadonlySet<string>> => {
  const rows = (await em.execute(`select slug from ${table}`)) as unknown as { slug: string }[];
  return new Set(rows.map(({ slug }) => slug));
};

interface ListSource<T extends TSchema> {
  readonly id: string;
  readonly path: string;
  readonly schema: T;
  readonly table: string;
  readonly key: string;
  readonly review?: ContentSource['review'];
  /**
   * Builds the rows of the table.
   * @throws ContentError
   */
  rows(file: ContentFile, entries: Static<T>, em: EntityManager): Promise<readonly Row[]>;
}

const listSource = <T extends TSchema>({
  id,
  path,
  schema,
  table,
  key,
  rows,
  review,
}: ListSource<T>): ContentSource<VocabularyServices> => ({
  id,
  matches: (candidate) => candidate === path,
  ...(review && { review }),
  sync: async (_context, [file], _gone, em) => {
    const fresh = file ? await rows(file, readYaml(file, schema), em) : [];
    await em.execute(`delete from ${table}`);
    await bulkUpsert(em, table, [key], fresh);
  },
  committed: (services) => services.forget(),
});

/** Kinds that a supplement with a page can also have: its legal status. */
const LEGAL_STATUS: ReadonlySet<string> = new Set<SubstanceKind>(['banned', 'restricted']);

export const substanceContent = listSource({
  id: 'substances',
  path: 'substances.yaml',
  schema: SubstanceList,
  table: 'substance',
  key: 'slug',
  review: reviewSubstances,
  rows: async (file, entries, em) => {
    const supplements = await slugsIn(em, 'supplement');
    refuseDoubles(file, entries, { field: 'slug', noun: 'substance' });
    return entries.map(({ slug, name, kind, synonyms, ids = {}, statement, authority, status_as_of = '' }, at) => {
      if (supplements.has(slug) && !LEGAL_STATUS.has(kind))
        refuse(file, [at, 'kind'], `"${slug}" is a supplement: it can be banned or restricted, and nothing else`);
      if (!authority && !isExplained(kind)) refuse(file, [at, 'kind'], `a ${kind} substance needs an authority`);
      return { slug, name, kind, synonyms, ids, statement, authority: authority ?? null, statusAsOf: status_as_of };
    });
  },
});

export const intakeContent = listSource({
  id: 'reference-intakes',
  path: 'reference-intakes.yaml',
  schema: IntakeList,
  table: 'reference_intake',
  key: 'supplement',
  rows: async (file, entries, em) => {
    const supplements = await slugsIn(em, 'supplement');
    refuseDoubles(file, entries, { field: 'supplement', noun: 'supplement' });
    return entries.map(({ supplement, unit, upper_limit, recommended, authority }, at) => {
      if (!supplements.has(supplement)) refuse(file, [at, 'supplement'], `no supplement is called "${supplement}"`);
      return { supplement, unit, upperLimit: upper_limit, recommended, authority };
    });
  },
});

export const redirectContent = listSource({
  id: 'redirects',
  path: 'redirects.yaml',
  schema: RedirectList,
  table: 'redirect',
  key: 'fromSlug',
  rows: async (file, entries, em) => {
    const pages = { supplement: await slugsIn(em, 'supplement'), condition: await slugsIn(em, 'condition') };
    const substances = await slugsIn(em, 'substance');
    refuseDoubles(file, entries, { field: 'from', noun: 'slug' });
    return entries.map(({ from, to, kind, reason }, at) => {
      const there = pages[kind as keyof typeof pages];
      if (there.has(from)) refuse(file, [at, 'from'], `"${from}" is the page of a ${kind}: it cannot lead elsewhere`);
      if (substances.has(from))
        refuse(file, [at, 'from'], `"${from}" is in substances.yaml: a page of that name would hide the entry`);
      if (!there.has(to)) refuse(file, [at, 'to'], `no ${kind} is called "${to}"`);
      return { fromSlug: from, toSlug: to, kind, reason };
    });
  },
});
