/**
 * Defines the page /biomarkers/{slug}: the purpose of the test, ranges with their sources, units, and the factors that change the
 * value.
 */
import type { MedicalTest, WithContext } from 'schema-dts';
import { Type } from 'typebox';
import { type Context, definePage, type Page, type PageInstance } from '#core/plugin.ts';
import { pageFacts } from '#core/render/structured-data.ts';
import { breadcrumbs, latest, likeness, versionOf } from '#plugins/evidence/index.ts';
import { interactionsPlugin } from '#plugins/interactions/index.ts';
import { outcomesPlugin } from '#plugins/outcomes/index.ts';
import { vocabularyPlugin } from '#plugins/vocabulary/index.ts';
import { BiomarkerView, biomarkerView, rangeInBrief } from './biomarker-view.ts';
import type { BiomarkerRow } from './entities.ts';
import type { Known } from './moved-by.ts';
import type { BiomarkerServices } from './services.ts';

type Reading = Context<BiomarkerServices>;

const readKnown = async ({ use }: Reading): Promise<Known> => ({
  terms: await use(vocabularyPlugin).terms(),
  grades: await use(outcomesPlugin).all(),
  book: await use(interactionsPlugin).book(),
});

const LIKE_ENOUGH = 0.4;
const SHOWN_NEAR = 5;

/** Returns links to at most five markers that match the name in the slug, then markers with a similar slug. */
const nearTo = async ({ services }: Reading, slug: string) => {
  const book = await services.book();
  const named = book.named(slug.replaceAll('-', ' ')).map(({ marker }) => marker);
  const alike = book.markers
    .map((marker) => ({ marker, like: likeness(slug, marker.slug) }))
    .filter(({ like }) => like >= LIKE_ENOUGH)
    .sort((a, b) => b.like - a.like)
    .map(({ marker }) => marker);
  const near = [...new Set([...named, ...alike])].slice(0, SHOWN_NEAR);
  return [
    ...near.map((marker) => ({ name: marker.name, href: `/biomarkers/${marker.slug}` })),
    { name: 'All biomarkers', href: '/biomarkers' },
  ];
};

/** Maximum length of a title in search results, in characters. */
const TITLE_LENGTH = 65;
const ENDINGS = [': ranges, units, what moves it', ': ranges and units', ': ranges', ''];

const titleOf = (name: string): string =>
  ENDINGS.map((ending) => `${name}${ending}`).find((title) => title.length <= TITLE_LENGTH) ?? name;

const DESCRIPTION_LENGTH = 155;

const descriptionOf = ({ body }: BiomarkerRow, view: BiomarkerView): string => {
  const [first = ''] = body.split(/(?<=[.!?])\s/);
  const text = `${first} ${view.ranges.length ? 'Ranges with source and population, units, what moves it.' : 'Units, names on reports, what moves it.'}`;
  return text.length <= DESCRIPTION_LENGTH ? text : `${text.slice(0, DESCRIPTION_LENGTH).replace(/\s+\S*$/, '')} …`;
};

const testData = (
  { marker, entry }: BiomarkerRow,
  view: BiomarkerView,
  { baseUrl, reviewer, description }: Readonly<Record<'baseUrl' | 'reviewer' | 'description', string>>,
): WithContext<MedicalTest> => ({
  '@context': 'https://schema.org',
  '@type': 'MedicalTest',
  name: marker.name,
  alternateName: view.names,
  description,
  url: `${baseUrl}/biomarkers/${marker.slug}`,
  ...(marker.ranges.length > 0 && { normalRange: rangeInBrief(marker) }),
  ...(view.loinc.length > 0 && {
    code: view.loinc.map(({ code, href }) => ({
      '@type': 'MedicalCode' as const,
      codingSystem: 'LOINC',
      codeValue: code,
      url: href,
    })),
  }),
  mainEntityOfPage: {
    '@type': 'MedicalWebPage',
    ...pageFacts({
      ...{ baseUrl, reviewer },
      path: `/biomarkers/${marker.slug}`,
      name: marker.name,
      changed: entry.updated_at,
    }),
  },
});

const loadBiomarker = async (context: Reading, slug: string) => {
  const rows = await context.services.rows();
  const row = rows.find((one) => one.slug === slug);
  if (!row) return { missing: { resource: 'Biomarker', id: slug, near: await nearTo(context, slug) } };
  const view = biomarkerView(row, await readKnown(context));
  const { config } = context;
  const [baseUrl, reviewer] = [config.text('BASE_URL'), config.text('REVIEWER_NAME')];
  const description = descriptionOf(row, view);
  return {
    head: {
      title: titleOf(row.name),
      description,
      structuredData: [testData(row, view, { baseUrl, reviewer, description }), breadcrumbs(baseUrl, view.crumbs)],
    },
    view,
  };
};

async function* listBiomarkers(context: Reading): AsyncIterable<PageInstance> {
  const known = await readKnown(context);
  for (const row of await context.services.rows()) {
    const view = biomarkerView(row, known);
    const supplements = [...view.movedBy.outcomes.flatMap(({ surer, unsure }) => [...surer, ...unsure])];
    const graded = new Set(supplements.map(({ question }) => question.href.slice('/evidence/'.length)));
    const changes = known.grades.filter(({ vertical }) => graded.has(vertical)).map(({ graded_at: at }) => at);
    yield {
      params: { slug: row.slug },
      version: versionOf(row.digest, view),
      changedAt: latest([`${row.entry.updated_at}T00:00:00Z`, ...changes]),
    };
  }
}

export const biomarkerPage = definePage({
  id: 'biomarkers.biomarker',
  path: '/biomarkers/{slug}',
  summary: 'One biomarker: what it measures, ranges with source and population, units, what moves it',
  template: 'biomarkers/biomarker',
  params: Type.Object({ slug: Type.String({ maxLength: 80 }) }),
  view: BiomarkerView,
  scope: 'public',
  sitemap: 'biomarkers',
  llms: { section: 'Biomarkers', isInFull: true },
  revision: 3,
  list: listBiomarkers,
  load: (context: Reading, { params }) => loadBiomarker(context, params.slug),
}) as Page<BiomarkerServices>;
