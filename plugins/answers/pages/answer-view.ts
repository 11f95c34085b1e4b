/** Builds the view of an answer for its page from the stored answer and the current state of its sources. */
import { type Static, Type } from 'typebox';
import {
  DIRECTION_CODES,
  DIRECTION_WORDS,
  dayInWords,
  designOf,
  LinkView,
  OptionalTier,
  peopleOf,
  SourceView,
  tierView,
  toSourceView,
} from '#plugins/evidence/index.ts';
import { pairToDo, SEVERITIES, SEVERITY_WORDS, type Severity } from '#plugins/interactions/index.ts';
import type { Answer, Citation } from '../schemas.ts';
import type { StoredAnswer } from '../store.ts';
import type { SourceStates } from '../today.ts';
import { BlockView, blocksOf, plainText } from './blocks.ts';

const CitedView = Type.Object({
  n: Type.Integer(),
  title: Type.String(),
  href: Type.String(),
  year: Type.String(),
  tier: OptionalTier,
  stance: Type.Object({ code: Type.String(), word: Type.String() }),
  quote: Type.String(),
  /** Author of the quoted words. */
  quoteFrom: Type.String(),
  retracted: Type.Boolean(),
  notice: Type.String(),
  /** The source in its current state; null when it is no longer in the base. */
  source: Type.Union([SourceView, Type.Null()]),
});

const FindingView = Type.Object({
  title: Type.String(),
  severity: Type.Object({ code: Type.String({ enum: [...SEVERITIES] }), word: Type.String() }),
  toDo: Type.String(),
  effect: Type.String(),
  recommendation: Type.String(),
  timing: Type.String(),
  href: Type.String(),
});

export const AnswerView = Type.Object({
  answerId: Type.String(),
  question: Type.String(),
  askedOn: Type.String(),
  status: Type.String(),
  heading: Type.String(),
  confidence: Type.String(),
  summary: Type.String(),
  emergency: Type.String(),
  refusal: Type.String(),
  pages: Type.Array(LinkView),
  warnings: Type.Array(Type.String()),
  interactions: Type.Array(FindingView),
  /** Pairs that were checked without a record, in words. */
  noRecord: Type.Array(Type.String()),
  sources: Type.Array(CitedView),
  retractedRefs: Type.Array(Type.Integer()),
  blocks: Type.Array(BlockView),
  balance: Type.Array(Type.Object({ word: Type.String(), count: Type.Integer() })),
  /** Number of counted sources whose direction a program read and not an editor. */
  readByProgram: Type.Integer(),
  wouldAnswer: Type.String(),
  followUps: Type.Array(LinkView),
  disclaimer: Type.String(),
  disclaimerHref: Type.String(),
  madeBy: Type.String(),
  indexVersion: Type.String(),
});
export type AnswerView = Static<typeof AnswerView>;

const HEADINGS: Readonly<Record<Answer['status'], string>> = {
  answered: 'Answer',
  insufficient_evidence: 'Not enough evidence for an answer',
  refused: 'Why this is not answered here',
};

export const CONFIDENCE_WORDS: Readonly<Record<Answer['confidence'], string>> = {
  high: 'high',
  moderate: 'moderate',
  low: 'low',
  very_low: 'very low',
};

const STANCE_WORDS: Readonly<Record<Citation['stance'], string>> = {
  supports: 'Speaks for it',
  contradicts: 'Speaks against it',
  context: 'Context',
};

/** "No effect" is not harm: a known direction is shown instead of "against". */
const FOUND_WORDS: Readonly<Record<string, string>> = {
  null: 'Found no effect or difference',
  negative: 'Found harm or a worse result',
};
const stanceWord = ({ stance, direction = 'unclear' }: Citation): string =>
  (stance === 'context' ? undefined : FOUND_WORDS[direction]) ?? STANCE_WORDS[stance];

const QUOTED_FROM: Readonly<Record<Citation['quote_from'], string>> = {
  abstract: 'Quoted from the abstract',
  summary: 'From our summary of the source',
  title: 'Its title',
};

const NOTICES: Readonly<Record<string, string>> = {
  retracted: 'Retracted',
  concern: 'Expression of concern',
  corrected: 'Corrected since',
};

const citedView = (citation: Citation, states: SourceStates): Static<typeof CitedView> => {
  const row = states.get(citation.source_id);
  const { n, title, url, year, stance, quote, quote_from, quality_tier, retraction_status } = citation;
  return {
    n,
    title: /[.?!]$/.test(title) ? title : `${title}.`,
    href: url,
    year: year ? `${year}` : 'year not known',
    tier: tierView(quality_tier),
    stance: { code: stance, word: stanceWord(citation) },
    quote: quote_from === 'title' ? '' : quote,
    quoteFrom: QUOTED_FROM[quote_from],
    retracted: retraction_status === 'retracted',
    notice: NOTICES[retraction_status] ?? '',
    source: row ? toSourceView(row) : null,
  };
};

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const findingsOf = ({ interactions }: Answer): Static<typeof FindingView>[] =>
  interactions
    .flatMap((item) => {
      if (!item.found) return [];
      const severity = item.severity as Severity;
      return [
        {
          title: `${capital(item.supplement.name)} with ${item.drug.name}`,
          severity: { code: severity, word: SEVERITY_WORDS[severity] },
          toDo: pairToDo(severity, item.action as Parameters<typeof pairToDo>[1]),
          effect: item.effect,
          recommendation: item.recommendation,
          timing: item.timing?.note ?? '',
          href: item.url,
        },
      ];
    })
    .toSorted((a, b) => SEVERITIES.indexOf(a.severity.code) - SEVERITIES.indexOf(b.severity.code));

const noRecordOf = ({ interactions }: Answer): string[] =>
  interactions.flatMap((item) => {
    if (item.found || !item.checked) return [];
    const { supplement, drug } = item.resolved;
    const names = supplement && drug ? `${capital(supplement.name)} with ${drug.name}: ` : '';
    return [`${names}${item.message}`];
  });

/** Builds a link that fills the question box; the reader submits it. */
const followUpHref = (question: string, about: string): string =>
  `/chat?${new URLSearchParams({ ...(about && { about }), seed: question })}`;

const balanceOf = ({ evidence_balance }: Answer): AnswerView['balance'] => {
  const all = DIRECTION_CODES.map((code) => ({ word: DIRECTION_WORDS[code], count: evidence_balance[code] }));
  return all.some(({ count }) => count)
    ? all.filter(({ word, count }) => count || word !== DIRECTION_WORDS.unclear)
    : [];
};

/** Returns the summary, or an empty string when the first claim says the same. */
const summaryOf = ({ summary, claims }: Answer): string =>
  plainText(claims[0]?.text ?? '') === plainText(summary) ? '' : summary;

/**
 * Builds the view of an answer.
 * @param stored with current retraction states, see today.ts.
 */
export const answerView = ({ answer, request }: StoredAnswer, states: SourceStates): AnswerView => {
  const weightOf = (sourceId: string) => {
    const row = states.get(sourceId);
    return row ? { design: designOf(row), people: peopleOf(row), population: row.population } : null;
  };
  const { refusal } = answer;
  return {
    answerId: answer.answer_id,
    question: answer.question,
    askedOn: dayInWords(answer.created_at),
    status: answer.status,
    heading: HEADINGS[answer.status],
    // Without sources there is no confidence to state: an interaction has a grade of its own.
    confidence: answer.status === 'answered' && answer.citations.length ? CONFIDENCE_WORDS[answer.confidence] : '',
    summary: summaryOf(answer),
    emergency: refusal?.emergency ?? '',
    refusal: refusal?.reason ?? '',
    pages: (refusal?.pages ?? []).map(({ title, url }) => ({ name: title, href: url })),
    warnings: answer.warnings.map(({ message }) => message),
    interactions: findingsOf(answer),
    noRecord: noRecordOf(answer),
    sources: answer.citations.map((citation) => citedView(citation, states)),
    retractedRefs: answer.citations.filter((c) => c.retraction_status === 'retracted').map(({ n }) => n),
    blocks: refusal ? [] : blocksOf(answer, weightOf),
    balance: balanceOf(answer),
    readByProgram: answer.evidence_balance.by_program,
    wouldAnswer: answer.what_would_answer,
    followUps: answer.follow_ups.map((name) => ({ name, href: followUpHref(name, request.supplement ?? '') })),
    disclaimer: answer.disclaimer,
    disclaimerHref: answer.disclaimer_url,
    madeBy: answer.model === 'extractive' ? '' : answer.model,
    indexVersion: answer.index_version,
  };
};
