/** Provides helpers of the evidence test suites: fictional records, small content folders and database queries. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { importerOf } from '#plugins/evidence/importers/index.ts';
import { type ImportOptions, importFile } from '#plugins/evidence/importing.ts';
import { type EvidenceServices, evidencePlugin } from '#plugins/evidence/index.ts';
import { api, bearer, bootstrapAdmin } from '../../support/client.ts';
import { startService, type TestService } from '../../support/service.ts';

/** Fictional record in PubMed's format. People, journals and findings are invented; PMIDs start with 99. */
export interface MadeArticle {
  readonly pmid: number;
  readonly title?: string;
  readonly abstract?: string;
  readonly doi?: string;
  readonly year?: number;
  readonly journal?: string;
  readonly types?: readonly string[];
  /** Links to notices in PubMed's notation: `['RetractionOf', 99000001]`. */
  readonly links?: readonly (readonly [type: string, pmid: number])[];
}

export const madeArticle = ({ pmid, title = `Record ${pmid}`, links = [], types = [], ...rest }: MadeArticle): string =>
  `<PubmedArticle><MedlineCitation><PMID Version="1">${pmid}</PMID><Article>
<Journal><JournalIssue><Volume>7</Volume><PubDate>${rest.year ? `<Year>${rest.year}</Year>` : ''}</PubDate></JournalIssue><Title>${rest.journal ?? 'Journal of Invented Nutrition'}</Title></Journal>
<ArticleTitle>${title}</ArticleTitle>
${rest.doi ? `<ELocationID EIdType="doi" ValidYN="Y">${rest.doi}</ELocationID>` : ''}
${rest.abstract ? `<Abstract><AbstractText>${rest.abstract}</AbstractText></Abstract>` : ''}
<PublicationTypeList>${types.map((type) => `<PublicationType>${type}</PublicationType>`).join('')}</PublicationTypeList>
</Article>
<CommentsCorrectionsList>${links.map(([type, to]) => `<CommentsCorrections RefType="${type}"><RefSource>made up</RefSource><PMID>${to}</PMID></CommentsCorrections>`).join('')}</CommentsCorrectionsList>
</MedlineCitation></PubmedArticle>`;

/** Builds a DeleteCitation element of PubMed. */
export const madeDeletion = (...pmids: readonly number[]): string =>
  `<DeleteCitation>${pmids.map((pmid) => `<PMID Version="1">${pmid}</PMID>`).join('')}</DeleteCitation>`;

export const madeFile = (...parts: readonly string[]): string =>
  `<?xml version="1.0" encoding="utf-8"?>\n<!-- made for tests -->\n<PubmedArticleSet>\n${parts.join('\n')}\n</PubmedArticleSet>\n`;

/** Builds a fictional trial of zinc for colds with enough text for a grade, a supplement and a topic. */
export const zincTrial = (pmid: number, more: Partial<MadeArticle> = {}): MadeArticle => ({
  pmid,
  title: `Zinc lozenges for the common cold: a randomised trial number ${pmid}.`,
  abstract:
    'We randomly assigned 240 adults with a common cold to zinc lozenges or placebo in a double-blind trial. The common cold was shorter with zinc (p = 0.01). Zinc shortened the common cold.',
  year: 2021,
  doi: `10.5555/made.${pmid}`,
  types: ['Randomized Controlled Trial'],
  ...more,
});

/** Creates a temporary folder for one describe and removes it after the tests. */
export const temporaryFolder = () => {
  let folder = '';
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'ekb-files-'));
  });
  after(() => rm(folder, { recursive: true, force: true }));
  const path = (name = ''): string => join(folder, name);
  const put = async (name: string, content: string | Uint8Array): Promise<string> => {
    await mkdir(dirname(path(name)), { recursive: true });
    await writeFile(path(name), content);
    return path(name);
  };
  return { path, put };
};

export const servicesOf = ({ runtime }: TestService): EvidenceServices =>
  runtime.servicesOf(evidencePlugin) as EvidenceServices;

/** Waits until the index has caught up. The second call is needed because the first may share a run begun earlier. */
export const levelIndex = async (service: TestService): Promise<void> => {
  await servicesOf(service).catchUp();
  await servicesOf(service).catchUp();
};

/** Imports one path as the command does, in this process, and waits until the index has caught up. */
export const ingest = async (
  service: TestService,
  kind: string,
  path: string,
  options: Partial<ImportOptions> = {},
) => {
  const importer = importerOf(kind);
  if (!importer) throw new Error(`no importer is called ${kind}`);
  const grader = await servicesOf(service).grader();
  const signal = new AbortController().signal;
  const report = await importFile(service.runtime.db, importer, path, { signal, grader, ...options });
  await levelIndex(service);
  if (!report) throw new Error('the corpus was held by somebody else');
  return report;
};

export const query = <T = Record<string, unknown>>(
  { runtime }: TestService,
  sql: string,
  values: unknown[] = [],
): Promise<T[]> => runtime.db.read((em) => em.execute(sql, values)) as Promise<T[]>;

/** Returns the revision and update time of every current source by id. */
export const revisionsOf = async (service: TestService): Promise<Map<string, string>> => {
  const rows = await query<{ source_id: string; state: string }>(
    service,
    `select source_id, revision || ' ' || updated_at as state from evidence_source where removed_at is null`,
  );
  return new Map(rows.map((row) => [row.source_id, row.state]));
};

export interface LoggedChange {
  readonly kind: string;
  readonly subject_id: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Returns the entries of the change log after the given id. */
export const changesAfter = (service: TestService, id: number): Promise<LoggedChange[]> =>
  query(service, 'select kind, subject_id, data from change_log where id > ? order by id', [id]);

export const lastChange = async (service: TestService): Promise<number> => {
  const [row] = await query<{ last: number }>(service, 'select coalesce(max(id), 0)::int as last from change_log');
  return row?.last ?? 0;
};

/** Returns a client with an admin key, because admin keys are not rate-limited. */
export const clientOf = async (service: TestService) => {
  const { key } = await bootstrapAdmin(service);
  const get = (path: string, values: object = {}) =>
    api(service)
      .get(path)
      .query(values)
      .set(...bearer(key));
  return {
    key,
    search: (values: object) => get('/v1/evidence/search', values),
    sources: (values: object = {}) => get('/api/sources', values),
    get,
  };
};
export type Client = Awaited<ReturnType<typeof clientOf>>;

/** Returns the ids of a list of records, in order. */
export const idsOf = (records: readonly { source_id: string }[]): string[] => records.map(({ source_id: id }) => id);

export interface Base {
  readonly service: TestService;
  readonly client: Client;
}

/** Starts a service for one describe. `options` is called at the start, and `prepare` runs before the first test. */
export const useService = (
  options: () => Parameters<typeof startService>[0] = () => ({}),
  prepare: (base: Base) => Promise<unknown> = async () => undefined,
): Base => {
  const base = {} as { service: TestService; client: Client };
  before(async function () {
    this.timeout(180_000);
    const asked = options() ?? {};
    base.service = await startService({ startsEmptied: Boolean(asked.contentDir), ...asked });
    base.client = await clientOf(base.service);
    await prepare(base);
  });
  after(() => base.service?.stop());
  return base;
};

/** Builds one entry of content/sources as YAML. */
export const madeEntry = (fields: Readonly<Record<string, unknown>>): string =>
  Object.entries({
    title: 'Zinc for colds, as the editor has it',
    journal: 'Journal of Invented Nutrition',
    year: 2020,
    publication_types: ['Randomized Controlled Trial'],
    design: 'rct',
    sample_size: 90,
    population: 'adults with colds',
    species: 'human',
    direction: 'null',
    funding: 'public',
    read: 'full_text',
    supplements: ['zinc'],
    topics: ['colds'],
    summary: 'In 90 invented adults zinc made no difference to the length of a cold over five winters.',
    ...fields,
  })
    .filter(([, value]) => value !== undefined)
    .map(([name, value], at) => `${at ? ' ' : '-'} ${name}: ${JSON.stringify(value)}`)
    .join('\n');

export const madeSupplement = (name: string, synonyms: readonly string[] = []): string =>
  `---
name: ${name}
category: mineral
traditions: [western]
synonyms: ${JSON.stringify(synonyms)}
forms: []
answer: Made for tests.
evidence: []
dosing: []
safety: []
unknown: []
further_reading: []
updated_at: 2026-01-01
---
Made for tests.
`;

export const MADE_TOPICS = `- {slug: colds, name: Colds, kind: condition, terms: [common cold, colds]}
- {slug: sleep, name: Sleep, kind: outcome, terms: [sleep, insomnia]}
`;
