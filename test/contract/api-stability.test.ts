/** Checks that /v1 and /api stay backward compatible. */
import { strict as assert } from 'node:assert';
import { readFile } from 'node:fs/promises';
import { breachesOf } from './api-breaches.ts';
import { type ApiPromise, asText, currentPromise, type Entry, promisedPath, readPromise } from './api-promise.ts';

const entry = (more: Partial<Entry> = {}): Entry => ({
  required: false,
  types: ['string'],
  values: null,
  bounds: {},
  ...more,
});
const operation = (takes: Record<string, Entry>, tells: Record<string, Entry> = {}, more = {}): ApiPromise => ({
  'GET /v1/x': { access: 'key', takes, answers: { '200 application/json': tells }, statuses: ['200', '422'], ...more },
});

describe('stability of /v1 and /api', () => {
  it('has no breaking change: no promised path, parameter, member, value or status is removed or narrowed', async () => {
    assert.deepEqual(breachesOf(await readPromise(), currentPromise()), []);
  });

  it('has no addition that is missing from openapi-v1.json; `npm run api:accept` adds it', async () => {
    const [held, now] = [asText(await readPromise()), asText(currentPromise())];
    assert.ok(held === now, 'The API has something new: run `npm run api:accept` and commit the file.');
  });

  it('is recorded in a file that survives a round trip through its parser', async () => {
    const now = currentPromise();
    assert.ok(Object.keys(now).length > 50);
    assert.equal(asText(await readPromise()), await readFile(promisedPath, 'utf8'));
    assert.ok(now['GET /v1/evidence/search']?.takes['query top_k']?.bounds.maximum === 50);
  });

  const broken: readonly [what: string, before: ApiPromise, now: ApiPromise, told: RegExp][] = [
    ['a path that is gone', operation({}), {}, /GET \/v1\/x is gone/],
    ['a parameter that is gone', operation({ 'query q': entry() }), operation({}), /query q is gone/],
    [
      'a new parameter that is needed',
      operation({}),
      operation({ 'query q': entry({ required: true }) }),
      /new and needed/,
    ],
    [
      'a parameter that is needed now',
      operation({ 'query q': entry() }),
      operation({ 'query q': entry({ required: true }) }),
      /needed now/,
    ],
    [
      'a value that is no longer taken',
      operation({ 'query q': entry({ values: ['"a"', '"b"'] }) }),
      operation({ 'query q': entry({ values: ['"a"'] }) }),
      /takes "b" no more/,
    ],
    [
      'values where anything was taken',
      operation({ 'query q': entry() }),
      operation({ 'query q': entry({ values: ['"a"'] }) }),
      /takes any value no more/,
    ],
    [
      'a bound that is closer',
      operation({ 'query q': entry({ bounds: { maximum: 50 } }) }),
      operation({ 'query q': entry({ bounds: { maximum: 20 } }) }),
      /maximum fell/,
    ],
    ['a member that is gone', operation({}, { year: entry() }), operation({}), /year is gone/],
    [
      'a member that may be missing',
      operation({}, { year: entry({ required: true }) }),
      operation({}, { year: entry() }),
      /may be missing/,
    ],
    [
      'a member that may be null',
      operation({}, { year: entry() }),
      operation({}, { year: entry({ types: ['null', 'string'] }) }),
      /may be null/,
    ],
    ['a status that is gone', operation({}), operation({}, {}, { statuses: ['200'] }), /status 422 is gone/],
    ['a stricter class of access', operation({}), operation({}, {}, { access: 'admin' }), /access is admin/],
  ];
  for (const [what, before, now, told] of broken)
    it(`is broken by ${what}`, () => assert.match(breachesOf(before, now).join('\n'), told));

  it('permits new operations, optional parameters, members and values, and wider bounds', () => {
    const before = operation({ 'query q': entry({ values: ['"a"'], bounds: { maximum: 5 } }) }, { year: entry() });
    const now = operation(
      { 'query q': entry({ values: ['"a"', '"b"'], bounds: { maximum: 9 } }), 'query r': entry() },
      { year: entry({ required: true, values: ['"a"'] }), more: entry() },
    );
    assert.deepEqual(breachesOf(before, { ...now, 'GET /v1/y': Object.values(now)[0] as never }), []);
  });
});
