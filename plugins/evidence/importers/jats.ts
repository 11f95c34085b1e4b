import { bytesOf, type InputFile } from '#core/import/input-files.ts';
import { reasonOf, UnreadableInput } from '#core/import/unreadable-input.ts';
import { at, childrenOf, parseElement, type XmlElement } from '#core/import/xml-tree.ts';
import type { ImportEvent, RetractionStatus } from '../source-record.ts';
import { problem, recordEvent } from './events.ts';
import { fileImporter, readText } from './file-importer.ts';
import { doiOf, pmidOf } from './identifiers.ts';
import { articleRecord } from './jats-record.ts';
import { notProse } from './jats-text.ts';
import { isTar, tarMembers } from './tar-members.ts';
import { rootNamed, xmlRecords } from './xml-records.ts';

const archiveFile = /\.(?:tar|tar\.gz|tgz)$/i;

const statusByNotice: Readonly<Record<string, RetractionStatus>> = {
  'retracted-article': 'retracted',
  'object-of-concern': 'concern',
  'corrected-article': 'corrected',
};

/**
 * Yields a retraction event for each article that a notice retracts, expresses concern about or corrects, when the notice links
 * it by PMID or DOI.
 */
function* noticeEvents(article: XmlElement, place: string): Generator<ImportEvent> {
  for (const link of childrenOf(at(article, 'front', 'article-meta'), 'related-article')) {
    const { href = '', 'related-article-type': type = '', 'ext-link-type': scheme = '' } = link.attributes;
    const status = statusByNotice[type];
    const doi = doiOf(href);
    const pmid = /^(?:pubmed|pmid)$/.test(scheme) ? pmidOf(href) : '';
    if (status !== undefined && (doi !== '' || pmid !== ''))
      yield { type: 'retraction', at: place, pmid, doi, status, reason: '' };
  }
}

function* articleEvents(xml: string, place: string): Generator<ImportEvent> {
  try {
    const article = parseElement(xml, notProse);
    yield recordEvent(place, articleRecord(article));
    yield* noticeEvents(article, place);
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/\.$/, '') : String(error);
    yield problem(place, `is malformed XML and was left out: ${reason}`);
  }
}

async function* readArticles(chunks: AsyncIterable<string>, name: string): AsyncGenerator<ImportEvent> {
  const records = xmlRecords(chunks, ['article']);
  let number = 0;
  for await (const piece of records.pieces) {
    number += 1;
    // A file with one article needs no number; efetch responses contain many articles.
    const place = /(?:^|:)article$/.test(records.root()) ? name : `${name} › article ${number}`;
    if (piece.type === 'broken') yield problem(place, piece.reason);
    else yield* articleEvents(piece.xml, place);
  }
  if (number === 0) throw new UnreadableInput(`holds ${rootNamed(records)}, not a JATS article`);
}

const readXml = (bytes: AsyncIterable<Uint8Array>, name: string): AsyncIterable<ImportEvent> =>
  readText(bytes, name, { format: 'xml', wanted: 'a JATS article', parse: (chunks) => readArticles(chunks, name) });

async function* readArchive(
  bytes: AsyncIterable<Uint8Array>,
  name: string,
  signal: AbortSignal,
): AsyncGenerator<ImportEvent> {
  let count = 0;
  for await (const member of tarMembers(bytes, /\.n?xml$/i)) {
    signal.throwIfAborted();
    count += 1;
    const place = `${name} › ${member.name}`;
    try {
      yield* readXml(member.bytes, place);
    } catch (error) {
      signal.throwIfAborted();
      yield problem(place, reasonOf(error));
    }
  }
  if (count === 0) throw new UnreadableInput('is an archive without an .xml or .nxml file');
}

async function* readFile(file: InputFile, signal: AbortSignal): AsyncGenerator<ImportEvent> {
  const bytes = bytesOf(file, signal)[Symbol.asyncIterator]();
  const first = await bytes.next();
  const head = first.done ? new Uint8Array() : first.value;
  async function* all(): AsyncGenerator<Uint8Array> {
    yield head;
    yield* { [Symbol.asyncIterator]: () => bytes };
  }
  if (isTar(head)) yield* readArchive(all(), file.name, signal);
  else if (archiveFile.test(file.name)) throw new UnreadableInput('is named like a tar archive but holds none');
  else yield* readXml(all(), file.name);
}

/** Imports full-text articles in JATS or NLM XML in the format of PubMed Central. */
export const jats = fileImporter({
  kind: 'jats',
  summary: 'JATS full text (.xml, .nxml, a folder of them, or .tar, .tar.gz, .tgz)',
  wanted: /\.(?:n?xml(?:\.gz)?|tar|tar\.gz|tgz)$/i,
  read: readFile,
});
