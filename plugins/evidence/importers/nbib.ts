import { UnreadableInput } from '#core/import/unreadable-input.ts';
import { emptyRecord, type ImportEvent, type RetractionStatus, type SourceRecord } from '../source-record.ts';
import { asSentence, cleanList, cleanText, titleSaysRetracted, upTo } from './clean-text.ts';
import { problem, recordEvent } from './events.ts';
import { fileImporter, readTextFile } from './file-importer.ts';
import { doiOf, firstNctId, languageOf, pmcidOf, pmcUrl, pmidOf, yearIn } from './identifiers.ts';
import { gravest } from './pubmed-fields.ts';
import { type TaggedRecord, type TagSyntax, taggedRecords } from './tagged-records.ts';

const syntax: TagSyntax = {
  line: /^([A-Z][A-Z0-9 ]{3})-(?: (.*))?$/,
  begins: 'PMID',
  ends: '',
  blankEnds: true,
  isContinuation: (line) => /^ {4,}\S/.test(line),
};

const statusByTag: readonly (readonly [string, RetractionStatus])[] = [
  ['RIN ', 'retracted'],
  ['RRI ', 'retracted'],
  ['PRIN', 'concern'],
  ['ECI ', 'concern'],
  ['EIN ', 'corrected'],
  ['CRI ', 'corrected'],
];

const doiIn = (record: TaggedRecord): string =>
  record
    .all('LID ', 'AID ', 'SO  ')
    .map((id) => doiOf(/^(\S+) \[doi\]$/.exec(id)?.[1] ?? /\bdoi: (\S+)/i.exec(id)?.[1] ?? ''))
    .find((doi) => doi !== '') ?? '';

/** Returns the text between the first bracket and the last: "0 (Magnesium)" gives "Magnesium". */
const inBrackets = (substance: string): string => {
  const text = substance.trimEnd();
  const from = text.indexOf('(');
  return from >= 0 && text.endsWith(')') ? text.slice(from + 1, -1) : '';
};

/** Returns the descriptors without the asterisk of a main topic and without qualifiers, then the substances. */
const meshOf = (record: TaggedRecord): string[] =>
  cleanList([
    ...record.all('MH  ').map((term) => upTo(term.replace(/^\*/, ''), '/')),
    ...record.all('RN  ').map((substance) => inBrackets(substance)),
  ]);

/**
 * Returns the agency of a grant, "id/acronym/agency/country": the last non-empty part before the country, or the whole text with
 * fewer than three parts.
 */
const agencyOf = (grant: string): string => {
  const parts = grant.split('/').map((part) => part.trim());
  return parts.length < 3 ? grant : (parts.slice(0, -1).findLast((part) => part !== '') ?? '');
};

const fundingOf = (record: TaggedRecord): string => {
  const agencies = cleanList(record.all('GR  ').map(agencyOf));
  const interests = cleanText(record.all('COIS').join(' '));
  return [
    agencies.length === 0 ? '' : `Grants: ${agencies.join('; ')}.`,
    interests === '' ? '' : `Competing interests: ${asSentence(interests)}`,
  ]
    .filter((part) => part !== '')
    .join(' ');
};

const toRecord = (tagged: TaggedRecord): SourceRecord => {
  const title = cleanText(tagged.first('TI  ', 'TT  ', 'BTI '));
  const abstract = cleanText(tagged.first('AB  ', 'OAB '));
  const publicationTypes = cleanList(tagged.all('PT  '));
  const linked = statusByTag.filter(([tag]) => tagged.first(tag) !== '').map(([, status]) => status);
  const retracted = publicationTypes.includes('Retracted Publication') || titleSaysRetracted(title);
  const pmcid = pmcidOf(tagged.first('PMC '));
  return {
    ...emptyRecord('nbib'),
    pmid: pmidOf(tagged.first('PMID')),
    doi: doiIn(tagged),
    pmcid,
    nctId: firstNctId([...tagged.all('SI  '), abstract].join(' ')),
    title,
    abstract,
    authors: cleanList(tagged.all('AU  ', 'CN  ')),
    journal: cleanText(tagged.first('JT  ', 'TA  ', 'BTI ')),
    year: yearIn(tagged.first('DP  ')) ?? yearIn(tagged.first('DEP ')),
    volume: cleanText(tagged.first('VI  ')),
    issue: cleanText(tagged.first('IP  ')),
    pages: cleanText(tagged.first('PG  ')),
    language: languageOf(tagged.first('LA  ')),
    publicationTypes,
    meshTerms: meshOf(tagged),
    keywords: cleanList(tagged.all('OT  ').map((word) => word.replace(/^\*/, ''))),
    fundingText: fundingOf(tagged),
    openAccessUrl: pmcUrl(pmcid),
    retractionStatus: gravest([...linked, retracted ? 'retracted' : 'none']),
  };
};

async function* readNbib(chunks: AsyncIterable<string>, name: string): AsyncGenerator<ImportEvent> {
  let number = 0;
  for await (const piece of taggedRecords(chunks, syntax)) {
    if (piece.type === 'stray') {
      if (number > 0)
        yield problem(`${name} › line ${piece.line}`, 'belongs to no record: a record begins with "PMID- "');
      continue;
    }
    number += 1;
    yield recordEvent(`${name} › record ${number}`, toRecord(piece.record));
  }
  if (number === 0) throw new UnreadableInput('holds no NBIB record: no line begins with "PMID- "');
}

/** Imports PubMed's MEDLINE export. */
export const nbib = fileImporter({
  kind: 'nbib',
  summary: 'PubMed NBIB / MEDLINE export (.nbib, .medline, .txt; a file or a folder)',
  wanted: /\.(?:nbib|medline|txt)(?:\.gz)?$/i,
  read: readTextFile('lines', 'an NBIB export', readNbib),
});
