/** Page /supplements: the directory, by category and tradition. */
import { type Static, Type } from 'typebox';
import { type Context, definePage, type PageInstance } from '#core/plugin.ts';
import { collectionPage } from '#core/render/structured-data.ts';
import {
  byName,
  LinkView,
  latest,
  OptionalTier,
  readSupplementCounts,
  tierView,
  versionOf,
} from '#plugins/evidence/index.ts';
import { type SupplementRow, vocabularyPlugin } from '#plugins/vocabulary/index.ts';
import { CATEGORY_WORDS, firstSentence, TRADITION_WORDS } from './catalog-labels.ts';

const Choice = Type.Object({ name: Type.String(), href: Type.String(), count: Type.Integer(), chosen: Type.Boolean() });

const DirectoryView = Type.Object({
  title: Type.String(),
  categories: Type.Array(Choice),
  traditions: Type.Array(Choice),
  filtered: Type.Boolean(),
  total: Type.Integer(),
  supplements: Type.Array(
    Type.Object({
      link: LinkView,
      latinName: Type.String(),
      category: Type.String(),
      sentence: Type.String(),
      best: OptionalTier,
      sources: Type.Integer(),
    }),
  ),
});
type DirectoryView = Static<typeof DirectoryView>;

const DirectoryQuery = Type.Object({
  category: Type.String({ maxLength: 80, default: '' }),
  tradition: Type.String({ maxLength: 80, default: '' }),
});
type DirectoryQuery = Static<typeof DirectoryQuery>;

const hrefOf = (query: DirectoryQuery): string => {
  const given = new URLSearchParams(Object.entries(query).filter(([, value]) => value));
  return given.size ? `/supplements?${given}` : '/supplements';
};

/** Returns the label of a code, or the code itself. A caller may pass the name of a property that every object inherits. */
const wordOf = (words: Readonly<Record<string, string>>, code: string): string =>
  (Object.hasOwn(words, code) ? words[code] : undefined) ?? code;

const fits = (row: SupplementRow, { category, tradition }: DirectoryQuery): boolean =>
  (!category || row.category === category) && (!tradition || row.traditions.includes(tradition));

/** Builds the filters as plain links: each preserves the other filter, and the selected one links back. */
const choices = (rows: readonly SupplementRow[], query: DirectoryQuery, field: 'category' | 'tradition') => {
  const words = field === 'category' ? CATEGORY_WORDS : TRADITION_WORDS;
  const valuesOf = (row: SupplementRow): readonly string[] => (field === 'category' ? [row.category] : row.traditions);
  const values = [...new Set(rows.flatMap(valuesOf))];
  return values
    .map((value) => {
      const chosen = query[field] === value;
      const count = rows.filter((row) => fits(row, { ...query, [field]: value })).length;
      return { name: words[value] ?? value, href: hrefOf({ ...query, [field]: chosen ? '' : value }), count, chosen };
    })
    .sort(byName);
};

const loadDirectory = async ({ db, use, config }: Context, query: DirectoryQuery) => {
  const { supplements } = await use(vocabularyPlugin).terms();
  const counts = new Map((await db.read(readSupplementCounts)).map((count) => [count.supplement, count]));
  const rows = [...supplements.values()].sort(byName);
  const shown = rows.filter((row) => fits(row, query));
  const category = query.category && wordOf(CATEGORY_WORDS, query.category);
  const tradition = query.tradition && wordOf(TRADITION_WORDS, query.tradition);
  const title = [category || 'Supplements', tradition].filter(Boolean).join(', ');
  const view: DirectoryView = {
    title,
    categories: choices(rows, query, 'category'),
    traditions: choices(rows, query, 'tradition'),
    filtered: hrefOf(query) !== '/supplements',
    total: rows.length,
    supplements: shown.map((row) => {
      const count = counts.get(row.slug);
      return {
        link: { name: row.name, href: `/supplements/${row.slug}` },
        latinName: row.latinName,
        category: CATEGORY_WORDS[row.category] ?? row.category,
        sentence: firstSentence(row.entry.answer),
        best: count?.best ? tierView(count.best) : null,
        sources: count?.n ?? 0,
      };
    }),
  };
  const description = `${shown.length} of ${rows.length} supplements${category && `: ${category.toLowerCase()}`}: what each is, how many graded sources the base holds on it, and the tier of the best.`;
  return {
    head: {
      title: view.filtered ? `${title}: supplements` : 'All supplements',
      description,
      noindex: view.filtered,
      structuredData: [
        collectionPage(
          { baseUrl: config.text('BASE_URL'), path: '/supplements', name: 'Supplements', description },
          view.supplements.map(({ link }) => link),
        ),
      ],
    },
    view,
  };
};

async function* listDirectory({ db, use }: Context): AsyncIterable<PageInstance> {
  const { supplements } = await use(vocabularyPlugin).terms();
  const counts = await db.read(readSupplementCounts);
  const rows = [...supplements.values()];
  const shown = counts.map(({ supplement, n, best }) => [supplement, n, best]);
  yield {
    params: {},
    version: versionOf(
      rows.map(({ digest }) => digest),
      shown,
    ),
    changedAt: latest([...rows.map(({ changedAt }) => changedAt.toISOString()), ...counts.map(({ last }) => last)]),
  };
}

export const supplementsPage = definePage({
  id: 'catalog.supplements',
  path: '/supplements',
  summary: 'All supplements, by category and tradition',
  template: 'catalog/supplements',
  query: DirectoryQuery,
  view: DirectoryView,
  scope: 'public',
  sitemap: 'supplements',
  llms: { section: 'Lists', isInFull: false },
  revision: 2,
  list: listDirectory,
  load: (context, { query }) => loadDirectory(context, query),
});
