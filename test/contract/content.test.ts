/** Checks that content/ is consistent, and compares it with the records it was written from where these are available. */
import { strict as assert } from 'node:assert';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { checkContent } from '../../core/content-check/check.ts';
import { readFrontMatter, readYaml } from '../../core/content-file.ts';
import { jats } from '../../plugins/evidence/importers/jats.ts';
import { nbib } from '../../plugins/evidence/importers/nbib.ts';
import {
  type ContentSourceEntry,
  ContentSourceList,
  type ReferenceEntry,
  ReferenceList,
} from '../../plugins/evidence/schemas.ts';
import type { SourceRecord } from '../../plugins/evidence/source-record.ts';
import { plugins } from '../../plugins/index.ts';
import { SupplementEntry } from '../../plugins/vocabulary/schemas.ts';

const content = join(import.meta.dirname, '../../content');
const shared = process.env.SHARED_DATA ?? join(import.meta.dirname, '../../../shared/data');

interface Listed {
  readonly file: string;
  readonly entry: ContentSourceEntry;
}

const refsOf = ({ pmid, doi, nct_id }: ReferenceEntry): string[] =>
  [pmid && `pmid:${pmid}`, doi && `doi:${doi}`, nct_id && `nct:${nct_id}`].filter((ref): ref is string => !!ref);

describe('content', () => {
  let sources: readonly Listed[];
  /** Papers that have not been read yet. */
  let references: readonly ReferenceEntry[];
  let supplements: readonly { slug: string; entry: SupplementEntry; body: string }[];

  before(async () => {
    const files = async (folder: string) =>
      Promise.all(
        (await readdir(join(content, folder))).map(async (name) => ({
          path: `${folder}/${name}`,
          text: await readFile(join(content, folder, name), 'utf8'),
          digest: '',
        })),
      );
    sources = (await files('sources')).flatMap((file) =>
      readYaml(file, ContentSourceList).map((entry) => ({ file: file.path, entry })),
    );
    references = (await files('references')).flatMap((file) => readYaml(file, ReferenceList));
    supplements = (await files('supplements')).map((file) => {
      const { data, body } = readFrontMatter(file, SupplementEntry);
      return { slug: file.path.slice('supplements/'.length, -'.md'.length), entry: data, body };
    });
  });

  it('has at least 106 supplements and 700 sources, and no duplicate among read and unread sources', () => {
    assert.ok(supplements.length >= 106);
    assert.ok(sources.length >= 700);
    const refs = [...sources.map(({ entry }) => entry), ...references].flatMap(refsOf);
    assert.deepEqual(
      refs.filter((ref, at) => refs.indexOf(ref) !== at),
      [],
    );
  });

  it('passes content:check without findings', async () => {
    const { findings, counts } = await checkContent(plugins, content, new Date().toISOString().slice(0, 10));
    assert.deepEqual(findings, []);
    const of = (kind: string) => counts.find((count) => count.kind === kind);
    assert.ok((of('supplements')?.claims ?? 0) > 1_400 && (of('articles')?.claims ?? 0) > 350);
    assert.deepEqual(counts.map(({ unsourced }) => unsourced).filter(Boolean), []);
  });

  it('plans only verticals that a supplement entry covers', async () => {
    const plan = await readFile(join(content, 'plan.yaml'), 'utf8');
    const planned = [...plan.matchAll(/^ {2}- (\S+)$/gm)].map((match) => match[1] ?? '');
    const spoken = new Set(
      supplements.flatMap(({ slug, entry }) => entry.evidence.map(({ topic }) => `${slug}-${topic}`)),
    );
    assert.deepEqual(
      planned.filter((vertical) => !spoken.has(vertical)),
      [],
    );
    assert.ok(planned.length > 100);
  });

  it('cites no retracted or suspect paper', async function () {
    if (!existsSync(join(shared, 'literature'))) return this.skip();
    const column = async (name: string, at: number): Promise<Set<string>> =>
      new Set(
        (await readFile(join(shared, 'literature', name), 'utf8'))
          .split('\n')
          .slice(1)
          .map((line) => line.split('\t')[at]?.trim().toLowerCase() ?? '')
          .filter(Boolean),
      );
    const [pmids, dois, suspects] = [
      await column('retracted-pmids.tsv', 0),
      await column('retracted-pmids.tsv', 1),
      await column('suspect-pmids.tsv', 0),
    ];
    assert.ok(pmids.size > 40_000 && suspects.size > 10);
    const bad = [...sources.map(({ entry }) => entry), ...references].filter(
      ({ pmid = '', doi = '' }) => pmids.has(pmid) || suspects.has(pmid) || dois.has(doi.toLowerCase()),
    );
    assert.deepEqual(bad.map(refsOf), []);
  });

  it('matches the PMID, DOI, title and year of the records and copies no eight words in a row from an abstract', async function () {
    if (!existsSync(join(shared, 'jats'))) return this.skip();
    this.timeout(180_000);
    const records = [...(await loadRecords()), ...(await loadLists())];
    const problems: string[] = [];
    let compared = 0;
    // An unread paper has no summary of ours to compare with its abstract.
    for (const entry of [
      ...sources.map((source) => source.entry),
      ...references.map((one) => ({ ...one, summary: '' })),
    ]) {
      const mine = [
        ...records.filter(
          ({ pmid, doi }) => (entry.pmid && pmid === entry.pmid) || (entry.doi && doi === entry.doi.toLowerCase()),
        ),
      ];
      if (!mine.length) problems.push(`${refsOf(entry)[0]}: no record at hand`);
      else compared += 1;
      problems.push(...compare(entry, mine));
    }
    assert.deepEqual(problems, []);
    assert.equal(compared, sources.length + references.length);
  });
});

interface Listing {
  readonly pmid?: string | null;
  readonly doi?: string | null;
  readonly title?: string | null;
  readonly published_date?: string | null;
}

const loadRecords = async (): Promise<
  readonly (Pick<SourceRecord, 'pmid' | 'doi' | 'title' | 'abstract'> & { years: readonly number[] })[]
> => {
  const records: (Pick<SourceRecord, 'pmid' | 'doi' | 'title' | 'abstract'> & { years: number[] })[] = [];
  const signal = new AbortController().signal;
  const table = (await readFile(join(shared, 'jats/articles.tsv'), 'utf8')).split('\n').slice(1);
  const pmidOf = new Map(
    table.map((line) => line.split('\t')).map(([, pmid = '', doi = '']) => [doi.toLowerCase(), pmid]),
  );
  for (const [importer, path] of [
    [jats, 'jats/articles.tar.gz'],
    [nbib, 'literature/nmn-nr-84.nbib'],
  ] as const) {
    for await (const event of importer.read(join(shared, path), signal)) {
      if (event.type !== 'record') continue;
      const { pmid, doi, title, abstract, year } = event.record;
      // The year of the issue may be one later than the year of first publication.
      records.push({
        pmid: pmid || (pmidOf.get(doi) ?? ''),
        doi,
        title,
        abstract,
        years: year ? [year, year + 1] : [],
      });
    }
  }
  for (const line of (await readFile(join(shared, 'literature/supplement-papers.jsonl'), 'utf8'))
    .split('\n')
    .filter(Boolean)) {
    const { pmid, doi, title, abstract, year } = JSON.parse(line);
    records.push({ pmid, doi: (doi ?? '').toLowerCase(), title, abstract: abstract ?? '', years: [year] });
  }
  for (const line of gunzipSync(await readFile(join(shared, 'pubmed-2025/abstracts.jsonl.gz')))
    .toString('utf8')
    .split('\n')
    .filter(Boolean)) {
    const { pmid, title, abstract, publication_date: date } = JSON.parse(line);
    const year = Number(/\d{4}/.exec(date ?? '')?.[0] ?? 0);
    // The date is that of the issue or of online publication, which may differ by a year.
    const years = year ? [year - 1, year, year + 1] : [];
    records.push({ pmid: String(pmid), doi: '', title, abstract: abstract ?? '', years });
  }
  const published = new Map(
    (await readFile(join(shared, 'cochrane/reviews.tsv'), 'utf8'))
      .split('\n')
      .slice(1)
      .map((line) => line.split('\t'))
      .map(([doi = '', , , , day = '']) => [doi.toLowerCase(), Number(day.slice(0, 4))]),
  );
  for (const line of gunzipSync(await readFile(join(shared, 'cochrane/abstracts.jsonl.gz')))
    .toString('utf8')
    .split('\n')
    .filter(Boolean)) {
    const { doi, title, abstract } = JSON.parse(line);
    const year = published.get(doi.toLowerCase()) ?? 0;
    const years = [year - 1, year, year + 1];
    records.push({ pmid: '', doi: doi.toLowerCase(), title, abstract: JSON.stringify(abstract ?? ''), years });
  }
  return records;
};

/** Loads lists of papers that have a title but no abstract. */
const loadLists = async (): ReturnType<typeof loadRecords> => {
  const reviews = (await readFile(join(shared, 'literature/systematic-reviews-2020-21.tsv'), 'utf8'))
    .split('\n')
    .slice(1)
    .map((line) => line.split('\t'))
    .map(([pmid = '', doi = '', year, , title = '']) => ({ pmid, doi, year: Number(year), title }));
  const studies = JSON.parse(await readFile(join(shared, 'interactions/backed_clinical_studies.json'), 'utf8')) as {
    backed_clinical_studies: { references_structured?: Listing[] }[];
  };
  const listed = studies.backed_clinical_studies
    .flatMap(({ references_structured = [] }) => references_structured)
    .map(({ pmid, doi, title, published_date }) => ({
      pmid: String(pmid ?? ''),
      doi: doi ?? '',
      year: Number((published_date ?? '').slice(0, 4)),
      title: title ?? '',
    }));
  return [...reviews, ...listed]
    .filter(({ title }) => title)
    .map(({ pmid, doi, title, year }) => ({
      pmid,
      doi: doi.toLowerCase(),
      title: title.replace(/<[^>]+>/g, ''),
      abstract: '',
      years: [year],
    }));
};

const letters = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/[^\p{L}\p{N}]+/gu, '')
    .toLowerCase();
const words = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
const runs = (text: string): string[] => {
  const all = words(text);
  return all.slice(7).map((_, at) => all.slice(at, at + 8).join(' '));
};

const compare = (
  entry: ReferenceEntry & { readonly summary: string },
  mine: Awaited<ReturnType<typeof loadRecords>>,
): string[] => {
  const ref = refsOf(entry)[0];
  if (!mine.length) return [];
  const problems: string[] = [];
  if (
    !mine.some(
      ({ title }) =>
        letters(title).startsWith(letters(entry.title).slice(0, 60)) ||
        letters(entry.title).startsWith(letters(title).slice(0, 60)),
    )
  )
    problems.push(`${ref}: another title than "${mine[0]?.title}"`);
  if (!mine.some(({ years }) => years.includes(entry.year)))
    problems.push(`${ref}: year ${entry.year}, the record has ${mine[0]?.years}`);
  if (
    entry.pmid &&
    entry.doi &&
    mine.some(({ doi }) => doi) &&
    !mine.some(({ doi }) => doi === entry.doi?.toLowerCase())
  )
    problems.push(`${ref}: DOI ${entry.doi}, the record has ${mine[0]?.doi}`);
  const abstracts = new Set(mine.flatMap(({ abstract }) => runs(abstract)));
  const copied = runs(entry.summary).find((run) => abstracts.has(run));
  if (copied) problems.push(`${ref}: "${copied}" stands in the abstract`);
  return problems;
};
