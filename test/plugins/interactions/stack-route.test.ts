import assert from 'node:assert/strict';
import { api, bearer } from '../../support/client.ts';
import { temporaryFolder, useService } from '../evidence/support.ts';
import { putContent } from './rule-content.ts';

interface Cell {
  readonly a: { readonly name: string };
  readonly b: { readonly name: string };
  readonly status: string;
  readonly severity?: string;
  readonly coverage?: string;
  readonly message?: string;
}

describe('POST /api/interactions/check', () => {
  const content = temporaryFolder();
  before(() => putContent(content));
  const base = useService(() => ({ contentDir: content.path() }));
  const send = (body: unknown) =>
    api(base.service)
      .post('/api/interactions/check')
      .set(...bearer(base.client.key))
      .send(body as object);
  const check = async (body: object) => (await send(body).expect(200)).body;

  it('returns every pair once, with found, missing, uncovered and unresolved pairs', async () => {
    const body = await check({
      supplements: ['Ginkgo', 'garlic', 'nosuchthing'],
      drugs: ['Coumadin', 'metformin'],
      foods: ['grapefruit juice'],
      conditions: ['surgery'],
    });
    assert.equal(body.matrix.length, 15);
    const cells = body.matrix.map(({ a, b, status, severity }: Cell) =>
      [a.name, b.name, status, severity].filter(Boolean).join(' · '),
    );
    assert.deepEqual(cells, [
      'Ginkgo · Garlic · found · moderate',
      'Ginkgo · nosuchthing · unresolved',
      'Ginkgo · Grapefruit · no_record',
      'Ginkgo · warfarin · found · major',
      'Ginkgo · metformin · no_record',
      'Garlic · nosuchthing · unresolved',
      'Garlic · Grapefruit · no_record',
      'Garlic · warfarin · no_record',
      'Garlic · metformin · no_record',
      'nosuchthing · Grapefruit · unresolved',
      'nosuchthing · warfarin · unresolved',
      'nosuchthing · metformin · unresolved',
      'Grapefruit · warfarin · no_record',
      'Grapefruit · metformin · no_record',
      'warfarin · metformin · not_covered',
    ]);
    const uncovered = body.matrix.find(({ status }: Cell) => status === 'not_covered');
    assert.match(uncovered.message, /ask a pharmacist/);
    for (const cell of body.matrix.filter(({ status }: Cell) => status === 'no_record'))
      assert.equal(cell.message, 'No record in our sources. This does not mean the combination is safe.');
    assert.deepEqual(body.summary, {
      worst: 'major',
      counts: { contraindicated: 0, major: 2, moderate: 1, minor: 0, unknown: 0 },
      pairs: 15,
      found: 2,
      no_record: 7,
      not_covered: 1,
      unresolved: 5,
    });
    assert.deepEqual(
      body.unresolved.map(({ input, given_as: list }: Record<string, string>) => [input, list]),
      [['nosuchthing', 'supplements']],
    );
    assert.equal(body.needs_confirmation, true);
    assert.match(
      body.message,
      /^2 of 15 pairs have a record; 7 with no record, which does not mean that they are safe/,
    );
  });

  it('returns findings most severe first, with the fields of the single check', async () => {
    const { findings } = await check({ supplements: ['garlic', 'ginkgo'], drugs: ['zocor', 'warfarin'] });
    assert.deepEqual(
      findings.map(({ slug, severity }: Record<string, string>) => [slug, severity]),
      [
        ['ginkgo-warfarin', 'major'],
        ['ginkgo-garlic', 'moderate'],
        ['ginkgo-statins', 'minor'],
      ],
    );
    const { body: single } = await base.client.get('/api/interactions/check', {
      supplement: 'ginkgo',
      drug: 'warfarin',
    });
    for (const member of ['effect', 'sources', 'also', 'mechanism', 'coverage', 'url'])
      assert.deepEqual(findings[0][member], single[member], member);
  });

  it('returns cautions for the given conditions, nutrient depletions and hours to separate doses', async () => {
    const body = await check({
      supplements: ['ginkgo', 'cobalamin'],
      drugs: ['Glucophage', 'simvastatin'],
      conditions: ['Surgery', 'flying'],
    });
    assert.deepEqual(
      body.cautions.map(({ supplement, condition, severity }: Record<string, { slug: string }>) => [
        supplement?.slug,
        condition,
        severity,
      ]),
      [['ginkgo', 'surgery', 'major']],
    );
    assert.deepEqual(body.conditions, ['surgery']);
    assert.deepEqual(body.unresolved, [{ given_as: 'conditions', input: 'flying', suggestions: [] }]);
    assert.deepEqual(
      body.depletions.map(({ slug, drug, nutrient_in_stack: taken }: Record<string, unknown>) => [slug, drug, taken]),
      [
        ['metformin-vitamin-b12', 'Glucophage', true],
        ['statins-garlic', 'simvastatin', false],
      ],
    );
    assert.deepEqual(body.timing, [
      { a: 'Ginkgo', b: 'simvastatin', slug: 'ginkgo-statins', separate_hours: 4, note: 'Four hours apart.' },
    ]);
    assert.deepEqual(
      body.coverage.map(({ slug, coverage }: Record<string, string>) => [slug, coverage]),
      [
        ['ginkgo', 'moderate'],
        ['vitamin-b12', 'none'],
        ['metformin', 'none'],
        ['simvastatin', 'sparse'],
      ],
    );
    assert.ok(body.never_studied.some(({ a, b }: Record<string, string>) => a === 'Vitamin B12' && b === 'metformin'));
  });

  it('merges an item given under two names and resolves a name in the wrong list', async () => {
    const body = await check({ supplements: ['ginkgo', 'Maidenhair tree', 'warfarin'], drugs: ['garlic'] });
    assert.deepEqual(body.duplicates, [{ input: 'Maidenhair tree', same_as: 'ginkgo' }]);
    assert.deepEqual(
      body.resolved.map(({ slug, kind, given_as: list }: Record<string, string>) => [slug, kind, list]),
      [
        ['ginkgo', 'supplement', 'supplements'],
        ['warfarin', 'drug', 'supplements'],
        ['garlic', 'supplement', 'drugs'],
      ],
    );
    assert.equal(body.summary.found, 2);
  });

  it('returns no pairs and no statement of safety for a single item', async () => {
    const body = await check({ supplements: ['ginkgo'] });
    assert.deepEqual([body.matrix, body.summary.worst], [[], null]);
    assert.equal(body.message, 'One thing alone has no pair to check. This says nothing about its safety.');
    const medicines = await check({ drugs: ['warfarin', 'metformin'] });
    assert.equal(
      medicines.message,
      'Nothing could be checked: 1 of two medicines, which are not covered: ask a pharmacist.',
    );
    const none = await check({ supplements: ['zinc'], drugs: ['metformin'] });
    assert.equal(none.message, 'No record in our sources. This does not mean the combination is safe.');
  });

  it('returns 422 for more than 30 items, names over 120 characters, NUL, empty input and values that are not lists', async () => {
    const refused = async (body: unknown, place: unknown[]) => {
      const reply = await send(body).expect(422);
      assert.deepEqual(reply.body.detail[0].loc, place);
    };
    await refused({ supplements: Array(31).fill('ginkgo') }, ['body', 'supplements']);
    await refused({ supplements: ['x'.repeat(121)] }, ['body', 'supplements', 0]);
    await refused({ supplements: ['a\0'] }, ['body', 'supplements', 0]);
    await refused({ supplements: [], drugs: [] }, ['body', 'supplements']);
    await refused({ supplements: ['', '  '] }, ['body', 'supplements']);
    await refused({}, ['body', 'supplements']);
    await refused({ supplements: 'ginkgo' }, ['body', 'supplements']);
    await refused({ supplements: [7] }, ['body', 'supplements', 0]);
    await refused([], ['body']);
  });

  it('accepts a stack of the maximum size', async () => {
    const many = (word: string) => Array.from({ length: 30 }, (_, at) => `${word}${at}`);
    const body = await check({ supplements: many('qz'), drugs: many('xq'), foods: many('zx') });
    assert.equal(body.summary.unresolved, body.matrix.length);
  });
});
