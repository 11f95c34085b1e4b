import { abstractOrSummary, addressOf, type SourceRow } from '../source-view.ts';
import { type AuthorName, authorNames, dotted } from './author-names.ts';
import type { BibliographicFormat } from './bibliographic-format.ts';
import { bibtexKey } from './bibtex-key.ts';
import { kindOf, pageRange, singleLine, singleLines, statusNote } from './citation-parts.ts';

const commands: Readonly<Record<string, string>> = {
  '\\': '\\textbackslash{}',
  '~': '\\textasciitilde{}',
  '^': '\\textasciicircum{}',
};
const braceCommands: Readonly<Record<string, string>> = { '{': '\\textbraceleft{}', '}': '\\textbraceright{}' };

const isBalanced = (text: string): boolean => {
  let open = 0;
  for (const character of text) {
    if (character === '{') open += 1;
    if (character === '}') open -= 1;
    if (open < 0) return false;
  }
  return open === 0;
};

/**
 * Escapes text for LaTeX and leaves Unicode unchanged. BibTeX counts even escaped braces, so unbalanced ones are replaced by
 * commands.
 */
const escaped = (text: string): string => {
  const line = singleLine(text);
  const special = isBalanced(line) ? commands : { ...commands, ...braceCommands };
  return line.replace(/[\\{}#$%&_~^]/g, (sign) => special[sign] ?? `\\${sign}`);
};

/** Formats identifiers and URLs, which are read verbatim: only characters that would break the entry are percent-encoded. */
const verbatim = (text: string): string => singleLine(text).replace(/[{}\\ ]/g, encodeURIComponent);

const nameOf = ({ family, initials, suffix }: AuthorName): string =>
  initials.length === 0
    ? `{${escaped(family)}}`
    : [family, suffix, dotted(initials)]
        .filter((part) => part !== '')
        .map(escaped)
        .join(', ');

const pagesOf = (pages: string): string => {
  const { first, last } = pageRange(pages);
  return escaped(last === '' ? first : `${first}-${last}`).replace(/(\d)-(?=[a-z]*\d)/gi, '$1--');
};

const titleOf = (title: string): string => {
  const text = escaped(title);
  return text === '' ? '' : `{${text}}`;
};

const fieldsOf = (source: SourceRow, type: string): Readonly<Record<string, string>> => ({
  author: authorNames(source.authors).map(nameOf).join(' and '),
  title: titleOf(source.title),
  [type === 'article' ? 'journal' : 'howpublished']: escaped(source.journal),
  year: String(source.year ?? ''),
  volume: escaped(source.volume),
  number: escaped(source.issue),
  pages: pagesOf(source.pages),
  doi: verbatim(source.doi),
  pmid: verbatim(source.pmid),
  pmcid: verbatim(source.pmcid),
  nctid: verbatim(source.nctId),
  url: verbatim(addressOf(source)),
  abstract: escaped(abstractOrSummary(source)),
  keywords: [`tier ${source.qualityTier}`, ...singleLines(source.verticals)].map(escaped).join('; '),
  note: statusNote(source),
});

/** BibTeX in UTF-8: articles, and `misc` for trials and guidelines; fields without a value are omitted. */
export const bibtex: BibliographicFormat = {
  name: 'bibtex',
  mediaType: 'application/x-bibtex',
  extension: 'bib',
  // Text outside an entry is a comment, except for the character @, which begins an entry.
  head: ({ indexVersion }) => `% index_version: ${singleLine(indexVersion).replaceAll('@', '')}\n\n`,
  row: (source) => {
    const type = kindOf(source) === 'article' ? 'article' : 'misc';
    const fields = Object.entries(fieldsOf(source, type)).filter(([, value]) => value !== '');
    return `@${type}{${bibtexKey(source)},\n${fields.map(([name, value]) => `  ${name} = {${value}}`).join(',\n')}\n}\n\n`;
  },
  tail: () => '',
};
