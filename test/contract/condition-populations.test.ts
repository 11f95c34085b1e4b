/** Checks that every answer on a condition page is about people with the condition or about prevention in people without it. */
import { strict as assert } from 'node:assert';
import { conditionAnswers, inPeopleWith, preventionOf } from '../../plugins/catalog/condition-answers.ts';
import { type FindingServices, findingsPlugin } from '../../plugins/findings/index.ts';
import { conditionFinder, populationOfSource } from '../../plugins/outcomes/grading/population.ts';
import {
  findingsById,
  nameOfPopulation,
  type OutcomeAssessment,
  type OutcomeGrade,
  type OutcomeServices,
  outcomesPlugin,
} from '../../plugins/outcomes/index.ts';
import {
  type ConditionRow,
  type Terms,
  type VocabularyServices,
  vocabularyPlugin,
} from '../../plugins/vocabulary/index.ts';
import { type SharedService, sharedService } from '../support/shared.ts';

interface Shown {
  readonly condition: ConditionRow;
  readonly group: string;
  /** The vertical that the answer links to. */
  readonly vertical: string;
  /** The population label that the page prints. */
  readonly population: string;
  /** The assessments of the question with this population label. */
  readonly assessments: readonly OutcomeAssessment[];
}

/** The page of a life stage: its population has no illness, because the page is about the life stage. */
const STAGE_PAGE = 'pregnancy';
const isAbout = (slug: string, { people, condition }: OutcomeAssessment['population']): boolean =>
  condition === slug || (slug === STAGE_PAGE && people === 'pregnancy' && condition === '');

const GROUPS = ['helps', 'no-difference', 'harms', 'uncertain', 'prevention'];

describe('populations on condition pages', function () {
  this.timeout(300_000);
  let service: SharedService;
  let terms: Terms;
  let grades: readonly OutcomeGrade[];
  let book: Awaited<ReturnType<FindingServices['book']>>;
  /** All answers of all condition pages. */
  let shown: readonly Shown[];

  before(async () => {
    service = await sharedService();
    const outcomes = service.runtime.servicesOf(outcomesPlugin) as OutcomeServices;
    await outcomes.catchUp();
    terms = await (service.runtime.servicesOf(vocabularyPlugin) as VocabularyServices).terms();
    book = await (service.runtime.servicesOf(findingsPlugin) as FindingServices).book();
    grades = await outcomes.all();
    const byVertical = new Map(grades.map((grade) => [grade.vertical, grade]));
    const byId = findingsById(book);
    shown = [...terms.conditions.values()].flatMap((condition) =>
      conditionAnswers({ row: condition, terms, grades, byId }).flatMap(({ id: group, answers }) =>
        answers.map(({ href, assessment }) => {
          const vertical = href.replace('/evidence/', '');
          const assessments = (byVertical.get(vertical)?.assessments ?? []).filter(
            ({ population }) => nameOfPopulation(population, terms) === assessment.population,
          );
          return { condition, group, vertical, population: assessment.population, assessments };
        }),
      ),
    );
  });

  it('come from the real content, with more than 250 answers in all five groups', () => {
    assert.ok(terms.conditions.size > 100 && book.all.length > 900 && grades.length > 800);
    assert.ok(shown.length > 250, `${shown.length} answers`);
    assert.ok(shown.filter(({ group }) => group === 'prevention').length > 5);
    assert.deepEqual([...new Set(shown.map(({ group }) => group))].sort(), [...GROUPS].sort());
  });

  it('each match exactly one stored assessment', () => {
    assert.deepEqual(
      shown
        .filter(({ assessments }) => assessments.length !== 1)
        .map(({ condition, vertical, population }) => `${condition.slug}: ${vertical} in ${population}`),
      [],
    );
  });

  it('have the condition of the page (or are pregnant women on the pregnancy page) outside the prevention group', () => {
    const own = shown.filter(({ group }) => group !== 'prevention');
    assert.deepEqual(
      own
        .filter(({ condition, assessments }) => assessments.some((one) => !isAbout(condition.slug, one.population)))
        .map(({ condition, vertical, population }) => `${condition.slug}: ${vertical} in ${population}`),
      [],
    );
  });

  it('have no illness in the prevention group', () => {
    const prevention = shown.filter(({ group }) => group === 'prevention');
    assert.deepEqual(
      prevention
        .filter(({ assessments }) => assessments.some(({ population }) => population.condition !== ''))
        .map(({ condition, vertical, population }) => `${condition.slug}: ${vertical} in ${population}`),
      [],
    );
  });

  it('appear under prevention only if the outcome of the leading finding names the condition', () => {
    const find = conditionFinder(terms.conditions.values());
    const byId = findingsById(book);
    const outcomeOf = ({ assessments }: Shown): string => byId.get(assessments[0]?.lead ?? '')?.outcome ?? '';
    const prevention = shown.filter(({ group }) => group === 'prevention');
    assert.deepEqual(
      prevention
        .filter((one) => find(outcomeOf(one)) !== one.condition.slug)
        .map((one) => `${one.condition.slug}: ${one.vertical} by “${outcomeOf(one)}”`),
      [],
    );
  });

  it('name the condition in their printed label, except under prevention', () => {
    for (const { condition, group, population } of shown)
      assert.equal(
        population.toLowerCase().includes(condition.slug === STAGE_PAGE ? 'pregnant' : condition.name.toLowerCase()),
        group !== 'prevention',
        `${condition.slug}: ${group}: ${population}`,
      );
  });

  it('never treat a life stage as an illness', () => {
    const find = conditionFinder(terms.conditions.values());
    for (const text of ['pregnant women', 'women who are not pregnant', 'Zinc in pregnancy', 'breastfeeding women'])
      assert.equal(find(text), '', text);
    const people = populationOfSource({ population: 'pregnant women', title: 'Zinc in pregnancy.' }, find);
    assert.deepEqual(people, { people: 'pregnancy', condition: '' });
    assert.deepEqual(
      grades.flatMap(({ vertical, assessments }) =>
        assessments.filter(({ population }) => population.condition === STAGE_PAGE).map(() => vertical),
      ),
      [],
    );
  });

  it('cover every assessment of people with the condition, except nutrient status and safety without harm', () => {
    const missing = [...terms.conditions.values()].flatMap((condition) => {
      const listed = new Set(
        shown
          .filter((one) => one.condition.slug === condition.slug && one.group !== 'prevention')
          .map(({ vertical, population }) => `${vertical} in ${population}`),
      );
      return grades.flatMap(({ vertical, topic_slug, assessments }) =>
        assessments
          .filter(({ population }) => isAbout(condition.slug, population))
          .filter(({ direction }) => topic_slug !== 'safety' || direction === 'negative')
          .filter(() => topic_slug !== 'nutrient-status')
          .map(({ population }) => `${vertical} in ${nameOfPopulation(population, terms)}`)
          .filter((line) => !listed.has(line)),
      );
    });
    assert.deepEqual(missing, []);
  });

  it('appear at most once per vertical on a page', () => {
    const lines = shown.map(({ condition, vertical, population }) => `${condition.slug}: ${vertical} in ${population}`);
    assert.deepEqual(
      lines.filter((line, at) => lines.indexOf(line) !== at),
      [],
    );
  });

  it('belong to the answers that the pages link to, group by group', async () => {
    const bySlug = Map.groupBy(shown, ({ condition }) => condition.slug);
    const most = [...bySlug].sort(([, a], [, b]) => b.length - a.length).slice(0, 8);
    for (const [slug, answers] of most) {
      const html = await (await fetch(`${service.url}/conditions/${slug}`)).text();
      for (const group of GROUPS) {
        const section = html.split(` aria-labelledby="${group}">`)[1]?.split('</section>')[0] ?? '';
        const links = [...section.matchAll(/<p class="claim-more"><a href="\/evidence\/([^"]+)"/g)].map(
          ([, vertical]) => vertical,
        );
        const expected = answers.filter((one) => one.group === group).map(({ vertical }) => vertical);
        assert.deepEqual(links, expected, `${slug}: ${group}`);
      }
    }
  });

  it('are correct in both lists from which the page is built', () => {
    const byId = findingsById(book);
    for (const row of terms.conditions.values()) {
      for (const { assessment } of inPeopleWith({ row, grades }))
        assert.ok(isAbout(row.slug, assessment.population), row.slug);
      for (const { assessment } of preventionOf({ row, grades, terms, byId }))
        assert.equal(assessment.population.condition, '');
    }
  });
});
