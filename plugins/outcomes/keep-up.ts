/**
 * Keeps the stored grades up to date with the corpus. Only questions whose sources or findings changed are graded again, in
 * batches of one transaction each. After an interrupted run, the next one repeats its work; equal grades are not written again.
 */
import type { EntityManager } from '@mikro-orm/postgresql';
import { bulkUpsert } from '#core/db/bulk.ts';
import { recordChanges } from '#core/db/change-log.ts';
import type { Database } from '#core/plugin.ts';
import { supplementOf } from '#plugins/findings/index.ts';
import type { Terms } from '#plugins/vocabulary/index.ts';
import { changeOf, type Turn } from './changes.ts';
import {
  claimsFor,
  type GradeInput,
  inputDigest,
  outcomeClaims,
  type VerticalKey,
  verticalsCiting,
  verticalsFinding,
} from './claims.ts';
import { OutcomeGradeRow, OutcomeSourceRow } from './entities.ts';
import { gradeOutcome } from './grading/grade-outcome.ts';
import { METHOD_VERSION } from './grading/method.ts';
import { conditionFinder } from './grading/population.ts';
import { refsOf, stands } from './grading/source.ts';
import { readChanged, readCited, readSources, readTouched } from './material.ts';

const LOOK = 1_000;
const BATCH = 40;
/** Name of the fact that stores the corpus revision up to which the grades are current. */
const LEVEL = 'outcomes_revision';

const STATE = `select (select coalesce(max(revision), 0)::float8 from evidence_source) as corpus,
  coalesce((select value from fact where name = '${LEVEL}'), '0') as level`;

/** Returns the newest revision of the corpus and the revision up to which the grades are current. */
export const readLevel = async (em: EntityManager): Promise<{ corpus: number; level: number }> => {
  const [row] = (await em.execute(STATE)) as unknown as [{ corpus: number; level: string }];
  return { corpus: Number(row.corpus), level: Number(row.level) };
};

const setLevel = (em: EntityManager, revision: number): Promise<unknown> =>
  em.execute('insert into fact (name, value) values (?, ?) on conflict (name) do update set value = excluded.value', [
    LEVEL,
    String(revision),
  ]);

type Keys = Map<string, VerticalKey>;

/** Returns the questions under which changed sources are filed, were filed, or are cited. */
const touchedSince = async (
  db: Database,
  from: number,
  input: GradeInput,
): Promise<{ keys: Keys; revision: number }> => {
  const keys: Keys = new Map();
  let revision = from;
  for (;;) {
    const found = await db.read(async (em) => {
      const changed = await readChanged(em, revision, LOOK);
      return {
        changed,
        touched: changed.length
          ? await readTouched(
              em,
              changed.map(({ id }) => id),
            )
          : [],
      };
    });
    const last = found.changed.at(-1);
    if (!last) return { keys, revision };
    const refs = new Set(found.changed.flatMap(refsOf));
    const elsewhere = [...verticalsCiting(refs, input.terms), ...verticalsFinding(refs, input.book)];
    for (const key of [...found.touched, ...elsewhere]) keys.set(key.vertical, key);
    revision = last.revision;
  }
};

/** Returns questions that have findings or were searched for by editors, but have no grade yet. */
const ungraded = ({ terms, book, searched }: GradeInput, graded: ReadonlySet<string>): readonly VerticalKey[] => {
  const found = [...book.byVertical].flatMap(([vertical, [finding]]) =>
    finding ? [{ vertical, supplement: supplementOf(vertical, finding), topic: finding.topic }] : [],
  );
  const looked = [...searched.values()].map(({ vertical, supplement, topic }) => ({ vertical, supplement, topic }));
  return [...found, ...looked].filter(
    ({ vertical, supplement, topic }) =>
      !graded.has(vertical) && terms.supplements.has(supplement) && terms.topics.has(topic),
  );
};

/** Returns questions that were graded with another method version or with different findings. */
const stale = async (em: EntityManager, input: GradeInput): Promise<readonly VerticalKey[]> => {
  const rows = await em.find(
    OutcomeGradeRow,
    {},
    {
      fields: ['vertical', 'supplementSlug', 'topicSlug', 'claimsDigest', 'methodVersion'],
      disableIdentityMap: true,
    },
  );
  const outdated = rows
    .map((row) => ({ vertical: row.vertical, supplement: row.supplementSlug, topic: row.topicSlug, row }))
    .filter(({ row, ...key }) => row.methodVersion !== METHOD_VERSION || row.claimsDigest !== inputDigest(key, input));
  return [...outdated, ...ungraded(input, new Set(rows.map(({ vertical }) => vertical)))];
};

export interface CaughtUp {
  /** Number of questions checked. */
  readonly looked: number;
  /** Number of grades written, because they are new or differ in any figure. */
  readonly written: number;
}

/**
 * Regrades the questions that changed since the last run. `findings` also checks for changed entries of supplements or findings,
 * which costs one more query.
 */
export const catchUpGrades = async (
  db: Database,
  input: GradeInput,
  options: { readonly findings: boolean; readonly signal?: AbortSignal; readonly onBatch?: (done: number) => void },
): Promise<CaughtUp> => {
  const { corpus, level } = await db.read(readLevel);
  // A corpus revision below that of the grades means that the database is an older copy, so grading starts from the beginning.
  const { keys, revision } = await touchedSince(db, corpus < level ? 0 : level, input);
  if (options.findings) for (const key of await db.read((em) => stale(em, input))) keys.set(key.vertical, key);
  const all = [...keys.values()].sort((a, b) => (a.vertical < b.vertical ? -1 : 1));
  let written = 0;
  for (let at = 0; at < all.length; at += BATCH) {
    options.signal?.throwIfAborted();
    written += await db.write((em) => regrade(em, all.slice(at, at + BATCH), input));
    options.onBatch?.(Math.min(all.length, at + BATCH));
  }
  if (revision !== level) await db.write((em) => setLevel(em, revision));
  return { looked: all.length, written };
};

const readStored = async (em: EntityManager, verticals: readonly string[]) => {
  const rows = await em.find(OutcomeGradeRow, { vertical: { $in: [...verticals] } }, { disableIdentityMap: true });
  const sources = await em.find(OutcomeSourceRow, { vertical: { $in: [...verticals] } }, { disableIdentityMap: true });
  return {
    grades: new Map(rows.map((row) => [row.vertical, row])),
    members: Map.groupBy(sources, ({ vertical }) => vertical),
  };
};

/** Regrades some questions in one transaction and returns the number of grades written. */
const regrade = async (em: EntityManager, keys: readonly VerticalKey[], input: GradeInput): Promise<number> => {
  const { terms, book, searched } = input;
  const verticals = keys.map(({ vertical }) => vertical);
  const sources = await readSources(em, verticals);
  const stored = await readStored(em, verticals);
  const findingsOf = (vertical: string) => book.byVertical.get(vertical) ?? [];
  const refs = keys.flatMap((key) => [
    ...claimsFor(key, terms).flatMap((claim) => claim.sources),
    ...findingsOf(key.vertical).map(({ source }) => source),
  ]);
  const cited = await readCited(em, [...new Set(refs)]);
  const retracted = new Set([...cited].flatMap(([ref, one]) => (one.retracted ? [ref] : [])));
  const sourceIds = new Map([...cited].map(([ref, { sourceId }]) => [ref, sourceId]));
  const findCondition = conditionFinder(terms.conditions.values());
  const now = new Date();
  const turns = keys.map((key): Turn => {
    const mine = sources.get(key.vertical) ?? [];
    const findings = findingsOf(key.vertical).filter(({ source }) => !retracted.has(source));
    const claims = outcomeClaims(claimsFor(key, terms), retracted);
    const before = stored.grades.get(key.vertical) ?? null;
    const ownConditions = conditionsAbout(key.topic, terms);
    const { supplement, topic } = key;
    return {
      key,
      before,
      after:
        mine.length || findings.length || searched.has(key.vertical)
          ? gradeOutcome({
              ...{ supplement, topic, findings, sources: mine, claims, findCondition, ownConditions, sourceIds },
              searchedOn: searched.get(key.vertical)?.day ?? '',
            })
          : null,
      findings: { before: before?.claimsDigest ?? '', after: inputDigest(key, input) },
      had: (stored.members.get(key.vertical) ?? []).map(({ sourceId }) => sourceId),
      sources: mine,
    };
  });
  return write(em, turns, now);
};

/** Returns the slugs of the conditions whose pages are about a topic. */
const conditionsAbout = (topic: string, { conditions }: Terms): ReadonlySet<string> =>
  new Set([...conditions.values()].flatMap(({ slug, topics }) => (topics.includes(topic) ? [slug] : [])));

const isDifferent = ({ before, after, findings }: Turn): boolean =>
  before?.digest !== after?.digest || (before !== null && findings.before !== findings.after);

/** Returns whether the valid sources are unchanged. Only valid sources are stored, so a missing one was retracted or removed. */
const sameSources = ({ had, sources }: Turn): boolean => {
  const standing = sources.filter(stands);
  const known = new Set(had);
  return known.size === standing.length && standing.every(({ sourceId }) => known.has(sourceId));
};

const write = async (em: EntityManager, turns: readonly Turn[], now: Date): Promise<number> => {
  const different = turns.filter(isDifferent);
  const gone = different.filter(({ after }) => !after).map(({ key }) => key.vertical);
  if (gone.length) await em.nativeDelete(OutcomeGradeRow, { vertical: { $in: gone } });
  await bulkUpsert(
    em,
    'outcome_grade',
    ['vertical'],
    different.flatMap((turn) => rowOf(turn, now)),
  );
  await writeMembers(
    em,
    turns.filter((turn) => !sameSources(turn)),
  );
  await recordChanges(em, different.flatMap(changeOf));
  return different.length;
};

const rowOf = ({ key, before, after, findings }: Turn, now: Date) =>
  after
    ? [
        {
          vertical: key.vertical,
          supplementSlug: key.supplement,
          topicSlug: key.topic,
          assessed: after.assessed,
          assessments: after.assessments,
          certainty: after.certainty,
          direction: after.direction,
          magnitude: after.magnitude,
          figures: after.figures,
          caps: after.caps,
          reasons: after.reasons,
          methodVersion: after.method_version,
          digest: after.digest,
          claimsDigest: findings.after,
          firstGradedAt: before?.firstGradedAt ?? now,
          gradedAt: before?.digest === after.digest ? before.gradedAt : now,
        },
      ]
    : [];

const writeMembers = async (em: EntityManager, turns: readonly Turn[]): Promise<void> => {
  if (!turns.length) return;
  await em.nativeDelete(OutcomeSourceRow, { vertical: { $in: turns.map(({ key }) => key.vertical) } });
  await bulkUpsert(
    em,
    'outcome_source',
    ['sourceId', 'vertical'],
    turns.flatMap(({ key, sources }) =>
      sources.filter(stands).map(({ sourceId }) => ({ sourceId, vertical: key.vertical })),
    ),
  );
};
