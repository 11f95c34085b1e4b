import assert from 'node:assert/strict';
import { type OutcomeServices, outcomesPlugin } from '#plugins/outcomes/index.ts';
import { runJob } from '../../../core/jobs/scheduler.ts';
import type { Job } from '../../../core/plugin.ts';
import {
  changesAfter,
  ingest,
  lastChange,
  MADE_TOPICS,
  madeArticle,
  madeFile,
  madeSupplement,
  query,
  temporaryFolder,
  useService,
  zincTrial,
} from '../evidence/support.ts';

const readTrial = (pmid: number, fields: object = {}): string =>
  Object.entries({
    pmid: String(pmid),
    title: `A randomised, double-blind, placebo-controlled trial of zinc lozenges for colds, number ${pmid}.`,
    journal: 'Journal of Invented Nutrition',
    year: 2024,
    publication_types: ['Randomized Controlled Trial'],
    design: 'rct',
    sample_size: 800,
    population: 'adults with colds',
    species: 'human',
    direction: 'positive',
    funding: 'public',
    read: 'full_text',
    supplements: ['zinc'],
    topics: ['colds'],
    effect_sizes: [{ topic: 'colds', measure: 'SMD', value: 0.4, outcome: 'length of a cold', direction: 'positive' }],
    summary: 'In 800 invented adults zinc lozenges shortened a cold by a day, against lozenges without zinc.',
    ...fields,
  })
    .map(([name, value], at) => `${at ? ' ' : '-'} ${name}: ${JSON.stringify(value)}`)
    .join('\n');

const study = (nctId: string, status: string, year: number): object => ({
  protocolSection: {
    identificationModule: { nctId, briefTitle: `Zinc for the Common Cold, ${nctId}` },
    statusModule: { overallStatus: status, startDateStruct: { date: `${year}-03-01` } },
    designModule: {
      studyType: 'INTERVENTIONAL',
      designInfo: { allocation: 'RANDOMIZED' },
      enrollmentInfo: { count: 300, type: 'ESTIMATED' },
    },
    conditionsModule: { conditions: ['Common Cold'] },
    armsInterventionsModule: { interventions: [{ name: 'Zinc' }] },
  },
});

const [ONE, TWO] = [99_120_001, 99_120_002];

describe('outcomes API', () => {
  const content = temporaryFolder();
  const files = temporaryFolder();
  before(async () => {
    await content.put('topics.yaml', MADE_TOPICS);
    const zinc = madeSupplement('Zinc')
      .replace(
        'evidence: []',
        `evidence:\n  - {topic: colds, direction: positive, statement: "Zinc shortened colds in two invented trials of 800 people.", sources: ["pmid:${ONE}", "pmid:${TWO}"]}`,
      )
      .replace(
        'dosing: []',
        `dosing:\n  - {context: Colds, dose: 80 mg a day, duration: one week, sources: ["pmid:${ONE}"]}\n  - {context: Colds in pregnancy, dose: 15 mg a day, duration: one week, sources: ["pmid:${ONE}"]}\n  - {context: Sleep, dose: 10 mg, sources: ["pmid:99120009"]}`,
      );
    await content.put('supplements/zinc.md', zinc);
    await content.put('sources/zinc.yaml', `${readTrial(ONE)}\n${readTrial(TWO)}\n`);
  });
  const base = useService(() => ({ contentDir: content.path() }));

  const services = (): OutcomeServices => base.service.runtime.servicesOf(outcomesPlugin) as OutcomeServices;
  const get = async (path: string, values: object = {}) => (await base.client.get(path, values).expect(200)).body;
  const outcome = (vertical = 'zinc-colds') => get(`/api/outcomes/${vertical}`);
  const stored = () =>
    query(base.service, 'select vertical, digest, graded_at, first_graded_at from outcome_grade order by vertical');

  it('returns the grade of a question with every reason', async () => {
    const { first_graded_at, graded_at, ...answer } = await outcome();
    assert.equal(first_graded_at, graded_at);
    const reasons = [
      { code: 'start_high', steps: 0, text: 'The direction rests on randomised trials, and reviews of them.' },
    ];
    const magnitude = {
      level: 'small',
      basis: `Length of a cold: standardised difference 0.4, in adults with colds, from “A randomised, double-blind, placebo-controlled trial of zinc lozenges for colds, number ${ONE}” (2024), tier A. The middle one of 2 figures, from 0.4 to 0.4.`,
      effect: {
        topic: 'colds',
        measure: 'SMD',
        value: 0.4,
        outcome: 'length of a cold',
        direction: 'positive',
        source_id: `pmid-${ONE}`,
        population: 'adults with colds',
        groups: [],
      },
      limits: [],
    };
    assert.deepEqual(answer, {
      vertical: 'zinc-colds',
      supplement_slug: 'zinc',
      supplement: 'Zinc',
      topic: 'colds',
      outcome: 'Colds',
      certainty: 'high',
      direction: 'positive',
      magnitude,
      population: 'adults',
      assessed: true,
      assessments: [
        {
          population: { people: 'adults', condition: '', text: 'adults' },
          basis: 'sources',
          direction: 'positive',
          certainty: 'high',
          magnitude,
          summary: '',
          lead: '',
          people: 1600,
          studies: 2,
          outcomes: [],
          harms: [],
          compared: [],
          combined: [],
          reasons,
          caps: [],
        },
      ],
      source_count: 2,
      people: '1,600',
      best_tier: 'A',
      figures: {
        sources: 2,
        counted: 2,
        judged: 2,
        people: { count: 1600, at_least: false, text: '1,600' },
        studies: 2,
        registered: 0,
        not_in_people: 0,
        only_listed: 0,
        retracted: 0,
        best_tier: 'A',
        newest_year: 2024,
        randomised_trials: 2,
        reviews: 0,
        observational: 0,
        largest_trial: 800,
        with_population: 2,
        only_groups: [],
        open_trials: [],
        weights: { positive: 16, null: 0, negative: 0, mixed: 0, unclear: 0 },
        unjudged_weight: 0,
        agreement: 1,
      },
      caps: [],
      reasons,
      method_version: 'outcome-2.3',
      history: [],
    });
    assert.equal(
      (await base.client.get('/api/outcomes/zinc-nothing').expect(404)).body.detail,
      "Vertical 'zinc-nothing' not found",
    );
  });

  it('lists grades by supplement, topic and certainty', async () => {
    const verticals = async (values: object) =>
      (await get('/api/outcomes', values)).outcomes.map(({ vertical }: { vertical: string }) => vertical);
    assert.deepEqual(await verticals({ supplement: 'zinc' }), ['zinc-colds']);
    assert.deepEqual(await verticals({ supplement: ' Zinc ' }), ['zinc-colds']);
    assert.deepEqual(await verticals({ supplement: 'unobtainium' }), []);
    assert.deepEqual(await verticals({ topic: 'sleep' }), []);
    assert.deepEqual(await verticals({ certainty: 'low' }), []);
    const { outcomes: _, ...members } = await get('/api/outcomes', { page: 4 });
    assert.deepEqual(members, { page: 4, page_size: 50, total: 1, total_pages: 1, has_next: false, resolved: [] });
    await base.client.get('/api/outcomes', { certainty: 'sure' }).expect(422);
    await base.client.get('/api/outcomes', { page: 100_000, page_size: 200 }).expect(422);
  });

  it('returns interventions with the doses that were studied for them', async () => {
    const { interventions, total } = await get('/api/interventions', { vertical: 'zinc-colds' });
    const [{ magnitude, ...intervention }] = interventions;
    assert.equal(total, 1);
    assert.equal(magnitude.level, 'small');
    assert.deepEqual(intervention, {
      slug: 'zinc',
      name: 'Zinc',
      vertical: 'zinc-colds',
      outcome: 'Colds',
      population: 'adults',
      source_count: 2,
      best_tier: 'A',
      direction: 'positive',
      doses: [{ context: 'Colds', dose: '80 mg a day', duration: 'one week', sources: [`pmid:${ONE}`] }],
      special_doses: [
        {
          context: 'Colds in pregnancy',
          dose: '15 mg a day',
          duration: 'one week',
          sources: [`pmid:${ONE}`],
          groups: ['pregnancy'],
          population: 'pregnancy',
        },
      ],
      certainty: 'high',
      people: '1,600',
      topic: 'colds',
      kind: 'health',
    });
    assert.deepEqual((await get('/api/interventions', { vertical: 'zinc-nothing' })).interventions, []);
    assert.equal((await get('/api/interventions', { vertical: '' })).total, 1);
  });

  it('suggests graded questions for a misspelt one', async () => {
    const { body } = await base.client.get('/api/outcomes/Zinc-cold').expect(404);
    assert.deepEqual([body.resource, body.id, body.did_you_mean], ['vertical', 'Zinc-cold', ['zinc-colds']]);
    const far = await base.client.get('/api/outcomes/magnesium-bones').expect(404);
    assert.deepEqual(far.body.did_you_mean, []);
  });

  it('returns 401 for an invalid API key', async () => {
    const { body } = await base.client.get('/api/interventions').set('Authorization', 'Bearer nonsense').expect(401);
    assert.equal(body.code, 'invalid_api_key');
  });

  it('lists registered trials that would close a gap', async () => {
    const studies = [study('NCT99900001', 'RECRUITING', 2025), study('NCT99900002', 'COMPLETED', 2015)];
    await ingest(base.service, 'ctgov', await files.put('studies.json', JSON.stringify(studies)));
    await ingest(base.service, 'pubmed', await files.put('sleep.xml', madeFile(sleepStudy(99_120_011))));
    await ingest(base.service, 'ctgov', await files.put('sleep.json', JSON.stringify([sleepTrial()])));
    const { gaps, as_of_year } = await get('/api/gaps', { vertical: 'zinc-sleep', reason: 'no_rct' });
    assert.equal(as_of_year, new Date().getUTCFullYear());
    const trial = {
      nct_id: 'NCT99900003',
      title: 'Zinc for Sleep',
      status: 'NOT_YET_RECRUITING',
      year: 2026,
      randomised: true,
      people: 300,
    };
    assert.deepEqual(gaps, [
      {
        vertical: 'zinc-sleep',
        supplement_slug: 'zinc',
        topic: 'sleep',
        reason: 'no_rct',
        source_count: 2,
        best_tier: 'C',
        ongoing_trials: ['NCT99900003'],
        text: 'No randomised trial with results and no review of trials is in this base.',
        numbers: { randomised_trials: 0, reviews: 0, sources_in_people: 1 },
        trials: [trial],
      },
    ]);
    assert.deepEqual((await get('/api/gaps', { vertical: 'nothing-here' })).gaps, []);
    const { figures } = await outcome();
    assert.deepEqual(
      figures.open_trials.map(({ nct_id }: { nct_id: string }) => nct_id),
      ['NCT99900001'],
    );
  });

  it('marks a question as not assessed and excludes it from interventions', async () => {
    const sleep = await outcome('zinc-sleep');
    assert.deepEqual([sleep.assessed, sleep.assessments, sleep.population], [false, [], '']);
    const verticals = async (path: string, values: object, list: string): Promise<string[]> =>
      (await get(path, values))[list].map(({ vertical }: { vertical: string }) => vertical);
    assert.deepEqual(await verticals('/api/outcomes', { assessed: true }, 'outcomes'), ['zinc-colds']);
    assert.deepEqual(await verticals('/api/outcomes', { assessed: false }, 'outcomes'), ['zinc-sleep']);
    assert.deepEqual(await verticals('/api/outcomes', { certainty: 'very_low' }, 'outcomes'), []);
    assert.deepEqual(await verticals('/api/interventions', {}, 'interventions'), ['zinc-colds']);
    await base.client.get('/api/outcomes', { assessed: 'perhaps' }).expect(422);
  });

  it('computes trends on request before the first job run and returns the stored result afterwards', async () => {
    const counted = await get('/api/trending');
    assert.deepEqual(
      counted.trending.map(({ top_sources, ...trend }: { top_sources: object[] }) => [trend, top_sources.length]),
      [
        [
          {
            supplement_slug: 'zinc',
            name: 'Zinc',
            recent_count: 2,
            previous_count: 0,
            change_pct: null,
            relative_change_pct: null,
            interval: null,
          },
          2,
        ],
      ],
    );
    assert.deepEqual(counted.windows, { recent: { from: 2024, to: 2024 }, previous: { from: 2023, to: 2023 } });
    assert.equal(counted.months, 12);
    const [job] = outcomesPlugin.jobs ?? [];
    const done = await runJob(base.service.runtime, outcomesPlugin, job as Job);
    assert.deepEqual(done, { status: 'ok', counts: { supplements: 1 } });
    const kept = await get('/api/trending');
    assert.notEqual(kept.generated_at, counted.generated_at);
    assert.equal((await get('/api/trending')).generated_at, kept.generated_at);
    assert.deepEqual({ ...kept, generated_at: '' }, { ...counted, generated_at: '' });
    assert.notEqual((await get('/api/trending', { min_score: 0 })).generated_at, kept.generated_at);
    for (const wrong of [{ months: 0 }, { months: 121 }, { limit: 201 }, { min_score: 101 }])
      await base.client.get('/api/trending', wrong).expect(422);
  });

  it('writes nothing and adds no history when nothing changed', async () => {
    const [before, last] = [await stored(), await lastChange(base.service)];
    await query(base.service, "update fact set value = '0' where name = 'outcomes_revision'");
    const { looked, written } = await services().catchUp();
    assert.ok(looked >= 2);
    assert.equal(written, 0);
    assert.deepEqual(await stored(), before);
    assert.equal(await lastChange(base.service), last);
  });

  it('lowers a grade when a source is retracted and records the change in its history', async () => {
    const last = await lastChange(base.service);
    const table = await files.put('list.tsv', `pmid\tdoi\tnature\n${TWO}\t\tRetraction\n`);
    await ingest(base.service, 'retractions', table);
    const answer = await outcome();
    assert.deepEqual([answer.certainty, answer.direction, answer.source_count], ['low', 'positive', 3]);
    assert.deepEqual(
      answer.caps.map(({ code }: { code: string }) => code),
      ['one_study', 'one_strong'],
    );
    const [{ at, ...change }] = answer.history;
    assert.match(at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    assert.deepEqual(change, {
      old: { certainty: 'high', direction: 'positive', magnitude: 'small' },
      new: { certainty: 'low', direction: 'positive', magnitude: 'small' },
      reason: `Retracted: “A randomised, double-blind, placebo-controlled trial of zinc lozenges for colds, number ${TWO}”.`,
      sources: [`pmid-${TWO}`],
      method_version: 'outcome-2.3',
    });
    const logged = (await changesAfter(base.service, last)).filter(({ kind }) => kind === 'outcome.grade_changed');
    assert.deepEqual(
      logged.map(({ subject_id }) => subject_id),
      ['zinc-colds'],
    );
    assert.deepEqual((await get('/api/trending')).trending[0].top_sources.length, 1);
  });

  it('shows the change on the pages of the supplement and of the question', async () => {
    const words = /from certainty high, direction in favour, size small to certainty low/i;
    assert.match((await base.client.get('/supplements/zinc').expect(200)).text, words);
    const { text } = await base.client.get('/evidence/zinc-colds').expect(200);
    assert.match(text, words);
    assert.match(text, /It rests on one study that nobody repeated here\./);
  });

  it('resumes after a killed run with the same result', async () => {
    await query(base.service, "update fact set value = '0' where name = 'outcomes_revision'");
    await query(base.service, "delete from outcome_grade where vertical = 'zinc-sleep'");
    const before = (await stored()).length;
    await services().catchUp();
    assert.equal((await stored()).length, before + 1);
    assert.equal((await outcome('zinc-sleep')).certainty, 'very_low');
    assert.equal((await outcome()).history.length, 1);
  });

  it('removes a question without sources and records the change', async () => {
    const grades = async () => (await get('/api/outcomes', { vertical: 'zinc-sleep' })).outcomes.length;
    assert.equal(await grades(), 1);
    const last = await lastChange(base.service);
    await query(
      base.service,
      `update evidence_source set removed_at = now(), revision = nextval('evidence_revision') where topics @> '["sleep"]'`,
    );
    await query(base.service, "delete from evidence_vertical where vertical = 'zinc-sleep'");
    assert.equal(await grades(), 0);
    const changed = (await changesAfter(base.service, last)).find(({ kind }) => kind === 'outcome.grade_changed');
    assert.equal(changed?.data.new, null);
    assert.equal(changed?.data.reason, '2 sources are no longer filed here.');
  });
});

const sleepStudy = (pmid: number): string =>
  madeArticle(
    zincTrial(pmid, {
      title: 'Zinc intake and sleep: a cohort study',
      abstract:
        'A prospective cohort study of 900 adults related zinc intake to sleep. Sleep was longer with more zinc.',
      types: ['Observational Study'],
    }),
  );

const sleepTrial = (): object => ({
  protocolSection: {
    identificationModule: { nctId: 'NCT99900003', briefTitle: 'Zinc for Sleep' },
    statusModule: { overallStatus: 'NOT_YET_RECRUITING', startDateStruct: { date: '2026-12-01' } },
    designModule: {
      studyType: 'INTERVENTIONAL',
      designInfo: { allocation: 'RANDOMIZED' },
      enrollmentInfo: { count: 300, type: 'ESTIMATED' },
    },
    conditionsModule: { conditions: ['Sleep'] },
    armsInterventionsModule: { interventions: [{ name: 'Zinc' }] },
  },
});
