import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { get as httpGet, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { EntityManager } from '@mikro-orm/postgresql';
import { EXPORT_PAGE } from '#plugins/evidence/export/source-pages.ts';
import { api, bearer } from '../../support/client.ts';
import { sql } from '../../support/database.ts';
import { RETRACTED, useRealBase } from './real-base.ts';
import { ingest, madeArticle, madeFile, temporaryFolder, useService } from './support.ts';

const FORMATS = {
  csv: ['text/csv; charset=utf-8', 'csv', /^(?!source_id)\S.*\r$/gm],
  bibtex: ['application/x-bibtex; charset=utf-8', 'bib', /^@\w+\{/gm],
  ris: ['application/x-research-info-systems; charset=utf-8', 'ris', /^TY {2}- /gm],
  nbib: ['application/nbib; charset=utf-8', 'nbib', /^PMID-/gm],
  csljson: ['application/vnd.citationstyles.csl+json; charset=utf-8', 'json', /^,?\{"id":/gm],
  jsonl: ['application/x-ndjson; charset=utf-8', 'jsonl', /^\{"source_id":/gm],
} as const;

const today = (): string => new Date().toISOString().slice(0, 10);

describe('GET /api/export', () => {
  const base = useRealBase();
  const take = async (format: string, values: object = {}) => {
    const reply = await base.client
      .get(`/api/export/${format}`, values)
      .buffer(true)
      .parse((res, done) => {
        const chunks: Buffer[] = [];
        res.on('data', (chunk) => chunks.push(chunk as Buffer));
        res.on('end', () => done(null, Buffer.concat(chunks).toString('utf8')));
      })
      .expect(200);
    return { text: reply.body as string, headers: reply.headers as Record<string, string> };
  };
  const kept = new Map<string, ReturnType<typeof take>>();
  /** Returns the export of all current sources; each format is requested once. */
  const whole = (format: string) => {
    const file = kept.get(format) ?? take(format);
    kept.set(format, file);
    return file;
  };
  const recordsOf = async (values?: object) =>
    (await (values ? take('jsonl', values) : whole('jsonl'))).text
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Record<string, unknown>);

  for (const [format, [type, extension, row]] of Object.entries(FORMATS)) {
    it(`exports every current source as ${format}, in a file named after the current date`, async () => {
      const { text, headers } = await whole(format);
      const { total } = (await base.client.get('/api/sources')).body;
      assert.ok(total > EXPORT_PAGE, 'more than one page');
      assert.equal(headers['content-type'], type);
      assert.equal(headers['content-disposition'], `attachment; filename="evidence-all-${today()}.${extension}"`);
      assert.equal(headers['transfer-encoding'], 'chunked');
      assert.equal([...text.matchAll(row)].length, total);
    });
  }

  it('lists each source once, not ordered by grade', async () => {
    const records = await recordsOf();
    const ids = records.map(({ source_id: id }) => id as string);
    assert.equal(new Set(ids).size, ids.length);
    const scores = records.map(({ quality_score: score }) => score);
    assert.notDeepEqual(scores, scores.toSorted());
  });

  it('returns identical bytes for the same request, and unique BibTeX keys', async () => {
    const [first, second] = [await whole('bibtex'), await take('bibtex')];
    const digest = (text: string): string => createHash('sha256').update(text).digest('hex');
    assert.equal(digest(first.text), digest(second.text));
    const keys = [...first.text.matchAll(/^@\w+\{([^,]+),$/gm)].map(([, key]) => key);
    assert.equal(new Set(keys).size, keys.length);
  });

  it('applies its filters, and includes the vertical in the file name', async () => {
    const values = { vertical: 'magnesium-sleep', min_score: 30, year_from: 2000, year_to: 2024 };
    const records = await recordsOf(values);
    const { sources } = (await base.client.sources({ ...values, page_size: 200 })).body;
    assert.ok(records.length > 0);
    assert.deepEqual(
      records.map(({ source_id: id }) => id).toSorted(),
      sources.map(({ source_id: id }: { source_id: string }) => id).toSorted(),
    );
    const { headers } = await take('csv', values);
    assert.equal(headers['content-disposition'], `attachment; filename="evidence-magnesium-sleep-${today()}.csv"`);
    for (const { source_class: kind } of await recordsOf({ source_class: 'systematic_review' }))
      assert.equal(kind, 'systematic_review');
  });

  it('returns 200 with an empty document when nothing matches', async () => {
    const { text } = await take('csv', { vertical: 'no-such/../vertical"' });
    assert.match(text, /^source_id,pmid,[^\r]*index_version\r\n$/);
    assert.equal((await take('csljson', { source_class: 'nope' })).text.replace(/\s/g, ''), '[]');
    assert.equal((await take('ris', { min_score: 100, year_from: 1850, year_to: 1851 })).text, '');
  });

  it('excludes retracted sources by default, and marks them when they are included', async () => {
    const id = `pmid-${RETRACTED}`;
    assert.ok(!(await whole('csv')).text.includes(id));
    const { text } = await take('csv', { exclude_retracted: false });
    const line = text.split('\r\n').find((row) => row.startsWith(id));
    assert.match(line ?? '', /,retracted,/);
    assert.match((await take('bibtex', { exclude_retracted: false })).text, /note = \{Retracted\}/);
  });

  it('shows directions judged by the program as unclear in CSV, which has no field for the judge', async () => {
    const unread = (await recordsOf()).filter((record) => record.effect_direction_basis === 'program');
    assert.ok(unread.length > 0);
    const lines = (await whole('csv')).text.split('\r\n');
    for (const { source_id: id } of unread)
      assert.match(lines.find((line) => line.startsWith(`${id},`)) ?? '', /,unclear,none,/);
  });

  it('returns 401 without a key, and 422 for invalid filter values', async () => {
    assert.equal((await api(base.service).get('/api/export/csv').expect(401)).body.detail, 'Missing API key');
    for (const query of ['year_from=2020&year_to=2010', 'year_from=17', 'min_score=101', 'exclude_retracted=maybe']) {
      const { body } = await base.client.get(`/api/export/bibtex?${query}`).expect(422);
      assert.equal(body.detail[0].loc[0], 'query');
    }
  });
});

/**
 * Inserts copies of a source with revision 0, so that the index does not process them. Their long summaries fill the
 * buffers between server and client with fewer sources.
 */
const COPY = `insert into evidence_source select made.* from evidence_source s, generate_series(1, ?::int) as n,
  jsonb_populate_record(s, jsonb_build_object('source_id', 'pmid-' || 990000000 + n, 'pmid', (990000000 + n)::text,
    'doi', '', 'nct_id', '', 'revision', 0, 'created_at', now(), 'year', 1999,
    'summary', repeat('Made for tests. ', 150))) as made
  where s.source_id = 'pmid-99000001'`;

describe('a long-running export', () => {
  const COPIES = 12_000;
  const { put } = temporaryFolder();
  const base = useService(
    () => ({}),
    async ({ service }) => {
      const formula = madeArticle({ pmid: 99000001, title: '=HYPERLINK("http://x")', journal: '@SUM(A1)', year: 2020 });
      await ingest(service, 'pubmed', await put('made.xml', madeFile(formula)));
      await sql(service, COPY, [COPIES]);
    },
  );

  /** Counts the pages that exports read. Reads by the watchers of database changes are not counted. */
  const countReads = () => {
    type Read = (work: (em: EntityManager) => Promise<unknown>) => Promise<unknown>;
    const db = base.service.runtime.db as unknown as { read: Read };
    const original = db.read;
    const counted = {
      reads: 0,
      failAfter: Infinity,
      stop: () => {
        db.read = original;
      },
    };
    const countPage = () => {
      counted.reads += 1;
      if (counted.reads > counted.failAfter) throw new Error('the database went away');
    };
    const listening = (em: EntityManager): EntityManager => {
      const execute = em.execute.bind(em) as (query: string, ...more: never[]) => Promise<never>;
      const counting = async (query: string, ...more: never[]) => {
        if (query.startsWith('select source_id as id ')) countPage();
        return await execute(query, ...more);
      };
      return Object.assign(em, { execute: counting });
    };
    db.read = (work) => original((em) => work(listening(em)));
    return counted;
  };
  /** Waits until no more pages are read and returns their number. */
  const settled = async (counted: { readonly reads: number }): Promise<number> => {
    const QUIET_MS = 500;
    let seen = -1;
    while (counted.reads !== seen) {
      seen = counted.reads;
      await sleep(QUIET_MS);
    }
    return seen;
  };
  const open = async (format: string): Promise<IncomingMessage> => {
    const request = httpGet(`${base.service.url}/api/export/${format}`, {
      headers: { Authorization: `Bearer ${base.client.key}` },
    });
    const [reply] = await once(request, 'response');
    return reply as IncomingMessage;
  };
  const rest = async (reply: IncomingMessage): Promise<string> => {
    const chunks: Buffer[] = [];
    for await (const chunk of reply) chunks.push(chunk as Buffer);
    return Buffer.concat(chunks).toString('utf8');
  };

  it('escapes text in CSV that a spreadsheet would read as a formula', async () => {
    const { text } = await base.client.get('/api/export/csv?year_from=2020&year_to=2020').buffer(true);
    const line = text.split('\r\n').find((row: string) => row.startsWith('pmid-99000001,'));
    assert.match(line ?? '', /,"'=HYPERLINK\(""http:\/\/x""\)",.*,'@SUM\(A1\),2020,/);
  });

  it('reads pages only as fast as the client consumes them, and none after the client disconnects', async () => {
    const counted = countReads();
    try {
      const reply = await open('jsonl');
      await once(reply, 'readable');
      const held = await settled(counted);
      // The operating system buffers megabytes at both ends of a connection, and the amount differs from run to run.
      assert.ok(held > 0 && held < COPIES / EXPORT_PAGE / 2, `${held} pages read for a reader who took one`);
      reply.destroy();
      const after = await settled(counted);
      // One read may have been in progress.
      assert.ok(after <= held + 1, `${after} pages read, ${after - held} of them for nobody`);
    } finally {
      counted.stop();
    }
  });

  it('leaves out sources added during the export, and lists every other source once', async () => {
    const reply = await open('jsonl');
    await once(reply, 'readable');
    await sql(
      base.service,
      `insert into evidence_source select (jsonb_populate_record(s, jsonb_build_object('source_id', 'pmid-999999999',
       'pmid', '999999999', 'created_at', now() + interval '1 second'))).*
       from evidence_source s where s.source_id = 'pmid-99000001'`,
    );
    await sql(base.service, "update evidence_source set quality_score = 99 where source_id like 'pmid-99001%'");
    const ids = (await rest(reply))
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line).source_id as string);
    assert.equal(new Set(ids).size, ids.length);
    assert.ok(ids.length > COPIES);
    assert.ok(!ids.includes('pmid-999999999'));
  });

  it('aborts the transfer when the database fails midway, so that no partial file looks complete', async () => {
    const reply = await open('jsonl');
    await once(reply, 'readable');
    const counted = countReads();
    counted.failAfter = 1;
    try {
      await assert.rejects(rest(reply), /aborted|terminated/);
    } finally {
      counted.stop();
    }
  });

  it('returns a JSON error with a 5xx status when the database is unavailable from the start', async () => {
    const counted = countReads();
    counted.failAfter = 0;
    try {
      const reply = await api(base.service)
        .get('/api/export/csv')
        .set(...bearer(base.client.key));
      assert.ok(reply.status >= 500);
      assert.match(reply.headers['content-type'] ?? '', /^application\/json/);
    } finally {
      counted.stop();
    }
  });
});
