/** Reads tables and JSON lines of papers from public repositories; content/evidence/README.md describes the layouts. */
import { authorOf } from '../../importers/authors.ts';
import { cleanText } from '../../importers/clean-text.ts';
import { doiOf, pmidOf, yearIn } from '../../importers/identifiers.ts';
import { emptyRecord, type SourceRecord } from '../../source-record.ts';
import { jsonRows, type Row, tabRows } from './read-rows.ts';
import type { PackEvent, PackInput } from './source-input.ts';

/** Converts "Brian K Schilling" to "Schilling BK"; leaves "Schilling BK" unchanged. */
const authorOfName = (name: string): string => {
  const clean = cleanText(name);
  if (/ [A-Z]{1,4}$/.test(clean) || !clean.includes(' ')) return clean;
  const particle = / (?:(?:van|von|de|der|den|del|della|di|da|dos|du|la|le|el|al|bin|ten|ter) )+[^ ]+$/i.exec(clean);
  const family = particle ? particle[0].trim() : (clean.split(' ').at(-1) ?? '');
  return authorOf(family, clean.slice(0, clean.length - family.length));
};

/** Removes the brackets and the full stop with which PubMed marks titles in other languages. */
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

/** Converts a PubMed record in JSON, in either of the two layouts of member names in use. */
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

/** Converts a review of which only the DOI, the title and the sections of the abstract are known. */
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

/** Returns a reader that converts each row of a table into an event. */
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
    // Removes marks and qualifiers, as in "*Dietary Supplements [*adverse effects]".
    meshTerms: listed(row.mesh ?? '', ';').map((term) => term.replace(/ \[.*\]$/, '').replace(/^\*/, '')),
  });

/**
 * Converts a row whose column `journal` contains the end of a citation: the text before its last full stop belongs to the title.
 */
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

/** Converts a row, but reports a problem for a title that was written from memory: titles must come from the source. */
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
