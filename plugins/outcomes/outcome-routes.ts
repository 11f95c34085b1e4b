/** Routes /api/outcomes, /api/outcomes/{vertical}, /api/interventions and /api/gaps. */
import type { EntityManager } from '@mikro-orm/postgresql';
import { notFound } from '#core/errors.ts';
import { type Context, defineRoute } from '#core/plugin.ts';
import { editDistance } from '#core/search/edit-distance.ts';
import {
  checkPage,
  echoOf,
  linkHeader,
  type PageRequest,
  pageOf,
  supplementFilter,
  type Terms,
  vocabularyPlugin,
} from '#plugins/vocabulary/index.ts';
import { byInterest, gapsOf } from './gaps.ts';
import { byUse, dosesFor } from './interventions.ts';
import { readCited } from './material.ts';
import { nameOfPopulation } from './population-name.ts';
import { forCondition, type OutcomeGrade } from './read-grades.ts';
import {
  GapsQuery,
  GapsReply,
  InterventionsQuery,
  InterventionsReply,
  OutcomeReply,
  OutcomesQuery,
  OutcomesReply,
  VerticalParams,
} from './schemas.ts';
import type { OutcomeServices } from './services.ts';
import { topicKind } from './topic-kinds.ts';

type Query = PageRequest & { readonly vertical?: string; readonly supplement?: string; readonly topic?: string };

/**
 * Brings the grades up to date with the corpus and returns those that match the query and whose supplement and topic have names.
 */
const namedGrades = async ({ services, use, config }: Context<OutcomeServices>, query: Query) => {
  checkPage(query);
  await services.level();
  const { vertical, topic } = query;
  const vocabulary = use(vocabularyPlugin);
  const terms = await vocabulary.terms();
  const supplement = await supplementFilter(vocabulary, query.supplement);
  const fits = (grade: OutcomeGrade): boolean =>
    (!vertical || grade.vertical === vertical) &&
    (supplement.slug === null || grade.supplement_slug === supplement.slug) &&
    (!topic || grade.topic_slug === topic);
  const grades = (await services.all()).filter((grade) => fits(grade) && isNamed(grade, terms));
  return { terms, grades, resolved: echoOf(supplement, config.text('BASE_URL')) };
};

export const isNamed = ({ supplement_slug, topic_slug }: OutcomeGrade, { supplements, topics }: Terms): boolean =>
  supplements.has(supplement_slug) && topics.has(topic_slug);

const nameOf = (grade: OutcomeGrade, { supplements, topics }: Terms) => ({
  supplement: supplements.get(grade.supplement_slug)?.name ?? grade.supplement_slug,
  outcome: topics.get(grade.topic_slug)?.name ?? grade.topic_slug,
});

/** Builds the API representation of a grade. */
export const toOutcome = (grade: OutcomeGrade, terms: Terms) => {
  const { digest: _, topic_slug: topic, best_tier, assessments, ...members } = grade;
  const named = assessments.map(({ population, ...rest }) => ({
    population: { ...population, text: nameOfPopulation(population, terms) },
    ...rest,
  }));
  return {
    ...members,
    topic,
    ...nameOf(grade, terms),
    population: named[0]?.population.text ?? '',
    assessments: named,
    best_tier: best_tier ?? '',
  };
};

const paged = <T>(
  context: Context<OutcomeServices>,
  path: string,
  query: Query & Readonly<Record<string, unknown>>,
  rows: readonly T[],
) => {
  const { shown, members } = pageOf(rows, query);
  const Link = linkHeader(`${context.config.text('BASE_URL')}${path}`, query, rows.length);
  return { shown, members, headers: { Link } };
};

export const outcomesRoute = defineRoute<OutcomeServices, { query: typeof OutcomesQuery }>({
  id: 'outcomes.list',
  method: 'GET',
  path: '/api/outcomes',
  summary: 'Certainty, direction and size of effect for each supplement and outcome',
  description:
    'One entry for each supplement and outcome that the base holds sources on, with every reason. A grade is about one population, which it names; `assessments` has every population. Questions that nobody has assessed say so in `assessed`. The method is at /api/methodology/outcomes. No grade says that anything is safe.',
  tag: 'Outcomes',
  access: 'limited',
  request: { query: OutcomesQuery },
  replies: [{ status: 200, mediaType: 'application/json', description: 'A page of grades', schema: OutcomesReply }],
  links: { 'outcomes.one': { vertical: '/outcomes/0/vertical' }, 'sources.list': { vertical: '/outcomes/0/vertical' } },
  raises: ['validation_failed'],
  handle: async (context, { query }) => {
    const { terms, grades, resolved } = await namedGrades(context, query);
    const wanted = grades
      .flatMap((grade) => forCondition(grade, query.condition))
      .filter(
        ({ certainty, assessed }) =>
          (!query.certainty || (assessed && certainty === query.certainty)) &&
          (query.assessed === undefined || assessed === query.assessed),
      );
    const { shown, members, headers } = paged(context, '/api/outcomes', query, wanted);
    return { headers, body: { outcomes: shown.map((grade) => toOutcome(grade, terms)), ...members, resolved } };
  },
});

const MOST_EDITS = 3;
const MOST_NEAR = 5;

/** Returns graded verticals that a misspelled one may mean, fewest edits first. */
const nearVerticals = (given: string, grades: readonly OutcomeGrade[]): string[] =>
  grades
    .map(({ vertical }) => ({ vertical, edits: editDistance(given.toLowerCase(), vertical, MOST_EDITS) }))
    .filter(({ edits }) => edits <= MOST_EDITS)
    .sort((a, b) => a.edits - b.edits || (a.vertical < b.vertical ? -1 : 1))
    .slice(0, MOST_NEAR)
    .map(({ vertical }) => vertical);

export const outcomeRoute = defineRoute<OutcomeServices, { params: typeof VerticalParams }>({
  id: 'outcomes.one',
  method: 'GET',
  path: '/api/outcomes/{vertical}',
  summary: 'The grade of one supplement on one outcome, and what it was before',
  tag: 'Outcomes',
  access: 'limited',
  request: { params: VerticalParams },
  replies: [{ status: 200, mediaType: 'application/json', description: 'The grade', schema: OutcomeReply }],
  links: { 'sources.list': { vertical: '/vertical' } },
  raises: ['not_found', 'validation_failed'],
  handle: async ({ services, use, db }, { params }) => {
    await services.level();
    const terms = await use(vocabularyPlugin).terms();
    const { grade, history } = await db.read(async (em) => ({
      grade: await services.ofVertical(params.vertical, em),
      history: await services.history(params.vertical, em),
    }));
    if (!grade) throw notFound('Vertical', params.vertical, nearVerticals(params.vertical, await services.all()));
    const changes = history.map(({ vertical: _v, supplement_slug: _s, topic_slug: _t, ...change }) => change);
    return { body: { ...toOutcome(grade, terms), history: changes } };
  },
});

/** Reads the sources cited for the doses of the given supplements. */
const dosesCited = (em: EntityManager, grades: readonly OutcomeGrade[], { supplements }: Terms) =>
  readCited(em, [
    ...new Set(
      grades.flatMap(({ supplement_slug: slug }) =>
        (supplements.get(slug)?.entry.dosing ?? []).flatMap(({ sources }) => sources),
      ),
    ),
  ]);

export const interventionsRoute = defineRoute<OutcomeServices, { query: typeof InterventionsQuery }>({
  id: 'interventions.list',
  method: 'GET',
  path: '/api/interventions',
  summary: 'Supplements and what they were studied for, surest first',
  description:
    'Surest first, what people ask for before how much of the supplement reaches the body and before safety. Doses are those that studies used for the outcome, from the supplement’s entry; they are no advice. Doses of infants, children, pregnancy and breastfeeding stand apart in `special_doses`. Only questions that are assessed are listed. An unknown vertical is an empty list.',
  tag: 'Outcomes',
  access: 'limited',
  request: { query: InterventionsQuery },
  replies: [
    { status: 200, mediaType: 'application/json', description: 'A page of interventions', schema: InterventionsReply },
  ],
  links: { 'outcomes.one': { vertical: '/interventions/0/vertical' } },
  raises: ['validation_failed'],
  handle: async (context, { query }) => {
    const { terms, grades, resolved } = await namedGrades(context, query);
    const ranked = grades
      .flatMap((grade) => forCondition(grade, query.condition))
      .filter(({ assessed }) => assessed)
      .toSorted(byUse);
    const { shown, members, headers } = paged(context, '/api/interventions', query, ranked);
    const cited = await context.db.read((em) => dosesCited(em, shown, terms));
    const interventions = shown.map((grade) => ({
      slug: grade.supplement_slug,
      name: nameOf(grade, terms).supplement,
      vertical: grade.vertical,
      outcome: nameOf(grade, terms).outcome,
      population: grade.assessments[0] ? nameOfPopulation(grade.assessments[0].population, terms) : '',
      source_count: grade.source_count,
      best_tier: grade.best_tier ?? '',
      direction: grade.direction,
      ...dosesFor(grade, terms, cited),
      certainty: grade.certainty,
      people: grade.people,
      magnitude: grade.magnitude,
      topic: grade.topic_slug,
      kind: topicKind(grade.topic_slug),
    }));
    return { headers, body: { interventions, ...members, resolved } };
  },
});

export const gapsRoute = defineRoute<OutcomeServices, { query: typeof GapsQuery }>({
  id: 'gaps.list',
  method: 'GET',
  path: '/api/gaps',
  summary: 'What is missing on each question, and which registered trials would fill it',
  description:
    'Questions with the most sources first. no_rct: no randomised trial or review of trials; on safety, no study that followed people either. small_n: the largest trial has fewer than 100 people and no review pools them. old: nothing in people for more than ten years. conflicting: no direction has two thirds of the weight; never on safety, where only harm is a verdict. no_population: no study in people, none says who was studied, or only infants, children, pregnancy or breastfeeding were studied. only_registered: register entries alone. A gap is one of this base: studies may exist elsewhere.',
  tag: 'Outcomes',
  access: 'limited',
  request: { query: GapsQuery },
  replies: [{ status: 200, mediaType: 'application/json', description: 'A page of gaps', schema: GapsReply }],
  raises: ['validation_failed'],
  handle: async (context, { query }) => {
    const { grades, resolved } = await namedGrades(context, query);
    const thisYear = new Date().getUTCFullYear();
    const asked = (grade: OutcomeGrade) => ({ topic: grade.topic_slug, figures: grade.figures });
    const gaps = grades
      .toSorted(byInterest)
      .flatMap((grade) => gapsOf(asked(grade), thisYear).map((gap) => ({ grade, ...gap })))
      .filter(
        ({ reason, trials }) => (!query.reason || reason === query.reason) && (!query.with_trials || trials.length),
      );
    const { shown, members, headers } = paged(context, '/api/gaps', query, gaps);
    const body = shown.map(({ grade, reason, text, numbers, trials }) => ({
      vertical: grade.vertical,
      supplement_slug: grade.supplement_slug,
      topic: grade.topic_slug,
      reason,
      source_count: grade.source_count,
      best_tier: grade.best_tier ?? '',
      ongoing_trials: trials.map(({ nct_id }) => nct_id),
      text,
      numbers,
      trials,
    }));
    return { headers, body: { gaps: body, as_of_year: thisYear, ...members, resolved } };
  },
});
