/** Page /evidence/{vertical}: all evidence in the corpus on one question, strongest first. */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { MedicalWebPage, WithContext } from 'schema-dts';
import { type Static, Type } from 'typebox';
import type { Config } from '#core/config.ts';
import { type Context, definePage, type Near, type PageInstance } from '#core/plugin.ts';
import { YearColumnsView, yearColumns } from '#core/render/charts/year-columns.ts';
import { type PageFacts, pageFacts } from '#core/render/structured-data.ts';
import { type SupplementRow, type Terms, type TopicRow, vocabularyPlugin } from '#plugins/vocabulary/index.ts';
import { TIER_LABELS } from '../schemas.ts';
import type { EvidenceServices } from '../services.ts';
import { AssessmentView } from './assessment-view.ts';
import { balanceOf } from './balance.ts';
import { type GradedQuestion, GradeHistory, GradeView, type QuestionGrades } from './grade-view.ts';
import { nearSupplements } from './near.ts';
import { ClaimView, claimsOn, SafetyFact, safetyFact, yearsOf } from './vertical-claims.ts';
import { type LightRow, readFull, readLines, readRows } from './vertical-rows.ts';
import {
  breadcrumbs,
  byName,
  CrumbList,
  dayInWords,
  inSentence,
  LinkView,
  latest,
  SourceView,
  scholarly,
  TIER_WEIGHTS,
  versionOf,
} from './views.ts';

/** Number of sources shown with their summary; the others follow as one line each. */
const IN_FULL = 40;
const IN_LINES = 400;

const BalanceView = Type.Object({
  shares: Type.Array(
    Type.Object({
      code: Type.String(),
      word: Type.String(),
      counts: Type.Array(Type.Integer()),
      sources: Type.Integer(),
      weight: Type.Integer(),
      percent: Type.Integer(),
    }),
  ),
  sources: Type.Integer(),
  weight: Type.Integer(),
  unread: Type.Integer(),
  leftOut: Type.Object({ notInPeople: Type.Integer(), retracted: Type.Integer(), registered: Type.Integer() }),
});

const VerticalView = Type.Object({
  vertical: Type.String(),
  crumbs: CrumbList,
  question: Type.String(),
  answer: Type.String(),
  supplement: Type.Object({ name: Type.String(), inSentence: Type.String(), href: Type.String() }),
  /** Null when the supplement has no warning or caution. */
  safety: Type.Union([SafetyFact, Type.Null()]),
  topic: Type.String(),
  /** Amount of evidence, when `answer` states a verdict instead; otherwise "". */
  held: Type.String(),
  claims: Type.Array(ClaimView),
  /** Sources by year and tier; null when there are too few for a chart. */
  years: Type.Union([YearColumnsView, Type.Null()]),
  balance: BalanceView,
  weights: Type.Array(Type.Object({ tier: Type.String(), weight: Type.Integer() })),
  gaps: Type.Array(Type.String()),
  /** One assessment per population, the leading one first. */
  assessments: Type.Array(AssessmentView),
  /** Null until the question is graded. */
  grade: Type.Union([GradeView, Type.Null()]),
  gradeChanges: GradeHistory,
  sources: Type.Array(SourceView),
  more: Type.Array(SourceView),
  unlisted: Type.Integer(),
  retracted: Type.Array(SourceView),
  sameSupplement: Type.Array(LinkView),
  sameTopic: Type.Array(LinkView),
  changedOn: Type.String(),
});
type VerticalView = Static<typeof VerticalView>;

interface VerticalRow {
  readonly vertical: string;
  readonly supplement: string;
  readonly topic: string;
  readonly n: number;
  readonly revisions: string;
  readonly last: string;
}

/** Adds graded questions that have no source in the corpus: their grades rest on findings alone. */
const withGraded = (
  rows: readonly VerticalRow[],
  grades: ReadonlyMap<string, GradedQuestion>,
): readonly VerticalRow[] => {
  const listed = new Set(rows.map(({ vertical }) => vertical));
  const rest = [...grades].filter(([vertical, { assessed }]) => assessed && !listed.has(vertical));
  return [
    ...rows,
    ...rest.map(([vertical, { supplement, topic, gradedAt: last }]) => ({
      ...{ vertical, supplement, topic, last },
      n: 0,
      revisions: '',
    })),
  ];
};

const LISTED = `select v.vertical, v.supplement_slug as supplement, v.topic_slug as topic, count(*)::int as n,
  sum(s.revision)::text || '/' || max(s.revision)::text as revisions,
  to_char(max(s.updated_at) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as last
  from evidence_vertical v join evidence_source s on s.source_id = v.source_id
  where s.removed_at is null group by 1, 2, 3`;

const readVerticals = async (em: EntityManager): Promise<readonly VerticalRow[]> =>
  (await em.execute(LISTED)) as unknown as VerticalRow[];

const linkTo = (supplement: SupplementRow, topic: TopicRow, name: string): LinkView => ({
  name,
  href: `/evidence/${supplement.slug}-${topic.slug}`,
});

const relatedTo = (
  rows: readonly Pick<VerticalRow, 'vertical' | 'supplement' | 'topic'>[],
  terms: Terms,
  { supplement, topic }: { supplement: SupplementRow; topic: TopicRow },
) => {
  const own = `${supplement.slug}-${topic.slug}`;
  const others = rows.filter((row) => row.vertical !== own);
  const links = (wanted: typeof others, nameOf: (s: SupplementRow, t: TopicRow) => string): LinkView[] =>
    wanted
      .flatMap((row) => {
        const [s, t] = [terms.supplements.get(row.supplement), terms.topics.get(row.topic)];
        return s && t ? [linkTo(s, t, nameOf(s, t))] : [];
      })
      .sort(byName);
  return {
    sameSupplement: links(
      others.filter((row) => row.supplement === supplement.slug),
      (_, t) => t.name,
    ),
    sameTopic: links(
      others.filter((row) => row.topic === topic.slug),
      (s) => s.name,
    ),
  };
};

async function* listVerticals({ db, use, services }: Context<EvidenceServices>): AsyncIterable<PageInstance> {
  const terms = await use(vocabularyPlugin).terms();
  const grades =
    (await db.read(async (em) => services.questionGrades()?.graded(em))) ?? new Map<string, GradedQuestion>();
  const rows = withGraded(await db.read(readVerticals), grades);
  const group = (key: (row: VerticalRow) => string): Map<string, string> => {
    const lists = Map.groupBy(rows, key);
    return new Map([...lists].map(([name, list]) => [name, versionOf(list.map(({ vertical }) => vertical).sort())]));
  };
  const [bySupplement, byTopic] = [group((row) => row.supplement), group((row) => row.topic)];
  const names = versionOf([...terms.topics.values()].map(({ slug, name }) => [slug, name]));
  const titles = versionOf([...terms.supplements.values()].map(({ slug, name }) => [slug, name]));
  for (const row of rows.toSorted((a, b) => (a.vertical < b.vertical ? -1 : 1))) {
    const supplement = terms.supplements.get(row.supplement);
    if (!supplement || !terms.topics.has(row.topic)) continue;
    const around = [bySupplement.get(row.supplement), byTopic.get(row.topic), names, titles];
    yield {
      params: { vertical: row.vertical },
      version: versionOf(row.n, row.revisions, supplement.digest, around, grades.get(row.vertical)?.digest),
      changedAt: latest([row.last, supplement.changedAt.toISOString()]),
    };
  }
}

const figures = new Intl.NumberFormat('en-GB');
const countOf = (n: number, noun: string): string => `${figures.format(n)} ${noun}${n === 1 ? '' : 's'}`;

const peopleAmong = (sources: number, inPeople: number): string => {
  if (sources === 1) return inPeople ? 'a study in people' : 'which is not known to be in people';
  if (!inPeople) return 'none of them known to be in people';
  return inPeople === sources ? 'all of them in people' : `${figures.format(inPeople)} of them in people`;
};

/** Builds the opening answer: the number of sources, the tier of the strongest one, and the limits of what a tier means. */
const answerOf = (rows: readonly LightRow[], standing: readonly LightRow[], sentence: string): string => {
  const [best] = standing;
  const lost = rows.length - standing.length;
  if (!best) {
    const fate = lost === 1 ? 'It was retracted' : 'All of them were retracted';
    return `This base holds ${countOf(lost, 'source')} on ${sentence}. ${fate}, so no finding stands; that is a gap, not a sign of no effect or of safety.`;
  }
  const inPeople = standing.filter(({ species }) => species === 'human').length;
  const amount = `This base holds ${countOf(standing.length, 'source')} on ${sentence}, ${peopleAmong(standing.length, inPeople)}.`;
  const besides = lost
    ? ` ${lost === 1 ? 'One more was' : `${figures.format(lost)} more were`} retracted and do${lost === 1 ? 'es' : ''} not count.`
    : '';
  const tier = `${best.qualityTier}, ${TIER_LABELS[best.qualityTier].toLowerCase()}`;
  const strength = standing.length === 1 ? `It is of tier ${tier}.` : `The strongest is of tier ${tier}.`;
  return `${amount} ${strength}${besides} The tier says how far a study can be trusted, not that the supplement works or is safe.`;
};

/**
 * Builds the answer from the leading assessment, such as "In adults with depression: … High certainty, 2,922 people in 16
 * studies."
 */
const verdictOf = (lead: AssessmentView | undefined): string =>
  lead
    ? `${lead.summary} ${/certainty/.test(lead.summary) ? '' : `${lead.word} certainty. `}In ${lead.population}: ${lead.people}.`
    : '';

const loadVertical = async (context: Context<EvidenceServices>, vertical: string) => {
  const { db, use, config, services } = context;
  const vocabulary = use(vocabularyPlugin);
  const terms = await vocabulary.terms();
  await services.questionGrades()?.level();
  const found = vocabulary.verticalName(vertical, terms);
  if (!found) return missing(vertical, nearVerticals(vertical, terms, await db.read(readVerticals)));
  return db.read(async (em) => {
    const rows = await readRows(em, vertical);
    const graded = (await services.questionGrades()?.of(em, vertical)) ?? null;
    if (!rows.length && !graded?.assessments.length) {
      const near = nearVerticals(vertical, terms, await readVerticals(em));
      return missing(vertical, [
        { name: found.supplement.name, href: `/supplements/${found.supplement.slug}` },
        ...near,
      ]);
    }
    return viewOf(em, rows, { vertical, terms, graded, ...found }, config);
  });
};

const missing = (vertical: string, near: readonly Near[]) => ({
  missing: { resource: 'Vertical', id: vertical, near: near.slice(0, 6) },
});

/**
 * Returns questions that share the supplement at the start of the address; when there are none, supplements with similar names.
 */
const nearVerticals = (vertical: string, terms: Terms, rows: readonly VerticalRow[]): readonly Near[] => {
  const sameStart = rows
    .filter((row) => vertical.startsWith(`${row.supplement}-`))
    .sort((a, b) => b.n - a.n || (a.vertical < b.vertical ? -1 : 1))
    .flatMap((row) => {
      const [supplement, topic] = [terms.supplements.get(row.supplement), terms.topics.get(row.topic)];
      return supplement && topic
        ? [{ name: `${supplement.name} and ${inSentence(topic.name)}`, href: `/evidence/${row.vertical}` }]
        : [];
    });
  return sameStart.length ? sameStart.slice(0, 5) : nearSupplements(vertical, terms);
};

interface Asked {
  readonly vertical: string;
  readonly terms: Terms;
  readonly supplement: SupplementRow;
  readonly topic: TopicRow;
  readonly graded: Awaited<ReturnType<QuestionGrades['of']>>;
}

const VERTICALS_NEAR = `select vertical, supplement_slug as supplement, topic_slug as topic from evidence_vertical
  where supplement_slug = ? or topic_slug = ? group by 1, 2, 3`;

const viewOf = async (em: EntityManager, rows: readonly LightRow[], asked: Asked, config: Config) => {
  const { vertical, terms, supplement, topic, graded } = asked;
  const standing = rows.filter(({ retractionStatus }) => retractionStatus !== 'retracted');
  const around = (await em.execute(VERTICALS_NEAR, [supplement.slug, topic.slug])) as unknown as VerticalRow[];
  const lastChange = rows.map(({ updatedAt }) => updatedAt.toISOString()).sort();
  const changedAt = latest([...lastChange, supplement.changedAt.toISOString()]) ?? '';
  const sentence = `${inSentence(supplement.name)} and ${inSentence(topic.name)}`;
  const retracted = rows.filter(({ retractionStatus }) => retractionStatus === 'retracted');
  const question = { supplement: supplement.slug, topic: topic.slug };
  const sources = await readFull(em, standing.slice(0, IN_FULL), question);
  const more = await readLines(em, standing.slice(IN_FULL, IN_FULL + IN_LINES), question);
  const crumbs = [
    { name: 'Supplements', href: '/supplements' },
    { name: supplement.name, href: `/supplements/${supplement.slug}` },
    { name: topic.name, href: `/evidence/${vertical}` },
  ];
  const view: VerticalView = {
    vertical,
    crumbs,
    question: `What does the evidence say about ${sentence}?`,
    answer: verdictOf(graded?.assessments[0]) || answerOf(rows, standing, sentence),
    held: graded?.assessments.length && rows.length ? answerOf(rows, standing, sentence) : '',
    assessments: [...(graded?.assessments ?? [])],
    supplement: {
      name: supplement.name,
      inSentence: inSentence(supplement.name),
      href: `/supplements/${supplement.slug}`,
    },
    safety: safetyFact(supplement),
    topic: topic.name,
    claims: claimsOn(supplement, topic, { standing: [...sources, ...more], retracted }),
    years: yearColumns(yearsOf(standing), { id: 'year-chart', title: `Sources on ${sentence} by year and tier` }),
    balance: balanceOf(rows) as VerticalView['balance'],
    weights: Object.entries(TIER_WEIGHTS).map(([tier, weight]) => ({ tier, weight })),
    grade: graded?.grade ?? null,
    gradeChanges: [...(graded?.history ?? [])],
    gaps: [...(graded?.gaps ?? [])],
    sources,
    more,
    unlisted: Math.max(0, standing.length - IN_FULL - IN_LINES),
    retracted: await readFull(em, retracted, question),
    ...relatedTo(around, terms, asked),
    changedOn: dayInWords(changedAt),
  };
  const baseUrl = config.text('BASE_URL');
  const facts = { baseUrl, changed: changedAt, reviewer: config.text('REVIEWER_NAME') };
  const structuredData = [pageData(view, facts), breadcrumbs(baseUrl, crumbs)];
  const description = `${countOf(rows.length, 'graded source')} on ${sentence}, strongest first: design, people, direction, gaps.`;
  const noindex = !view.assessments.length && !standing.length;
  return {
    head: {
      title: `${supplement.name} and ${inSentence(topic.name)}: the evidence`,
      description,
      structuredData,
      ...(noindex && { noindex }),
    },
    view,
  };
};

const pageData = (
  view: VerticalView,
  { baseUrl, changed, reviewer }: Pick<PageFacts, 'baseUrl' | 'changed' | 'reviewer'>,
): WithContext<MedicalWebPage> => ({
  '@context': 'https://schema.org',
  '@type': 'MedicalWebPage',
  ...pageFacts({
    ...{ baseUrl, changed, reviewer },
    path: `/evidence/${view.vertical}`,
    name: view.question,
    description: view.answer,
  }),
  about: { '@type': 'DietarySupplement', name: view.supplement.name, url: `${baseUrl}${view.supplement.href}` },
  citation: view.sources.map(scholarly),
});

export const verticalPage = definePage({
  id: 'evidence.vertical',
  path: '/evidence/{vertical}',
  summary: 'One supplement and one outcome: balance of evidence, sources, gaps',
  template: 'evidence/vertical',
  params: Type.Object({ vertical: Type.String({ maxLength: 200 }) }),
  view: VerticalView,
  scope: 'public',
  sitemap: 'supplements',
  revision: 5,
  list: listVerticals,
  load: (context: Context<EvidenceServices>, { params }) => loadVertical(context, params.vertical),
});
