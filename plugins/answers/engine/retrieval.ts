/** Finds sources for a question and keeps those that are about what was asked. */
import { Permission } from '#core/models/permission.ts';
import type { EvidenceServices, SourceRow } from '#plugins/evidence/index.ts';
import { type Fit, fitRules, textOf } from './fit.ts';
import { givesInstructions } from './instructions.ts';
import type { NameBook } from './names-in-text.ts';
import type { AskRequest } from './port.ts';
import { comparesNamed, type Question } from './question.ts';

/** A source that was found, and how well it fits the question. */
export interface Candidate {
  readonly row: SourceRow;
  /** Share of the best fused rank, 0 to 1. */
  readonly relevance: number;
  /** Share of the weight of the question's own words (names and asking words apart) that it holds, 0 to 1. */
  readonly coverage: number;
}

export interface Found {
  /** Fit the question, best first. */
  readonly fitting: readonly Candidate[];
  /** About a supplement that was asked about, whatever else was asked. */
  readonly aboutSubject: readonly Candidate[];
  /** None speaks of the question's own words, only of its supplement and outcome. */
  readonly partly: boolean;
  /** Of the whole question by the best source, 0 to 1. */
  readonly coverage: number;
  /** Sources that talk to programs, left out. */
  readonly setAside: number;
}

const WIDE = 60;
const NARROW = 30;
const RRF_K = 30;
/** What puts sources on two supplements before those on one of them, where both were asked about. */
const TOGETHER_BONUS = 0.5;
const queriesFor = (question: Question, request: AskRequest) => {
  const { supplements, topics, searchText: text } = question;
  const verticals = [
    ...(request.vertical ? [request.vertical] : []),
    ...supplements.flatMap(({ slug }) => topics.map((topic) => `${slug}-${topic.slug}`)),
  ];
  const names = [...supplements, ...question.substances].map(({ name }) => name).join(' ');
  const filters = {
    ...(request.source_class ? { sourceClass: request.source_class } : {}),
    ...(request.min_quality_tier ? { minTier: request.min_quality_tier } : {}),
    permission: Permission.ofPerson(request.model_consent),
  };
  return [
    { text, limit: WIDE, ...filters },
    ...(verticals.length ? [{ text, verticals: verticals.slice(0, 40), limit: NARROW, ...filters }] : []),
    ...(names ? [{ text: `${names} ${question.rest}`.slice(0, 500), limit: WIDE, ...filters }] : []),
  ];
};

/** "Magnesium and zinc together?": what is about one of them only says nothing on both. */
export const asksForBoth = (question: Question): boolean =>
  question.supplements.length + question.substances.length > 1 &&
  !question.topics.length &&
  !question.medicines.length &&
  question.asks.has('combination') &&
  !comparesNamed(question);

/** Sources by how early the lists have them (reciprocal ranks), retracted ones left out. */
const mergeLists = (lists: readonly (readonly SourceRow[])[]): { row: SourceRow; relevance: number }[] => {
  const rows = new Map<string, SourceRow>();
  const scores = new Map<string, number>();
  for (const list of lists)
    list.forEach((row, at) => {
      if (row.retractionStatus === 'retracted') return;
      rows.set(row.sourceId, row);
      scores.set(row.sourceId, (scores.get(row.sourceId) ?? 0) + 1 / (RRF_K + at));
    });
  const best = Math.max(...scores.values(), 1e-9);
  return [...rows.values()]
    .map((row) => ({ row, relevance: (scores.get(row.sourceId) ?? 0) / best }))
    .sort((a, b) => b.relevance - a.relevance || (a.row.sourceId < b.row.sourceId ? -1 : 1));
};

interface Base {
  readonly evidence: EvidenceServices;
  readonly book: NameBook;
  /** Only in what is filed under the question's supplement and outcome: one search instead of three. */
  readonly inVerticals?: boolean;
}

/** Without an abstract or a summary there is no sentence to quote; a title may promise more than the paper found. */
const hasNoText = (row: SourceRow): boolean =>
  row.abstract === '' && row.summary === '' && row.sourceClass !== 'clinical_trial';

/** Whether the question wants nothing of what a source is mainly about. */
const isLeftOut = ({ excluded }: Question, row: SourceRow): boolean =>
  excluded.some(({ slug }) => row.supplements.includes(slug));

/** Searches widely, merges by rank, then drops what is about something else. Retracted sources never come back. */
export const retrieve = async (
  { evidence, book, inVerticals = false }: Base,
  question: Question,
  request: AskRequest,
): Promise<Found> => {
  const answers = await Promise.all(
    queriesFor(question, request)
      .filter((query) => !inVerticals || 'verticals' in query)
      .map((query) => evidence.search(query)),
  );
  const merged = mergeLists(answers.map(({ rows }) => rows));
  const rules = fitRules(question, book, evidence.index);
  const clean = merged.filter(({ row }) => !hasNoText(row) && !givesInstructions(textOf(row)));
  const { limits } = question;
  const honest = clean.filter(
    ({ row }) =>
      !limits.unknown.length &&
      !isLeftOut(question, row) &&
      (!limits.subject || rules.isAbout(row, new Set([limits.subject]))) &&
      (!limits.vertical || row.verticals.includes(limits.vertical)),
  );
  const subjects = [...question.supplements, ...question.substances].map(({ slug }) => slug);
  const isAboutAll = (row: SourceRow): boolean => subjects.every((slug) => rules.isAbout(row, new Set([slug])));
  const together = subjects.length > 1 && question.asks.has('combination');
  const candidates = honest.map(({ row, relevance }) => ({
    row,
    relevance: together && isAboutAll(row) ? relevance + TOGETHER_BONUS : relevance,
    coverage: rules.coverage(row),
  }));
  const wanted = asksForBoth(question) ? isAboutAll : (row: SourceRow) => rules.isAbout(row, new Set(subjects));
  const aboutSubject = subjects.length ? candidates.filter(({ row }) => wanted(row)) : [];
  const judged = (subjects.length ? aboutSubject : candidates).map((candidate) => ({
    candidate,
    fit: rules.fit(candidate.row),
  }));
  const of = (fit: Fit): Candidate[] => judged.flatMap((one) => (one.fit === fit ? [one.candidate] : []));
  const fully = of('fully');
  return {
    fitting: fully.length ? fully : of('partly'),
    partly: fully.length === 0,
    aboutSubject,
    coverage: Math.max(0, ...honest.slice(0, 10).map(({ row }) => rules.coverageOfAll(row))),
    setAside: merged.length - clean.length,
  };
};
