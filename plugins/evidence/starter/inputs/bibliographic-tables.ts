/** Tables and JSON lines of papers, as public repositories hold them; the layouts are described in content/evidence/README.md. */
import { authorOf } from '../../importers/authors.ts';
import { cleanText } from '../../importers/clean-text.ts';
import { doiOf, pmidOf, yearIn } from '../../importers/identifiers.ts';
import { emptyRecord, type SourceRecord } from '../../source-record.ts';
import { jsonRows, type Row, tabRows } from './read-rows.ts';
import type { PackEvent, PackInput } from './source-input.ts';

/** "Brian K Schilling" gives "Schilling BK"; "Schilling BK" stays. */
const authorOfName = (name: string): string => {
  const clean = cleanText(name);
  if (/ [A-Z]{1,4}$/.test(clean) || !clean.includes(' ')) return clean;
  const particle = / (?:(?:van|von|de|der|den|del|della|di|da|dos|du|la|le|el|al|bin|ten|ter) )+[^ ]+$/i.exec(clean);
  const family = particle ? particle[0].trim() : (clean.split(' ').at(-1) ?? '');
  return authorOf(family, clean.slice(0, clean.length - family.length));
};

/** PubMed ends titles with a full stop, and puts those of other languages in brackets. */
const titleOf = (title: string): string => cleanText(title).replace(/^\[(.*)\]\.?$/, '$1');

const record = (fields: Partial<SourceRecord>): PackEvent => ({
  type: 'record',
  record: { ...emptyRecord('corpus'), ...fields },
});

const listed = (cell: string, separator: string | RegExp): string[] =>
  cell
    .split(separator)
    .map((part) => cleanText(part))
    .filter(Boolean);

interface PubmedJson {
  readonly pmid: string;
  readonly doi?: string | null;
  readonly title: string;
  readonly journal?: string;
  readonly publication_date?: string;
  readonly publication_types?: readonly string[];
  readonly mesh_terms?: readonly string[];
  readonly authors?: readonly string[];
  readonly abstract?: string | Readonly<Record<string, string>>;
  readonly year?: number;
  readonly publicationTypes?: readonly string[];
}

/** Records of PubMed as JSON lines, in the two layouts of member names that are around. */
const fromPubmedJson = (row: PubmedJson): PackEvent =>
  record({
    pmid: pmidOf(row.pmid ?? ''),
    doi: doiOf(row.doi ?? ''),
    title: titleOf(row.title),
    abstract: typeof row.abstract === 'string' ? cleanText(row.abstract) : '',
    journal: cleanText(row.journal ?? ''),
    year: row.year ?? yearIn(row.publication_date ?? ''),
    authors: (row.authors ?? []).map(authorOfName).filter(Boolean),
    publicationTypes: [...(row.publication_types ?? row.publicationTypes ?? [])],
    meshTerms: [...(row.mesh_terms ?? [])],
  });

/** Abstracts of reviews by section, without anything else. */
const fromSections = (doi: string, title: string, sections: Readonly<Record<string, string>>): PackEvent =>
  record({
    doi: doiOf(doi),
    title: titleOf(title),
    abstract: Object.entries(sections)
      .map(([label, text]) => `${label}: ${cleanText(text)}`)
      .join(' '),
    journal: COCHRANE,
    publicationTypes: ['Systematic Review'],
  });

export const COCHRANE = 'The Cochrane database of systematic reviews';

async function* abstracts(path: string, signal: AbortSignal): AsyncGenerator<PackEvent> {
  for await (const row of jsonRows<PubmedJson>(path, signal))
    yield typeof row.abstract === 'object' && row.abstract !== null
      ? fromSections(row.doi ?? '', row.title, row.abstract)
      : fromPubmedJson(row);
}

/** Rows of a table, each made into an event. */
const table = (eventOf: (row: Row) => PackEvent): PackInput['read'] =>
  async function* (path, signal) {
    for await (const row of tabRows(path, signal)) yield eventOf(row);
  };

const fromArticles = (row: Row): PackEvent =>
  record({
    pmid: pmidOf(row.pmid ?? ''),
    title: titleOf(row.title ?? ''),
    journal: cleanText(row.journal ?? ''),
    year: yearIn(row.date ?? ''),
    publicationTypes: listed(row.types ?? '', ';'),
    meshTerms: listed(row.mesh ?? '', ';'),
  });

const fromReviews = (row: Row): PackEvent =>
  record({
    doi: doiOf(row.doi ?? ''),
    title: titleOf(row.title ?? ''),
    authors: listed(row.authors ?? '', ';').map(authorOfName),
    journal: COCHRANE,
    year: yearIn(row.published ?? ''),
    publicationTypes: ['Systematic Review'],
    // "*Dietary Supplements [*adverse effects]" without marks and qualifiers.
    meshTerms: listed(row.mesh ?? '', ';').map((term) => term.replace(/ \[.*\]$/, '').replace(/^\*/, '')),
  });

/** The column `journal` holds the end of a citation: what stands before its last full stop belongs to the title. */
const fromSystematicReviews = (row: Row): PackEvent => {
  const parts = cleanText(row.journal ?? '').split('. ');
  const title = titleOf([row.title ?? '', ...parts.slice(0, -1)].join(' '));
  return record({
    pmid: pmidOf(row.pmid ?? ''),
    doi: doiOf(row.doi ?? ''),
    title,
    journal: parts.at(-1) ?? '',
    year: yearIn(row.year ?? ''),
    publicationTypes: [/meta-analys/i.test(title) ? 'Meta-Analysis' : 'Systematic Review'],
  });
};

const DESIGNS: Readonly<Record<string, string>> = {
  meta_analysis: 'Meta-Analysis',
  rct: 'Randomized Controlled Trial',
  systematic_review: 'Systematic Review',
  guideline: 'Practice Guideline',
  position_stand: 'Consensus Statement',
};

/** Rows whose title was written from memory are left out: a title must have been seen. */
const fromLandmark = (row: Row): PackEvent =>
  row.title_source === 'memory'
    ? { type: 'problem', at: row.title ?? '', message: 'the title has not been confirmed' }
    : record({
        pmid: pmidOf(row.pmid ?? ''),
        doi: doiOf(row.doi ?? ''),
        title: titleOf(row.title ?? ''),
        authors: row.first_author ? [authorOfName(row.first_author)] : [],
        journal: cleanText(row.journal ?? ''),
        year: yearIn(row.year ?? ''),
        publicationTypes: [DESIGNS[row.design ?? ''] ?? 'Journal Article'],
      });

const exclude =
  (why: 'retracted' | 'suspect') =>
  (row: Row): PackEvent => ({ type: 'exclusion', pmid: pmidOf(row.pmid ?? ''), doi: doiOf(row.doi ?? ''), why });

export const tableInputs: readonly PackInput[] = [
  { files: /^(?:abstracts\.jsonl\.gz|supplement-papers\.jsonl)$/, read: abstracts },
  { files: /^articles\.tsv\.gz$/, read: table(fromArticles) },
  { files: /^reviews\.tsv$/, read: table(fromReviews) },
  { files: /^systematic-reviews.*\.tsv$/, read: table(fromSystematicReviews) },
  { files: /^landmark\.tsv$/, read: table(fromLandmark) },
  { files: /^retracted-pmids\.tsv$/, read: table(exclude('retracted')) },
  { files: /^suspect-pmids\.tsv$/, read: table(exclude('suspect')) },
];
