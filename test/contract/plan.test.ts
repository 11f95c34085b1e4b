/** Checks that every question of content/plan.yaml has an assessment in its own population or a search date. */
import { strict as assert } from 'node:assert';
import { join } from 'node:path';
import { readPlan } from '../../plugins/evidence/plan.ts';
import type { People } from '../../plugins/findings/index.ts';
import { keyOf, populationOfFinding } from '../../plugins/outcomes/grading/population.ts';
import { type OutcomeGrade, type OutcomeServices, outcomesPlugin } from '../../plugins/outcomes/index.ts';
import { sharedService } from '../support/shared.ts';

describe('content/plan.yaml', function () {
  this.timeout(300_000);
  let grades: ReadonlyMap<string, OutcomeGrade>;
  let questions: Awaited<ReturnType<typeof readPlan>>['questions'];

  before(async () => {
    const service = await sharedService();
    const outcomes = service.runtime.servicesOf(outcomesPlugin) as OutcomeServices;
    await outcomes.catchUp();
    grades = new Map((await outcomes.all()).map((grade) => [grade.vertical, grade]));
    ({ questions } = await readPlan(join(import.meta.dirname, '../../content')));
  });

  it('has at least 150 questions without duplicates', () => {
    assert.ok(questions.length >= 150, `${questions.length} questions`);
    const asked = questions.map(({ supplement, topic, people, condition = '' }) =>
      [supplement, topic, people, condition].join(' '),
    );
    assert.equal(new Set(asked).size, asked.length);
  });

  it('has an assessment in the population of each question that has no search date', () => {
    const open = questions.filter(({ supplement, topic, people, condition = '', searched }) => {
      const key = keyOf(populationOfFinding({ people: people as People, condition }));
      const grade = grades.get(`${supplement}-${topic}`);
      return !searched && !grade?.assessments.some(({ population }) => keyOf(population) === key);
    });
    assert.deepEqual(
      open.map(({ question }) => question),
      [],
    );
  });

  it('gives the search date as the reason where a searched question has no assessment', () => {
    const searched = questions.filter(({ searched: day }) => day);
    assert.ok(searched.length > 0);
    for (const { supplement, topic, searched: day = '' } of searched) {
      const grade = grades.get(`${supplement}-${topic}`);
      assert.ok(grade, `${supplement}-${topic}`);
      if (!grade.assessed) assert.ok(grade.caps[0]?.reason.includes(day), `${supplement}-${topic}`);
    }
  });
});
