import assert from 'node:assert/strict';
import { useRealBase } from './real-base.ts';

interface Csl {
  readonly id: string;
  readonly title?: string;
  readonly DOI?: string;
  readonly PMID?: string;
  readonly author?: readonly { readonly family?: string; readonly given?: string; readonly literal?: string }[];
  readonly issued?: { readonly 'date-parts': readonly (readonly (number | string)[])[] };
}

/** Declares the part of citation-js that is used here, because the package has no type declarations. */
interface CitationJs {
  readonly Cite: new (text: string, options?: { forceType: string }) => { readonly data: readonly Csl[] };
}

/** Removes typographic differences that BibTeX readers may introduce when they interpret commands. */
const plain = (text = ''): string =>
  text
    .normalize('NFKD')
    .replace(/[^\p{L}\p{N}]+/gu, '')
    .toLowerCase();

describe('an export parsed by citation-js', function () {
  this.timeout(300_000);
  const base = useRealBase();
  let Cite: CitationJs['Cite'];
  let records: Record<string, unknown>[];
  const take = async (format: string): Promise<string> => {
    const reply = await base.client
      .get(`/api/export/${format}`)
      .buffer(true)
      .parse((res, done) => {
        const chunks: Buffer[] = [];
        res.on('data', (chunk) => chunks.push(chunk as Buffer));
        res.on('end', () => done(null, Buffer.concat(chunks).toString('utf8')));
      });
    assert.equal(reply.status, 200);
    return reply.body as string;
  };
  const byTitle = (read: readonly Csl[]) => new Map(read.map((entry) => [plain(entry.title), entry]));

  before(async () => {
    const packages = ['@citation-js/core', '@citation-js/plugin-bibtex', '@citation-js/plugin-ris'];
    const [core] = await Promise.all(packages.map((name) => import(name)));
    ({ Cite } = core as CitationJs);
    const lines = (await take('jsonl')).split('\n').filter(Boolean);
    records = lines.map((line) => JSON.parse(line));
  });

  it('contains every source in BibTeX with a unique key and its title, year, DOI and PMID', async () => {
    const read = new Cite(await take('bibtex'), { forceType: '@biblatex/text' }).data;
    assert.equal(read.length, records.length);
    assert.equal(new Set(read.map(({ id }) => id)).size, records.length);
    const found = byTitle(read);
    for (const record of records) {
      const entry = found.get(plain(String(record.title)));
      assert.ok(entry, String(record.title));
      if (record.doi) assert.equal(entry.DOI?.toLowerCase(), String(record.doi).toLowerCase());
      if (record.pmid) assert.equal(entry.PMID, record.pmid);
      if (record.year) assert.equal(Number(entry.issued?.['date-parts'][0]?.[0]), record.year);
    }
  });

  it('contains every source in RIS with its title, year and authors', async () => {
    const read = new Cite(await take('ris'), { forceType: '@ris/file' }).data;
    assert.equal(read.length, records.length);
    const found = byTitle(read);
    for (const record of records) {
      const entry = found.get(plain(String(record.title)));
      assert.ok(entry, String(record.title));
      assert.equal(entry.author?.length ?? 0, (record.authors as string[]).length);
      if (record.year) assert.equal(Number(entry.issued?.['date-parts'][0]?.[0]), record.year);
    }
  });
});
