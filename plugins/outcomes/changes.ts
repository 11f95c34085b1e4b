/** Writes changes of grades to the change log and reads them back as history. */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Change } from '#core/db/change-log.ts';
import type { VerticalKey } from './claims.ts';
import type { Graded } from './grading/grade-outcome.ts';
import type { Magnitude } from './grading/magnitude.ts';
import { type OutcomeSource, stands } from './grading/source.ts';

/** A regraded question: its stored grade, the new grade, and possible causes of a difference. */
export interface Turn {
  readonly key: VerticalKey;
  readonly before: {
    readonly certainty: string;
    readonly direction: string;
    readonly magnitude: Magnitude;
    readonly methodVersion: string;
    readonly digest: string;
    readonly claimsDigest: string;
    readonly firstGradedAt: Date;
    readonly gradedAt: Date;
  } | null;
  /** Null when no source is filed under the question any more. */
  readonly after: Graded | null;
  /** Digests of the claims and findings on the question. */
  readonly findings: { readonly before: string; readonly after: string };
  /** Ids of the sources that were valid when the stored grade was made. */
  readonly had: readonly string[];
  readonly sources: readonly OutcomeSource[];
}

const NAMED = 20;
const counted = (n: number, one: string, many = `${one}s`): string => `${n} ${n === 1 ? one : many}`;

const causesOf = ({ before, after, findings, had, sources }: Turn) => {
  const ids = new Set(had);
  const here = new Set(sources.map(({ sourceId }) => sourceId));
  const retracted = sources.filter(({ sourceId, retractionStatus: s }) => s === 'retracted' && ids.has(sourceId));
  const added = sources.filter((source) => stands(source) && !ids.has(source.sourceId));
  const left = had.filter((id) => !here.has(id));
  const words = [
    ...(before && after && before.methodVersion !== after.method_version
      ? [`The method changed from ${before.methodVersion} to ${after.method_version}.`]
      : []),
    ...(retracted.length
      ? [`Retracted: ${retracted.map(({ title }) => `“${title.replace(/\.$/, '')}”`).join(', ')}.`]
      : []),
    ...(added.length ? [`${counted(added.length, 'source was', 'sources were')} added.`] : []),
    ...(left.length ? [`${counted(left.length, 'source is', 'sources are')} no longer filed here.`] : []),
    ...(findings.before !== findings.after
      ? ['Its findings, or what the entry of the supplement says on it, changed.']
      : []),
  ];
  const changed = [...retracted.map(({ sourceId }) => sourceId), ...added.map(({ sourceId }) => sourceId), ...left];
  return { words: words.join(' ') || 'What is known of its sources changed.', sources: changed.slice(0, NAMED) };
};

interface GradeInBrief {
  readonly certainty: string;
  readonly direction: string;
  readonly magnitude: string;
}

const brief = (grade: { certainty: string; direction: string; magnitude: Magnitude } | null): GradeInBrief | null =>
  grade && { certainty: grade.certainty, direction: grade.direction, magnitude: grade.magnitude.level };

/** Returns the change for the log if certainty, direction or magnitude differ. A first grade is not a change. */
export const changeOf = (turn: Turn): Change[] => {
  const [old, now] = [brief(turn.before), brief(turn.after)];
  if (!old || JSON.stringify(old) === JSON.stringify(now)) return [];
  const { words, sources } = causesOf(turn);
  const { vertical, supplement, topic } = turn.key;
  const data = { supplement_slug: supplement, topic_slug: topic, old, new: now, reason: words, sources };
  return [
    {
      kind: 'outcome.grade_changed',
      subjectType: 'outcome',
      subjectId: vertical,
      data: { ...data, method_version: turn.after?.method_version ?? turn.before?.methodVersion },
    },
  ];
};

export interface GradeChange {
  readonly vertical: string;
  readonly supplement_slug: string;
  readonly topic_slug: string;
  /** RFC 3339 time. */
  readonly at: string;
  readonly old: GradeInBrief;
  /** Null when the corpus no longer has any source on the question. */
  readonly new: GradeInBrief | null;
  readonly reason: string;
  readonly sources: readonly string[];
  readonly method_version: string;
}

const HISTORY = `select subject_id as vertical,
  to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at, data
  from change_log where kind = 'outcome.grade_changed' and subject_type = 'outcome' and`;

const toChange = ({
  vertical,
  at,
  data,
}: {
  vertical: string;
  at: string;
  data: Omit<GradeChange, 'vertical' | 'at'>;
}) => ({
  vertical,
  supplement_slug: data.supplement_slug,
  topic_slug: data.topic_slug,
  at,
  old: data.old,
  new: data.new,
  reason: data.reason,
  sources: data.sources,
  method_version: data.method_version,
});

/** Returns the changes of one question, newest first. */
export const historyOfVertical = async (em: EntityManager, vertical: string, limit: number): Promise<GradeChange[]> =>
  (
    (await em.execute(`${HISTORY} subject_id = ? order by id desc limit ?`, [
      vertical,
      limit,
    ])) as unknown as Parameters<typeof toChange>[0][]
  ).map(toChange);

/** Returns the changes of all questions on a supplement, newest first. */
export const historyOfSupplement = async (em: EntityManager, slug: string, limit: number): Promise<GradeChange[]> =>
  (
    (await em.execute(`${HISTORY} data->>'supplement_slug' = ? order by id desc limit ?`, [
      slug,
      limit,
    ])) as unknown as Parameters<typeof toChange>[0][]
  ).map(toChange);
