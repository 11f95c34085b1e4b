/** Page /conditions/{condition_slug}: the answer first, then symptoms that need help at once, then supplements by certainty. */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { MedicalCondition, WithContext } from 'schema-dts';
import { Type } from 'typebox';
import { type Context, definePage } from '#core/plugin.ts';
import { pageFacts } from '#core/render/structured-data.ts';
import {
  breadcrumbs,
  dayInWords,
  historyView,
  inSentence,
  readCited,
  readVerticalCounts,
  scholarly,
  sourceFinder,
  toSourceView,
} from '#plugins/evidence/index.ts';
import { findingsPlugin } from '#plugins/findings/index.ts';
import { careOf, interactionsPlugin } from '#plugins/interactions/index.ts';
import { type Finding, findingsById, type OutcomeGrade, outcomesPlugin } from '#plugins/outcomes/index.ts';
import { type ConditionRow, type Terms, vocabularyPlugin } from '#plugins/vocabulary/index.ts';
import { CONDITION_CATEGORY_WORDS, shortened } from './catalog-labels.ts';
import { numberCitations } from './citations.ts';
import { conditionAnswers, verdictOf } from './condition-answers.ts';
import { claimsOn, readStrongest } from './condition-data.ts';
import { listConditionPages } from './condition-list.ts';
import { statesOf } from './condition-states.ts';
import { ConditionView, heldOf, neverOf, relatedOf, unreadOf, widerOf } from './condition-view.ts';
import { renderProse } from './prose.ts';
import { idViews, medicalCodes } from './standard-ids.ts';

/** Maximum number of sources printed on the page; the search lists all. */
const SHOWN = 20;

const loadCondition = async ({ db, use, config }: Context, slug: string) => {
  const vocabulary = use(vocabularyPlugin);
  const terms = await vocabulary.terms();
  const row = terms.conditions.get(slug);
  if (!row) {
    const meant = await vocabulary.pageFor('condition', slug);
    if (meant) return { redirect: `/conditions/${meant}`, status: 301 as const };
    const near = (await vocabulary.near(slug.replaceAll('-', ' '), 5, ['condition', 'supplement'])).map((hit) => ({
      name: hit.name,
      href: `/${hit.kind}s/${hit.slug}`,
    }));
    return { missing: { resource: 'Condition', id: slug, near } };
  }
  const book = await use(interactionsPlugin).book();
  const { entry } = row;
  const care = careOf(book, entry, statesOf(row.slug));
  const outcomes = use(outcomesPlugin);
  await outcomes.level();
  const known = { terms, grades: await outcomes.all(), byId: findingsById(await use(findingsPlugin).book()) };
  const view = { ...(await db.read((em) => viewOf(em, row, known))), care };
  const baseUrl = config.text('BASE_URL');
  const description = shortened(view.verdict);
  return {
    head: {
      title: `${row.name}: supplements that were studied`,
      description,
      structuredData: [
        conditionData(row, view, { baseUrl, reviewer: config.text('REVIEWER_NAME') }),
        breadcrumbs(baseUrl, view.crumbs),
      ],
    },
    view,
  };
};

interface Known {
  readonly terms: Terms;
  readonly grades: readonly OutcomeGrade[];
  readonly byId: ReadonlyMap<string, Finding>;
}

const viewOf = async (
  em: EntityManager,
  row: ConditionRow,
  { terms, grades: all, byId }: Known,
): Promise<Omit<ConditionView, 'care'>> => {
  const claims = claimsOn(row, terms);
  const refs = [...new Set(claims.flatMap(({ claim }) => claim.sources))];
  const find = sourceFinder(refs.length ? await readCited(em, refs) : []);
  const verticals = (await readVerticalCounts(em)).filter(({ topic }) => row.topics.includes(topic));
  const { total, sources } = await readStrongest(em, row.topics, SHOWN);
  const grades = new Map(
    all.filter(({ topic_slug: topic }) => row.topics.includes(topic)).map((grade) => [grade.vertical, grade]),
  );
  const answers = conditionAnswers({ row, terms, grades: all, byId });
  const material = { row, terms, claims, find, verticals, grades };
  const { entry } = row;
  return {
    crumbs: [
      { name: 'Conditions', href: '/conditions' },
      { name: row.name, href: `/conditions/${row.slug}` },
    ],
    name: row.name,
    nameInSentence: inSentence(row.name),
    category: {
      name: CONDITION_CATEGORY_WORDS[row.category] ?? row.category,
      href: `/conditions#${row.category}`,
    },
    synonyms: [...row.synonyms],
    ids: idViews(entry.ids),
    answer: entry.answer.trim(),
    verdict: verdictOf(answers, row.name),
    answers,
    held: heldOf({ answers, total }),
    wider: widerOf(material),
    redFlags: [...entry.red_flags],
    seeDoctor: [...(entry.see_doctor ?? [])],
    related: relatedOf(material),
    unread: unreadOf(material),
    never: neverOf(material),
    ask: [...entry.ask],
    prose: renderProse(
      row.body.replace(/^\s*## What it is\s*/, ''),
      numberCitations([], (ref) => ref),
    ),
    sources: sources.map(toSourceView),
    total,
    allHref: `/search/evidence?${new URLSearchParams({ q: row.name })}`,
    reading: entry.further_reading.map(({ name, address }) => ({ name, href: address })),
    editedOn: dayInWords(entry.updated_at),
    history: historyView(entry.changes),
  };
};

const conditionData = (
  row: ConditionRow,
  view: ConditionView,
  { baseUrl, reviewer }: { readonly baseUrl: string; readonly reviewer: string },
): WithContext<MedicalCondition> => ({
  '@context': 'https://schema.org',
  '@type': 'MedicalCondition',
  name: row.name,
  ...(row.synonyms.length && { alternateName: row.synonyms }),
  description: view.answer,
  url: `${baseUrl}/conditions/${row.slug}`,
  ...(view.ids.length && { code: medicalCodes(row.entry.ids) }),
  mainEntityOfPage: {
    '@type': 'MedicalWebPage',
    ...pageFacts({
      ...{ baseUrl, reviewer },
      path: `/conditions/${row.slug}`,
      name: `${row.name}: supplements that were studied`,
      changed: row.entry.updated_at,
    }),
    citation: view.sources.filter(({ retracted }) => !retracted).map(scholarly),
  },
});

export const conditionPage = definePage({
  id: 'catalog.condition',
  path: '/conditions/{condition_slug}',
  summary: 'One condition: what helps, what does not, what harms, what is unknown, red flags',
  template: 'catalog/condition',
  params: Type.Object({ condition_slug: Type.String({ maxLength: 80 }) }),
  view: ConditionView,
  scope: 'public',
  sitemap: 'conditions',
  llms: { section: 'Conditions', isInFull: true },
  revision: 9,
  list: listConditionPages,
  load: (context: Context, { params }) => loadCondition(context, params.condition_slug),
});
