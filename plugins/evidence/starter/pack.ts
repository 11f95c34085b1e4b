/**
 * Builds the starter corpus: reads the inputs, selects papers about a supplement of the vocabulary, and reads their abstracts.
 */
import type { Grader } from '../corpus.ts';
import { readRecord } from '../grading/reading.ts';
import { readRecordInDetail, readTopics } from '../reading/attach-findings.ts';
import { loadReader } from '../reading/load.ts';
import type { AbstractReader } from '../reading/reading.ts';
import type { PackedReading, SourceRecord, TopicFinding } from '../source-record.ts';
import { type EditorsTables, screened } from './editors-tables.ts';
import { indexWords } from './index-words.ts';
import { readInputs } from './inputs/index.ts';
import { linkVersions } from './link-versions.ts';
import { encodePack } from './pack-format.ts';
import { paperSet, titleKey, withoutDoubles } from './record-dedupe.ts';

/** Result of packing, as numbers of records. */
export interface PackReport {
  read: number;
  papers: number;
  retracted: number;
  suspect: number;
  offTopic: number;
  doubles: number;
  kept: number;
  inPeople: number;
  withoutAbstract: number;
  readonly problems: string[];
}

/** A source that the corpus already contains. A paper with the same title and another identifier is the same paper. */
export interface KnownPaper {
  readonly pmid: string;
  readonly doi: string;
  readonly title: string;
}

export interface PackOptions {
  readonly grader: Grader;
  readonly readBy: string;
  readonly known: readonly KnownPaper[];
  readonly editors: EditorsTables;
  readonly signal: AbortSignal;
  onProgress?(note: string): void;
}

const NOT_A_PAPER = /^(?:retraction notice|retraction of publication|retracted publication|expression of concern)$/i;

/** Removes text and the fields that serve grading only, which the corpus file does not include. */
const bare = ({
  abstract: _a,
  bodyText: _b,
  fundingText: _f,
  enrolment: _e,
  ...fields
}: SourceRecord): SourceRecord => ({
  ...fields,
  abstract: '',
  bodyText: '',
  fundingText: '',
  enrolment: null,
});

/** Merges findings; an editor's finding on a topic overrides the program's. */
const allFindings = (byEditors: readonly TopicFinding[], byProgram: readonly TopicFinding[]): TopicFinding[] => {
  const read = new Set(byEditors.map(({ topic }) => topic));
  return [...byEditors, ...byProgram.filter(({ topic }) => !read.has(topic))];
};

const packRecord = (
  record: SourceRecord,
  { grader, editors }: PackOptions,
  reader: AbstractReader,
): SourceRecord | null => {
  const match = grader.matcher.match(record);
  const { supplements: matched, topics } = match;
  const supplements = screened(matched, editors.screening.get(record.pmid));
  if (!supplements.length) return null;
  const registered = record.nctId !== '' && !record.pmid && !record.doi;
  const reading = readRecord(registered ? { ...record, origin: 'ctgov' } : record);
  const packed: PackedReading = {
    // The phrase is text of the abstract and only serves to read the population.
    reading: { ...reading, size: { ...reading.size, phrase: '' } },
    from: record.abstract ? 'abstract' : 'title',
    supplements,
    topics,
    words: indexWords(record.abstract),
  };
  const findings = allFindings(
    editors.readings.get(record.pmid) ?? [],
    readTopics(record, match, grader.vocabulary, reader),
  );
  const details = readRecordInDetail(record, reading, match, grader.vocabulary, reader);
  const screenedByEditor = editors.screening.has(record.pmid);
  return {
    ...bare(record),
    packed,
    findings,
    ...(details && { details }),
    ...(screenedByEditor && { screened: true }),
  };
};

/** Collects the papers of all inputs and the identifiers of excluded papers. */
const gather = async (paths: readonly string[], { signal, onProgress }: PackOptions, report: PackReport) => {
  const papers = paperSet();
  const excluded = new Map<string, 'retracted' | 'suspect'>();
  const onFile = (path: string): void => onProgress?.(`reading ${path}`);
  for await (const event of readInputs(paths, { signal, onFile })) {
    signal.throwIfAborted();
    if (event.type === 'problem') report.problems.push(`${event.at}: ${event.message}`);
    else if (event.type === 'exclusion') {
      if (event.pmid) excluded.set(`pmid:${event.pmid}`, event.why);
      if (event.doi) excluded.set(`doi:${event.doi}`, event.why);
    } else {
      report.read += 1;
      papers.add(event.record);
    }
  }
  return { papers: papers.papers(), excluded };
};

/**
 * Returns a function that adds the DOI or PMID of a known paper with the same title, so that both are stored as one source. The
 * function returns null when an identifier contradicts that of the known paper.
 */
const identify = (known: readonly KnownPaper[]): ((record: SourceRecord) => SourceRecord | null) => {
  const byTitle = new Map(known.map((paper) => [titleKey(paper.title), paper]));
  return (record) => {
    const same = byTitle.get(titleKey(record.title));
    if (!same || record.nctId) return record;
    if (same.pmid && record.pmid && same.pmid !== record.pmid) return null;
    if (same.doi && record.doi && same.doi !== record.doi) return null;
    return { ...record, pmid: record.pmid || same.pmid, doi: record.doi || same.doi };
  };
};

/** Builds the bytes of a corpus file from the files below the paths. Equal files give equal bytes. */
export const makePack = async (
  paths: readonly string[],
  options: PackOptions,
): Promise<{ bytes: Buffer; report: PackReport }> => {
  const report: PackReport = {
    read: 0,
    papers: 0,
    retracted: 0,
    suspect: 0,
    offTopic: 0,
    doubles: 0,
    kept: 0,
    inPeople: 0,
    withoutAbstract: 0,
    problems: [],
  };
  const { papers, excluded } = await gather(paths, options, report);
  report.papers = papers.length;
  const standing = papers.filter(({ pmid, doi, publicationTypes, retractionStatus }) => {
    const why = excluded.get(`pmid:${pmid}`) ?? excluded.get(`doi:${doi}`);
    const retracted = retractionStatus === 'retracted' || publicationTypes.some((type) => NOT_A_PAPER.test(type));
    if (why === 'suspect') report.suspect += 1;
    else if (why || retracted) report.retracted += 1;
    return !why && !retracted;
  });
  const reader = await loadReader();
  const packed = standing.flatMap((paper) => packRecord(paper, options, reader) ?? []);
  report.offTopic = standing.length - packed.length;
  const identified = packed.flatMap((record) => identify(options.known)(record) ?? []);
  const { kept } = withoutDoubles(identified);
  report.doubles = packed.length - kept.length;
  const records = linkVersions(kept);
  report.kept = records.length;
  for (const { packed: told } of records) {
    if (told?.reading.species === 'human') report.inPeople += 1;
    if (told?.from === 'title') report.withoutAbstract += 1;
  }
  options.onProgress?.('compressing');
  return { bytes: await encodePack(records, options.readBy), report };
};
