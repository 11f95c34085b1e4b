import { abstractOrSummary, addressOf, type SourceRow } from '../source-view.ts';
import { type AuthorName, authorNames } from './author-names.ts';
import type { BibliographicFormat } from './bibliographic-format.ts';
import { gradeNote, publicationTypesOf, singleLine } from './citation-parts.ts';

type Line = readonly [tag: string, value: string];

const WIDTH = 80;
const INDENT = ' '.repeat(6);

/** Formats a tag and its value, wrapped at spaces; a word longer than a line is not broken. */
const wrapped = ([tag, value]: Line): string => {
  const lines: string[] = [];
  let line = `${tag.padEnd(4)}-`;
  let isEmpty = true;
  for (const word of value.split(' ')) {
    if (!isEmpty && line.length + 1 + word.length > WIDTH) {
      lines.push(line);
      line = INDENT + word;
    } else {
      line += ` ${word}`;
    }
    isEmpty = false;
  }
  return [...lines, line].join('\n');
};

/** Formats authors as MEDLINE does: persons with full and short name, groups as corporate authors. */
const authorLines = ({ family, initials, suffix }: AuthorName): Line[] => {
  if (initials.length === 0) return [['CN', family]];
  const after = suffix === '' ? '' : ` ${suffix}`;
  return [
    ['FAU', `${family}, ${initials.join(' ')}${after && `,${after}`}`],
    ['AU', `${family} ${initials.join('')}${after}`],
  ];
};

/**
 * Formats the notice of an article. MEDLINE marks a questioned or corrected article by a link to the notice, and a retracted one
 * by its publication type as well.
 */
const noticeLines = (source: SourceRow): Line[] => {
  const tag = { none: '', retracted: '', concern: 'ECI', corrected: 'EIN' }[source.retractionStatus];
  return tag === '' ? [] : [[tag, `See the notice at ${addressOf(source)}`]];
};

/** Formats a citation, such as "Journal. 2012;17(12):1161-9. doi: 10.1000/x." */
const citationOf = ({ journal, year, volume, issue, pages, doi }: SourceRow): string => {
  const place = `${volume}${issue && `(${issue})`}${pages && `:${pages}`}`;
  const date = [String(year ?? ''), place].filter((part) => part !== '').join(';');
  return [journal, date, doi && `doi: ${doi}`]
    .filter((part) => part !== '')
    .map((part) => `${part}.`)
    .join(' ');
};

const linesOf = (source: SourceRow): Line[] => [
  ['VI', source.volume],
  ['IP', source.issue],
  ['DP', String(source.year ?? '')],
  ['TI', source.title],
  ['PG', source.pages],
  ['LID', source.doi && `${source.doi} [doi]`],
  ['AB', abstractOrSummary(source)],
  ...authorNames(source.authors).flatMap(authorLines),
  ['LA', source.language],
  ['SI', source.nctId && `ClinicalTrials.gov/${source.nctId}`],
  ...publicationTypesOf(source).map((type): Line => ['PT', type]),
  ['JT', source.journal],
  ...noticeLines(source),
  ...source.meshTerms.map((term): Line => ['MH', term]),
  ...source.keywords.map((word): Line => ['OT', word]),
  ['GN', gradeNote(source)],
  ['PMC', source.pmcid],
  ['AID', source.doi && `${source.doi} [doi]`],
  ['SO', citationOf(source)],
];

/** MEDLINE's tagged format. A record begins with its PMID line, which is empty for a source that is not in PubMed. */
export const nbib: BibliographicFormat = {
  name: 'nbib',
  mediaType: 'application/nbib',
  extension: 'nbib',
  head: () => '',
  row: (source) => {
    const lines = linesOf(source)
      .map(([tag, value]): Line => [tag, singleLine(value)])
      .filter(([, value]) => value !== '');
    return `${[['PMID', singleLine(source.pmid)] as const, ...lines].map(wrapped).join('\n')}\n\n`;
  },
  tail: () => '',
};
