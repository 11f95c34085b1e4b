/** CSL JSON, the input of citation processors: https://github.com/citation-style-language/schema (csl-data, 1.0.2). */
import { abstractOrSummary, addressOf, type SourceRow } from '../source-view.ts';
import { type AuthorName, authorNames, dotted } from './author-names.ts';
import type { BibliographicFormat } from './bibliographic-format.ts';
import { bibtexKey } from './bibtex-key.ts';
import { gradeNote, kindOf, pageRange, singleLine, singleLines } from './citation-parts.ts';

const nameOf = ({ family, initials, suffix }: AuthorName): Readonly<Record<string, string>> => {
  if (initials.length === 0) return { literal: family };
  return { family, given: dotted(initials), ...(suffix === '' ? {} : { suffix }) };
};

const typeOf = (source: SourceRow): string => {
  const kind = kindOf(source);
  if (kind === 'trial') return 'dataset';
  if (kind === 'guideline' && source.journal === '') return 'report';
  return source.sourceClass === 'preprint' ? 'article' : 'article-journal';
};

/** Converts a language code: CSL requires "en" where PubMed has "eng". Invalid codes are omitted. */
const languageOf = (language: string): string => {
  try {
    return Intl.getCanonicalLocales(language)[0] ?? '';
  } catch {
    return '';
  }
};

/** Builds lines of "name: value", which Zotero stores and parses in its field Extra. */
const noteOf = (source: SourceRow): string =>
  [
    gradeNote(source),
    `quality_tier: ${source.qualityTier}`,
    `quality_score: ${source.qualityScore}`,
    `evidence_level: ${source.evidenceLevel}`,
    `retraction_status: ${source.retractionStatus}`,
    source.nctId && `nct_id: ${source.nctId}`,
    source.license && `license: ${source.license}`,
  ]
    .map(singleLine)
    .filter((line) => line !== '')
    .join('\n');

const itemOf = (source: SourceRow): Readonly<Record<string, unknown>> => {
  const { first, last } = pageRange(source.pages);
  const isTrial = kindOf(source) === 'trial';
  const texts = {
    language: languageOf(source.language),
    title: source.title,
    'container-title': isTrial ? '' : source.journal,
    publisher: isTrial ? source.journal : '',
    number: isTrial ? source.nctId : '',
    volume: source.volume,
    issue: source.issue,
    page: last === '' ? first : `${first}-${last}`,
    DOI: source.doi,
    PMID: source.pmid,
    PMCID: source.pmcid,
    URL: addressOf(source),
    abstract: abstractOrSummary(source),
    keyword: singleLines(source.verticals).join(', '),
  };
  const authors = authorNames(source.authors);
  return {
    id: source.sourceId,
    'citation-key': bibtexKey(source),
    type: typeOf(source),
    ...(authors.length === 0 ? {} : { author: authors.map(nameOf) }),
    ...(source.year === null ? {} : { issued: { 'date-parts': [[source.year]] } }),
    ...Object.fromEntries(
      Object.entries(texts)
        .map(([name, text]) => [name, singleLine(text)])
        .filter(([, text]) => text !== ''),
    ),
    note: noteOf(source),
  };
};

/** A JSON array with one item per line; members without a value are omitted. */
export const cslJson: BibliographicFormat = {
  name: 'csljson',
  mediaType: 'application/vnd.citationstyles.csl+json',
  extension: 'json',
  head: () => '[\n',
  row: (source, _, position) => `${position === 0 ? '' : ',\n'}${JSON.stringify(itemOf(source))}`,
  tail: () => '\n]\n',
};
