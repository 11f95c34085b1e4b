import assert from 'node:assert/strict';
import type { Response } from 'supertest';
import { api } from '../../support/client.ts';
import { BARE, RETRACTED, useRealBase } from './real-base.ts';
import { idsOf } from './support.ts';

interface Listed {
  readonly source_id: string;
  readonly pmid: string;
  readonly quality_score: number;
  readonly quality_tier: string;
  readonly source_class: string;
  readonly evidence_level: string;
  readonly verticals: readonly string[];
  readonly year: number | null;
  readonly retraction_status: string;
}

/** Parses a header of the form `<address>; rel="next", …` into addresses by relation. */
const linksIn = (header: string): Record<string, string> =>
  Object.fromEntries([...header.matchAll(/<([^>]+)>; rel="(\w+)"/g)].map(([, address, rel]) => [rel, address]));

const cursorOf = (text: string): string => Buffer.from(text).toString('base64url');

describe('GET /api/sources', () => {
  const base = useRealBase();
  const list = async (values: object = {}): Promise<Listed[]> =>
    (await base.client.sources(values).expect(200)).body.sources;
  const everything = async (values: object = {}): Promise<Listed[]> => {
    const all: Listed[] = [];
    for (let page = 1; ; page += 1) {
      const { body } = await base.client.sources({ ...values, page, page_size: 200 }).expect(200);
      all.push(...body.sources);
      if (!body.has_next) return all;
    }
  };

  it('returns the first fifty sources with the position in the list', async () => {
    const { body } = await base.client.sources().expect(200);
    const { sources, next_cursor: cursor, ...rest } = body;
    const { total } = (await base.client.get('/api/stats')).body.sources;
    const pages = Math.ceil(total / 50);
    assert.deepEqual(rest, { page: 1, page_size: 50, total, total_pages: pages, has_next: true });
    assert.equal(sources.length, 50);
    assert.equal(typeof cursor, 'string');
  });

  it('returns each source as search does, without the ranking fields', async () => {
    const [source] = await list({ page_size: 1 });
    const found = (await base.client.search({ q: (source as unknown as { title: string }).title })).body.results;
    const ranked = found.find(({ source_id: id }: Listed) => id === source!.source_id);
    const { rank_score: _, rank_reasons: __, rank_explain: ___, ...record } = ranked;
    assert.deepEqual(source, record);
  });

  it('pages through every source once, ordered by descending score and then by id', async () => {
    const all = await everything();
    const { total } = (await base.client.sources()).body;
    assert.equal(all.length, total);
    assert.equal(new Set(idsOf(all)).size, total);
    const order = all.toSorted((a, b) => b.quality_score - a.quality_score || (a.source_id < b.source_id ? -1 : 1));
    assert.deepEqual(idsOf(all), idsOf(order));
  });

  it('returns the same sources by cursor as by page number', async () => {
    const walked: string[] = [];
    let cursor: string | null = '';
    for (let step = 0; cursor !== null && step < 100; step += 1) {
      const { body }: { body: { sources: Listed[]; next_cursor: string | null } } = await base.client
        .sources({ page_size: 100, cursor })
        .expect(200);
      walked.push(...idsOf(body.sources));
      cursor = body.next_cursor;
    }
    assert.deepEqual(walked, idsOf(await everything()));
  });

  it('returns an empty list after the last page', async () => {
    const { body, headers } = await base.client.sources({ page: 4000 }).expect(200);
    assert.deepEqual([body.sources, body.has_next, body.next_cursor, body.page], [[], false, null, 4000]);
    assert.ok(body.total > 0);
    const { prev, next } = linksIn(headers.link!);
    assert.equal(next, undefined);
    assert.equal(new URL(prev!).searchParams.get('page'), String(body.total_pages));
  });

  it('limits page times page_size to 1,000,000', async () => {
    await base.client.sources({ page: 5000, page_size: 200 }).expect(200);
    await base.client.sources({ page: 1_000_000, page_size: 1 }).expect(200);
    for (const [page, size] of [
      [5001, 200],
      [1_000_001, 1],
      [2_147_483_647, 200],
    ]) {
      const { body } = await base.client.sources({ page, page_size: size }).expect(422);
      assert.deepEqual(body.detail[0].loc, ['query', 'page']);
    }
  });

  const filters: [string, (record: Listed) => object, (record: Listed, model: Listed) => boolean][] = [
    [
      'vertical',
      ({ verticals }) => ({ vertical: verticals[1] }),
      (one, { verticals }) => one.verticals.includes(verticals[1]!),
    ],
    [
      'source_class',
      ({ source_class: name }) => ({ source_class: name }),
      (one, model) => one.source_class === model.source_class,
    ],
    [
      'evidence_level',
      ({ evidence_level: name }) => ({ evidence_level: name }),
      (one, model) => one.evidence_level === model.evidence_level,
    ],
    [
      'min_score',
      ({ quality_score: score }) => ({ min_score: Math.floor(score) }),
      (one, model) => one.quality_score >= Math.floor(model.quality_score),
    ],
    ['year_from', ({ year }) => ({ year_from: year }), (one, model) => one.year !== null && one.year >= model.year!],
    ['year_to', ({ year }) => ({ year_to: year }), (one, model) => one.year !== null && one.year <= model.year!],
    [
      'year_from and year_to',
      ({ year }) => ({ year_from: year, year_to: year }),
      (one, model) => one.year === model.year,
    ],
    [
      'all of them together',
      (model) => ({
        vertical: model.verticals[0],
        source_class: model.source_class,
        evidence_level: model.evidence_level,
        min_score: Math.floor(model.quality_score),
        year_from: model.year,
        year_to: model.year,
      }),
      (one, model) =>
        one.verticals.includes(model.verticals[0]!) &&
        one.source_class === model.source_class &&
        one.evidence_level === model.evidence_level &&
        one.quality_score >= Math.floor(model.quality_score) &&
        one.year === model.year,
    ],
  ];
  for (const [what, valuesOf, fits] of filters) {
    it(`filters by ${what}`, async () => {
      const all = await everything();
      const model = all.find(({ verticals, year }) => verticals.length > 1 && year !== null)!;
      const expected = idsOf(all.filter((record) => fits(record, model)));
      const { body } = await base.client.sources({ ...valuesOf(model), page_size: 200 }).expect(200);
      assert.equal(body.total, expected.length);
      assert.deepEqual(idsOf(body.sources), expected.slice(0, 200));
      assert.ok(expected.includes(model.source_id) && expected.length < all.length);
    });
  }

  it('returns an empty list for an unknown vertical, class or level', async () => {
    for (const name of ['vertical', 'source_class', 'evidence_level']) {
      const { body } = await base.client.sources({ [name]: 'no-such-thing' }).expect(200);
      assert.deepEqual([body.sources, body.total, body.total_pages, body.has_next], [[], 0, 0, false]);
    }
  });

  it('ignores empty strings and zeros as filters', async () => {
    const empty = {
      vertical: '',
      source_class: '',
      evidence_level: '',
      min_score: 0,
      year_from: 0,
      year_to: 0,
      format: '',
    };
    assert.deepEqual((await base.client.sources(empty)).body, (await base.client.sources()).body);
  });

  it('excludes retracted sources by default, and returns them with their status on request', async () => {
    assert.ok(!idsOf(await everything()).includes(`pmid-${RETRACTED}`));
    const shown = await everything({ exclude_retracted: false });
    assert.equal(shown.find(({ pmid }) => pmid === String(RETRACTED))?.retraction_status, 'retracted');
  });

  it('links to the first, previous, next and last page with the same filters', async () => {
    const { headers, body } = await base.client.sources({ source_class: 'systematic_review', page: 2, page_size: 7 });
    const links = linksIn(headers.link!);
    const last = body.total_pages;
    const pages = Object.entries(links).map(([rel, address]) => [rel, new URL(address).searchParams.get('page')]);
    assert.deepEqual(Object.fromEntries(pages), { first: '1', prev: '1', next: '3', last: String(last) });
    const seen: string[] = [];
    for (let address: string | undefined = links.first; address; ) {
      assert.ok(address.startsWith('http://evidence.test/api/sources?'));
      const reply = await base.client.get(address.replace('http://evidence.test', '')).expect(200);
      seen.push(...idsOf(reply.body.sources));
      address = linksIn(reply.headers.link!).next;
    }
    assert.deepEqual(seen, idsOf(await everything({ source_class: 'systematic_review' })));
  });

  const formats: [string, string, string, RegExp][] = [
    ['csv', 'text/csv; charset=utf-8', 'csv', /^(?!source_id).+\r$/gm],
    ['jsonl', 'application/x-ndjson; charset=utf-8', 'jsonl', /^\{.*\}$/gm],
    ['bibtex', 'application/x-bibtex; charset=utf-8', 'bib', /^@/gm],
    ['ris', 'application/x-research-info-systems; charset=utf-8', 'ris', /^ER {2}-/gm],
    ['nbib', 'application/nbib; charset=utf-8', 'nbib', /^PMID-/gm],
    ['csljson', 'application/vnd.citationstyles.csl+json; charset=utf-8', 'json', /"id":/g],
  ];
  for (const [format, type, ending, record] of formats) {
    it(`returns the same page as ${format}, as an attachment`, async () => {
      const values = { page: 2, page_size: 3, min_score: 60 };
      const { sources } = (await base.client.sources(values).expect(200)).body;
      const reply = await base.client
        .sources({ ...values, format })
        .buffer(true)
        .parse(asText)
        .expect(200);
      const text: string = reply.body;
      assert.equal(reply.headers['content-type'], type);
      assert.equal(reply.headers['content-disposition'], `attachment; filename="sources.${ending}"`);
      assert.equal(new URL(linksIn(reply.headers.link!).next!).searchParams.get('format'), format);
      assert.equal(text.match(record)?.length, 3);
      const places = sources.map(({ pmid }: Listed) => text.indexOf(pmid));
      assert.ok(places.every((place: number) => place >= 0));
      assert.deepEqual(
        places,
        places.toSorted((a: number, b: number) => a - b),
        'in the order of the list',
      );
    });
  }

  it('returns only the header of a CSV when nothing matches', async () => {
    const { body } = await base.client
      .sources({ vertical: 'none', format: 'csv' })
      .buffer(true)
      .parse(asText)
      .expect(200);
    assert.equal(
      body,
      'source_id,pmid,doi,nct_id,title,authors,journal,year,source_class,evidence_level,quality_score,quality_tier,vertical,sample_size,population,effect_direction,retraction_status,url,license,index_version\r\n',
    );
  });

  const refusals: [string, object, string][] = [
    ['a page_size of 201', { page_size: 201 }, 'page_size'],
    ['a page_size of 0', { page_size: 0 }, 'page_size'],
    ['page 0', { page: 0 }, 'page'],
    ['a page beyond 2147483647', { page: 2_147_483_648 }, 'page'],
    ['a min_score of 101', { min_score: 101 }, 'min_score'],
    ['a min_score below 0', { min_score: -1 }, 'min_score'],
    ['a fractional min_score', { min_score: 1.5 }, 'min_score'],
    ['a year of 1799', { year_to: 1799 }, 'year_to'],
    ['a year of 2101', { year_from: 2101 }, 'year_from'],
    ['year_from after year_to', { year_from: 2001, year_to: 2000 }, 'year_from'],
    ['a format unknown here', { format: 'xml' }, 'format'],
    ['a NUL in a filter', { vertical: 'zinc\0' }, 'vertical'],
    ['a cursor that is none', { cursor: '%%%' }, 'cursor'],
    ['a cursor of text and number', { cursor: cursorOf('["abc","x"]') }, 'cursor'],
    ['a cursor with a NUL', { cursor: cursorOf('[5,"a\\u0000"]') }, 'cursor'],
    ['a cursor beyond all numbers', { cursor: cursorOf('[1e999,"a"]') }, 'cursor'],
  ];
  for (const [what, values, name] of refusals) {
    it(`returns 422 for ${what}`, async () => {
      const { body } = await base.client.sources(values).expect(422);
      assert.deepEqual(
        body.detail.map(({ loc }: { loc: string[] }) => loc),
        [['query', name]],
      );
    });
  }

  it('returns an empty list for any text that is not a vertical', async () => {
    for (const vertical of ["' or 1=1 --", '%', '\ud83e\udd98', '../..', 'a'.repeat(200)]) {
      assert.deepEqual(await list({ vertical }), []);
    }
  });

  it('allows anonymous reads, rate-limited by IP address', async () => {
    const reply = await api(base.service).get('/api/sources').query({ page_size: 1 }).expect(200);
    assert.match(reply.headers['ratelimit-policy']!, /^"minute";q=30;w=60, "day";q=500;w=86400$/);
    assert.equal(reply.body.sources.length, 1);
  });

  it('lists a source without a year unless the years are filtered', async () => {
    const bare = `pmid-${BARE}`;
    assert.ok(idsOf(await everything()).includes(bare));
    assert.ok(!idsOf(await everything({ year_from: 1800 })).includes(bare));
  });
});

const asText = (reply: Response, done: (error: Error | null, text: string) => void): void => {
  const chunks: Buffer[] = [];
  const stream = reply as unknown as NodeJS.ReadableStream;
  stream.on('data', (chunk) => chunks.push(chunk));
  stream.on('end', () => done(null, Buffer.concat(chunks).toString('utf8')));
};
