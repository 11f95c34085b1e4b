import { abstractOrSummary, addressOf, type SourceRow } from '../source-view.ts';
import { type AuthorName, authorNames, dotted } from './author-names.ts';
import type { BibliographicFormat } from './bibliographic-format.ts';
import { articleNumber, gradeNote, kindOf, pageRange, publicationTypesOf, singleLine } from './citation-parts.ts';

/**
 * Formats a name. A comma after a group's name marks it as a single name; commas inside are removed, because the rest would
 * become a given name.
 */
const nameOf = ({ family, initials, suffix }: AuthorName): string =>
  initials.length === 0
    ? `${family.replaceAll(',', '')},`
    : [family, dotted(initials), suffix].filter((part) => part !== '').join(', ');

const typeOf = (source: SourceRow): string => {
  const kind = kindOf(source);
  if (kind === 'trial') return 'DATA';
  return kind === 'guideline' && source.journal === '' ? 'RPRT' : 'JOUR';
};

const databaseOf = (source: SourceRow): { database: string; accession: string } => {
  if (source.pmid) return { database: 'PubMed', accession: source.pmid };
  return kindOf(source) === 'trial'
    ? { database: 'ClinicalTrials.gov', accession: source.nctId }
    : { database: '', accession: '' };
};

/** Builds the lines of a record. C2 and C7 contain PMCID and article number, as in EndNote and Web of Science. */
const linesOf = (source: SourceRow): readonly (readonly [tag: string, value: string])[] => {
  const { database, accession } = databaseOf(source);
  const { first, last } = pageRange(source.pages);
  const isTrial = kindOf(source) === 'trial';
  return [
    ['TY', typeOf(source)],
    ['DB', database],
    ['AN', accession],
    ...authorNames(source.authors).map((name) => ['AU', nameOf(name)] as const),
    ['TI', source.title],
    ['JF', source.journal],
    ['PY', String(source.year ?? '')],
    ['VL', source.volume],
    ['IS', source.issue],
    ['SP', first],
    ['EP', last],
    ['C7', articleNumber(source.pages)],
    ['C2', source.pmcid],
    ['DO', source.doi],
    ['LA', source.language],
    ['M3', [...(isTrial ? ['Trial registry record'] : []), ...publicationTypesOf(source)].join('; ')],
    ...[...source.meshTerms, ...source.keywords].map((word) => ['KW', word] as const),
    ['AB', abstractOrSummary(source)],
    ['UR', addressOf(source)],
    ['N1', gradeNote(source)],
    ['N1', source.nctId && !isTrial ? `Trial registration: ${source.nctId}` : ''],
  ];
};

/** RIS as reference managers read it; the first note contains status and tier. */
export const ris: BibliographicFormat = {
  name: 'ris',
  mediaType: 'application/x-research-info-systems',
  extension: 'ris',
  head: () => '',
  row: (source) => {
    const lines = linesOf(source)
      .map(([tag, value]) => [tag, singleLine(value)] as const)
      .filter(([, value]) => value !== '')
      .map(([tag, value]) => `${tag}  - ${value}\r\n`);
    return `${lines.join('')}ER  - \r\n\r\n`;
  },
  tail: () => '',
};
