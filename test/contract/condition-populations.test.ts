/** Every answer on every condition page is about people who have the condition, or about preventing it in people who do not. */
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
  /** Where the answer on the page leads. */
  readonly vertical: string;
  /** Population in words, as the page prints it. */
  readonly population: string;
  /** Assessments of the question with this population in words. */
  readonly assessments: readonly OutcomeAssessment[];
}

/** The page of a life stage: its people have no illness, and the stage of life is what the page is about. */
const STAGE_PAGE = 'pregnancy';
const isAbout = (slug: string, { people, condition }: OutcomeAssessment['population']): boolean =>
  condition === slug || (slug === STAGE_PAGE && people === 'pregnancy' && condition === '');

const GROUPS = ['helps', 'no-difference', 'harms', 'uncertain', 'prevention'];

describe('the populations of condition pages', function () {
  this.timeout(300_000);
  let service: SharedService;
  let terms: Terms;
  let grades: readonly OutcomeGrade[];
  let book: Awaited<ReturnType<FindingServices['book']>>;
  /** Every answer of every condition page. */
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

  it('are those of the real content, with hundreds of answers', () => {
    assert.ok(terms.conditions.size > 100 && book.all.length > 900 && grades.length > 800);
    assert.ok(shown.length > 250, `${shown.length} answers`);
    assert.ok(shown.filter(({ group }) => group === 'prevention').length > 5);
    assert.deepEqual([...new Set(shown.map(({ group }) => group))].sort(), [...GROUPS].sort());
  });

  it('are each an assessment that the service stores', () => {
    assert.deepEqual(
      shown
        .filter(({ assessments }) => assessments.length !== 1)
        .map(({ condition, vertical, population }) => `${condition.slug}: ${vertical} in ${population}`),
      [],
    );
  });

  it('have the condition of the page in every group but prevention, and are pregnant women on the page of pregnancy', () => {
    const own = shown.filter(({ group }) => group !== 'prevention');
    assert.deepEqual(
      own
        .filter(({ condition, assessments }) => assessments.some((one) => !isAbout(condition.slug, one.population)))
        .map(({ condition, vertical, population }) => `${condition.slug}: ${vertical} in ${population}`),
      [],
    );
  });

  it('have no illness where the page is about preventing the condition', () => {
    const prevention = shown.filter(({ group }) => group === 'prevention');
    assert.deepEqual(
      prevention
        .filter(({ assessments }) => assessments.some(({ population }) => population.condition !== ''))
        .map(({ condition, vertical, population }) => `${condition.slug}: ${vertical} in ${population}`),
      [],
    );
  });

  it('stand under prevention only where the outcome of the leading finding names the condition', () => {
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

  it('name the condition, as the page prints them', () => {
    for (const { condition, group, population } of shown)
      assert.equal(
        population.toLowerCase().includes(condition.slug === STAGE_PAGE ? 'pregnant' : condition.name.toLowerCase()),
        group !== 'prevention',
        `${condition.slug}: ${group}: ${population}`,
      );
  });

  it('never take a life stage for an illness', () => {
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

  it('leave out no assessment of people who have the condition, except on levels in the blood and safety without harm', () => {
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

  it('never stand twice on one page', () => {
    const lines = shown.map(({ condition, vertical, population }) => `${condition.slug}: ${vertical} in ${population}`);
    assert.deepEqual(
      lines.filter((line, at) => lines.indexOf(line) !== at),
      [],
    );
  });

  it('are what the pages themselves print', async () => {
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

  it('hold for both lists that the page is made from', () => {
    const byId = findingsById(book);
    for (const row of terms.conditions.values()) {
      for (const { assessment } of inPeopleWith({ row, grades }))
        assert.ok(isAbout(row.slug, assessment.population), row.slug);
      for (const { assessment } of preventionOf({ row, grades, terms, byId }))
        assert.equal(assessment.population.condition, '');
    }
  });
});
