/** Schema of a supplement's page, and the functions that build its parts from an entry. */
import { type Static, Type } from 'typebox';
import { YearColumnsView } from '#core/render/charts/year-columns.ts';
import {
  byName,
  byStrength,
  CrumbList,
  DirectionView,
  designOf,
  directionView,
  GradeHistory,
  GradeView,
  HistoryView,
  inSentence,
  LinkView,
  OptionalTier,
  RETRACTED_DIRECTION,
  type SourceRow,
  SourceView,
  tierView,
  toSourceView,
} from '#plugins/evidence/index.ts';
import {
  CERTAINTIES,
  CERTAINTY_WORDS,
  gradeView,
  nameOfPopulation,
  type OutcomeGrade,
  peopleInStudies,
  summaryOf,
  toldDirection,
} from '#plugins/outcomes/index.ts';
import {
  LegendView,
  OriginView,
  originOfNote,
  originView,
  type SupplementRow,
  type Terms,
} from '#plugins/vocabulary/index.ts';
import { LEVEL_WORDS } from './catalog-labels.ts';
import type { Numbering } from './citations.ts';
import { DosesView } from './doses-view.ts';
import { IntakeView } from './intake-view.ts';
import { InteractionParts } from './interaction-parts.ts';
import { LegalStatusView } from './legal-status.ts';
import { MarketPart } from './market-part.ts';
import { bestTier, peopleBehind, standing, strongest } from './outcome.ts';
import { SafetyLine, SafetySection } from './safety-section.ts';
import { IdView } from './standard-ids.ts';
import type { TopicCount } from './supplement-data.ts';

const Cites = Type.Array(Type.Integer());

const Finding = Type.Object({
  anchor: Type.String(),
  topic: Type.String(),
  /** Name of the outcome as it is written inside a sentence. */
  topicInSentence: Type.String(),
  /** Address of the question's own page; "" while the database has no source for it. */
  href: Type.String(),
  inBase: Type.Integer(),
  direction: DirectionView,
  statement: Type.String(),
  cites: Cites,
  tier: OptionalTier,
  design: Type.String(),
  people: Type.String(),
  /** Grade over all sources of the outcome; null if there are none. */
  grade: Type.Union([GradeView, Type.Null()]),
  /** Number of sources that are not retracted. */
  sources: Type.Integer(),
  retracted: Type.Integer(),
  list: Type.Array(
    Type.Object({
      n: Type.Integer(),
      source: SourceView,
      /** Link to the earlier finding that shows the summary of this source; null if this finding shows it. */
      above: Type.Union([LinkView, Type.Null()]),
    }),
  ),
});

const Reference = Type.Object({
  n: Type.Integer(),
  /** The id as the entry gives it, for a source that is not in the database. */
  ref: Type.String(),
  source: Type.Union([SourceView, Type.Null()]),
});

const AnswerLine = Type.Object({
  outcome: LinkView,
  population: Type.String(),
  summary: Type.String(),
  direction: DirectionView,
  level: Type.String(),
  word: Type.String(),
  people: Type.String(),
});

export const SupplementView = Type.Object({
  crumbs: CrumbList,
  name: Type.String(),
  nameInSentence: Type.String(),
  latinName: Type.String(),
  category: LinkView,
  traditions: Type.Array(LinkView),
  synonyms: Type.Array(Type.String()),
  /** Biomarkers that laboratories measure for it. */
  biomarkers: Type.Array(LinkView),
  ids: Type.Array(IdView),
  /** Trade names of the ingredient. */
  brandNames: Type.Array(Type.String()),
  partsUsed: Type.Array(Type.String()),
  answer: Type.String(),
  /** Status where a law or an authority bans or restricts it; null for all others. */
  legalStatus: Type.Union([LegalStatusView, Type.Null()]),
  /** The one safety line that is shown above everything else; null if none is entered. */
  firstSafety: Type.Union([SafetyLine, Type.Null()]),
  best: OptionalTier,
  /** One line for each assessed outcome and population, in the groups in which a reader asks; groups without lines are left out. */
  answers: Type.Array(Type.Object({ title: Type.String(), items: Type.Array(AnswerLine) })),
  findings: Type.Array(Finding),
  prose: Type.String(),
  doses: DosesView,
  /** Sources by year and tier; null if there are too few. */
  years: Type.Union([YearColumnsView, Type.Null()]),
  intake: Type.Union([IntakeView, Type.Null()]),
  forms: Type.Array(Type.Object({ name: Type.String(), note: Type.String(), cites: Cites })),
  safety: Type.Array(
    Type.Object({
      level: Type.String(),
      word: Type.String(),
      statement: Type.String(),
      cites: Cites,
      authority: Type.Union([LinkView, Type.Null()]),
      origin: OriginView,
    }),
  ),
  /** The same safety entries and the cautions, as the page prints them. */
  safetySection: SafetySection,
  origins: LegendView,
  interactions: InteractionParts,
  market: Type.Union([MarketPart, Type.Null()]),
  unknown: Type.Array(Type.String()),
  /** Outcomes that have sources, but none in people with results. */
  unmeasured: Type.Array(LinkView),
  uncited: Type.Integer(),
  verticals: Type.Array(
    Type.Object({ name: Type.String(), href: Type.String(), count: Type.Integer(), best: OptionalTier }),
  ),
  history: HistoryView,
  /** Changes of its grades, by outcome. */
  gradeChanges: GradeHistory,
  editedOn: Type.String(),
  reading: Type.Array(LinkView),
  /** Number of studies and reviews in people that the database has on it, for any outcome. */
  inPeople: Type.Integer(),
  /** Sources that the database lists and no editor has read: their number, and the strongest of them. */
  unread: Type.Object({ count: Type.Integer(), sources: Type.Array(SourceView) }),
  references: Type.Array(Reference),
  /** Numbers of the references that were retracted. */
  retractedRefs: Type.Array(Type.Integer()),
});
export type SupplementView = Static<typeof SupplementView>;

export interface Material {
  readonly row: SupplementRow;
  readonly terms: Terms;
  readonly numbering: Numbering;
  readonly find: (ref: string) => SourceRow | null;
  readonly topics: readonly TopicCount[];
  /** Grades by slug of the outcome. */
  readonly grades: ReadonlyMap<string, OutcomeGrade>;
}

const optionalTier = (rows: readonly SourceRow[]) => {
  const tier = bestTier(rows);
  return tier && tierView(tier);
};

/**
 * Returns the direction from the grade of the outcome. The entry's own direction is used only if the outcome was not assessed.
 */
const directionShown = (
  claimed: string,
  grade: OutcomeGrade | undefined,
  isRetracted: boolean,
): { code: string; word: string } => {
  if (isRetracted) return RETRACTED_DIRECTION;
  return directionView(grade?.assessed ? grade.direction : claimed);
};

export const findingsOf = ({ row, terms, numbering, find, topics, grades }: Material): SupplementView['findings'] => {
  const counts = new Map(topics.map(({ topic, n }) => [topic, n]));
  const seen = new Map<string, number>();
  const told = new Map<string, LinkView>();
  return row.entry.evidence.map((claim) => {
    const rows = [...new Set(claim.sources.map(find).filter((source) => source !== null))].sort(byStrength);
    const best = strongest(rows);
    const sound = standing(rows);
    const times = (seen.get(claim.topic) ?? 0) + 1;
    seen.set(claim.topic, times);
    const topic = terms.topics.get(claim.topic)?.name ?? claim.topic;
    const inBase = counts.get(claim.topic) ?? 0;
    const grade = grades.get(claim.topic);
    const anchor = `on-${claim.topic}${times > 1 ? `-${times}` : ''}`;
    const list = rows.map((source) => ({
      n: numbering.of(claim.sources.find((ref) => find(ref) === source) ?? ''),
      source: toSourceView(source),
      above: told.get(source.sourceId) ?? null,
    }));
    for (const { sourceId } of rows) if (!told.has(sourceId)) told.set(sourceId, { name: topic, href: `#${anchor}` });
    return {
      anchor,
      topic,
      topicInSentence: inSentence(topic),
      href: inBase ? `/evidence/${row.slug}-${claim.topic}` : '',
      inBase,
      direction: directionShown(claim.direction, grade, rows.length > 0 && !sound.length),
      statement: claim.statement,
      cites: numbering.all(claim.sources),
      tier: optionalTier(rows),
      design: best ? designOf(best) : '',
      people: sound.length ? peopleBehind(rows) : '',
      grade: grade ? gradeView(grade, terms) : null,
      sources: sound.length,
      retracted: rows.length - sound.length,
      list,
    };
  });
};

/** Returns the outcomes that have sources but no result in people. Readers must not take such a gap for a finding. */
export const unmeasuredOf = ({ row, terms, grades }: Pick<Material, 'row' | 'terms' | 'grades'>): LinkView[] =>
  [...grades.values()]
    .filter(({ figures: { sources, counted, only_listed: listed } }) => sources > 0 && !counted && !listed)
    .flatMap(({ topic_slug: topic }) => {
      const name = terms.topics.get(topic)?.name;
      return name ? [{ name, href: `/evidence/${row.slug}-${topic}` }] : [];
    })
    .sort(byName);

/** Groups of answers by direction, in the order in which a reader asks. */
const ANSWER_GROUPS: readonly { readonly title: string; readonly codes: readonly string[] }[] = [
  { title: 'May help', codes: ['positive'] },
  { title: 'Makes little or no difference', codes: ['null'] },
  { title: 'Was worse or did harm', codes: ['negative'] },
  { title: 'Too uncertain to say', codes: ['mixed', 'unclear'] },
];

/**
 * Returns one line for each assessed outcome and population, in groups by direction, each ordered by certainty (highest first),
 * then by number of people.
 */
export const answersOf = ({
  row,
  terms,
  grades,
}: Pick<Material, 'row' | 'terms' | 'grades'>): SupplementView['answers'] => {
  const items = [...grades.values()]
    .flatMap((grade) => grade.assessments.map((assessment) => ({ grade, assessment })))
    .toSorted(
      (a, b) =>
        CERTAINTIES.indexOf(a.assessment.certainty) - CERTAINTIES.indexOf(b.assessment.certainty) ||
        (b.assessment.people ?? 0) - (a.assessment.people ?? 0) ||
        (a.grade.vertical < b.grade.vertical ? -1 : 1),
    )
    .map(({ grade, assessment }) => ({
      outcome: {
        name: terms.topics.get(grade.topic_slug)?.name ?? grade.topic_slug,
        href: `/evidence/${row.slug}-${grade.topic_slug}`,
      },
      population: nameOfPopulation(assessment.population, terms),
      summary: summaryOf(assessment),
      direction: toldDirection(assessment),
      level: assessment.certainty,
      word: CERTAINTY_WORDS[assessment.certainty],
      people: peopleInStudies(assessment.people, assessment.studies),
    }));
  return ANSWER_GROUPS.map(({ title, codes }) => ({
    title,
    items: items.filter(({ direction }) => codes.includes(direction.code)),
  })).filter((group) => group.items.length);
};

export const safetyOf = ({ row, numbering }: Pick<Material, 'row' | 'numbering'>): SupplementView['safety'] => {
  const order = ['warning', 'caution', 'info'];
  return row.entry.safety
    .map(({ level, statement, sources = [], authority, ...note }) => ({
      level,
      word: LEVEL_WORDS[level] ?? level,
      statement,
      cites: numbering.all(sources),
      authority: authority ? { name: authority.name, href: authority.address } : null,
      origin: originView(originOfNote({ ...note, sources, authority })),
    }))
    .sort((a, b) => order.indexOf(a.level) - order.indexOf(b.level));
};

export const referencesOf = ({ numbering, find }: Pick<Material, 'numbering' | 'find'>): SupplementView['references'] =>
  numbering.refs.map((ref, at) => {
    const source = find(ref);
    return { n: at + 1, ref, source: source && toSourceView(source) };
  });
