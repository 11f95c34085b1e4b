/** Retrieves sources for a question and filters out those that are about something else. */
import { Permission } from '#core/models/permission.ts';
import type { EvidenceServices, SourceRow } from '#plugins/evidence/index.ts';
import { type Fit, fitRules, textOf } from './fit.ts';
import { givesInstructions } from './instructions.ts';
import type { NameBook } from './names-in-text.ts';
import type { AskRequest } from './port.ts';
import { comparesNamed, type Question } from './question.ts';

/** A retrieved source, and how well it matches the question. */
export interface Candidate {
  readonly row: SourceRow;
  /** Fused rank score as a share of the best one, 0 to 1. */
  readonly relevance: number;
  /** Share of the weight of the remaining words (without names and question words) that the source contains, 0 to 1. */
  readonly coverage: number;
}

export interface Found {
  /** Sources that fit the question, best first. */
  readonly fitting: readonly Candidate[];
  /** Sources about a supplement of the question, whatever else was asked. */
  readonly aboutSubject: readonly Candidate[];
  /** True when no source covers the remaining words of the question, only its supplement and outcome. */
  readonly partly: boolean;
  /** Coverage of the whole question by the best source, 0 to 1. */
  readonly coverage: number;
  /** Number of sources that were left out because they contain instructions for programs. */
  readonly setAside: number;
}

const WIDE = 60;
const NARROW = 30;
const RRF_K = 30;
/** Bonus that ranks sources on two supplements before sources on one of them, when the question asks about both. */
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

/**
 * Returns whether the question is about a combination, such as "Magnesium and zinc together?". A source on one of them says
 * nothing about both.
 */
export const asksForBoth = (question: Question): boolean =>
  question.supplements.length + question.substances.length > 1 &&
  !question.topics.length &&
  !question.medicines.length &&
  question.asks.has('combination') &&
  !comparesNamed(question);

/** Merges ranked lists by reciprocal rank fusion and leaves out retracted sources. */
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
  /** Searches only within the verticals of the supplement and outcome: one search instead of three. */
  readonly inVerticals?: boolean;
}

/**
 * Returns whether a source has neither an abstract nor a summary, so that it has no sentence to quote. A title may promise
 * more than the paper found.
 */
const hasNoText = (row: SourceRow): boolean =>
  row.abstract === '' && row.summary === '' && row.sourceClass !== 'clinical_trial';

/** Returns whether the question excludes a supplement of the source. */
const isLeftOut = ({ excluded }: Question, row: SourceRow): boolean =>
  excluded.some(({ slug }) => row.supplements.includes(slug));

/** Searches widely, merges by rank, then drops sources about something else. Never returns retracted sources. */
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
