import { UnreadableInput } from '#core/import/unreadable-input.ts';
import { at, childrenOf, parseElement, rawText, type XmlElement } from '#core/import/xml-tree.ts';
import type { ImportEvent } from '../source-record.ts';
import { problem, recordEvent } from './events.ts';
import { fileImporter, readTextFile } from './file-importer.ts';
import { pmidOf } from './identifiers.ts';
import { noticesOf } from './pubmed-fields.ts';
import { articleRecord, bookRecord } from './pubmed-record.ts';
import { rootNamed, xmlRecords } from './xml-records.ts';

const recordNames = ['PubmedArticle', 'PubmedBookArticle', 'DeleteCitation', 'DeleteDocument'];

// Skipped elements: the references of an article have ids of their own and make up most of its bytes.
const skipped = new Set(['ReferenceList', 'History', 'Affiliation', 'AffiliationInfo']);

function* deletions(element: XmlElement, place: string): Generator<ImportEvent> {
  for (const child of childrenOf(element, 'PMID')) {
    const pmid = pmidOf(rawText(child));
    yield pmid === '' ? problem(place, 'withdraws something that is no PMID') : { type: 'deletion', at: place, pmid };
  }
}

function* articleEvents(element: XmlElement, place: string): Generator<ImportEvent> {
  yield recordEvent(place, articleRecord(element));
  for (const notice of noticesOf(at(element, 'MedlineCitation') ?? element)) {
    const pmid = pmidOf(notice.pmid);
    if (pmid !== '') yield { type: 'retraction', at: place, pmid, doi: '', status: notice.status, reason: '' };
  }
}

const eventsOf = (element: XmlElement, place: string): Iterable<ImportEvent> => {
  if (element.name.startsWith('Delete')) return deletions(element, place);
  return element.name === 'PubmedBookArticle'
    ? [recordEvent(place, bookRecord(element))]
    : articleEvents(element, place);
};

const whyNot = (error: unknown, xml: string): string => {
  const pmid = /<PMID[^<>]*>\s*(\d{1,9})\s*</.exec(xml)?.[1];
  const reason = error instanceof Error ? error.message.replace(/\.$/, '') : String(error);
  return `${pmid === undefined ? '' : `(PMID ${pmid}) `}is malformed XML and was left out: ${reason}`;
};

const expectedRoots = /(?:^|:)(?:Pubmed\w*|DeleteCitation|DeleteDocument)$/;

/** Yields the events of PubMed XML in chunks of any size; `name` is the readable name of the file. */
export async function* readPubmedXml(chunks: AsyncIterable<string>, name: string): AsyncGenerator<ImportEvent> {
  const records = xmlRecords(chunks, recordNames);
  let number = 0;
  for await (const piece of records.pieces) {
    number += 1;
    const place = `${name} › record ${number}`;
    if (piece.type === 'broken') {
      yield problem(place, piece.reason);
      continue;
    }
    try {
      yield* eventsOf(parseElement(piece.xml, skipped), place);
    } catch (error) {
      yield problem(place, whyNot(error, piece.xml));
    }
  }
  if (number === 0 && !expectedRoots.test(records.root())) {
    throw new UnreadableInput(`holds ${rootNamed(records)}, not PubMed XML`);
  }
}

/** Imports PubMed's XML: efetch responses, the annual baseline and the daily update files. */
export const pubmed = fileImporter({
  kind: 'pubmed',
  summary: 'PubMed XML (efetch, baseline, update files; .xml or .xml.gz; a file or a folder)',
  wanted: /\.xml(?:\.gz)?$/i,
  read: readTextFile('xml', 'PubMed XML', readPubmedXml),
});
