/** Builds a condition's page: findings of equal weight in whichever direction they point, and supplements without any study. */
import { type Static, Type } from 'typebox';
import {
  byName,
  byStrength,
  CrumbList,
  DirectionView,
  designOf,
  directionView,
  GradeView,
  HistoryView,
  inSentence,
  LinkView,
  OptionalTier,
  RETRACTED_DIRECTION,
  type SourceRow,
  SourceView,
  TIERS,
  tierView,
  toSourceView,
  type VerticalCount,
} from '#plugins/evidence/index.ts';
import { CareView } from '#plugins/interactions/index.ts';
import { gradeView, type OutcomeGrade } from '#plugins/outcomes/index.ts';
import type { ConditionRow, Terms } from '#plugins/vocabulary/index.ts';
import { ConditionAnswers } from './condition-answers.ts';
import type { ConditionClaim } from './condition-data.ts';
import { bestTier, peopleBehind, standing, strongest } from './outcome.ts';
import { IdView } from './standard-ids.ts';

const ConditionFinding = Type.Object({
  supplement: LinkView,
  outcome: Type.String(),
  /** The question, such as "Magnesium and sleep". */
  question: Type.String(),
  direction: DirectionView,
  statement: Type.String(),
  tier: OptionalTier,
  people: Type.String(),
  /** Grade over all sources on the supplement and the outcome; null if there are none. */
  grade: Type.Union([GradeView, Type.Null()]),
  /** Design of the best source that is not retracted; "" without one. */
  design: Type.String(),
  /** Number of cited sources that are not retracted. */
  sources: Type.Integer(),
  retracted: Type.Integer(),
  /** Cited sources in the database, strongest first. */
  list: Type.Array(SourceView),
  /** Number of weaker sources that are not listed here; the supplement's page shows them too. */
  more: Type.Integer(),
  /** Address of the question's own page; "" while no source is assigned to it. */
  href: Type.String(),
  inBase: Type.Integer(),
});
type ConditionFinding = Static<typeof ConditionFinding>;

const Unread = Type.Object({
  supplement: LinkView,
  outcomes: Type.Array(
    Type.Object({ name: Type.String(), href: Type.String(), count: Type.Integer(), best: OptionalTier }),
  ),
  count: Type.Integer(),
});

export const ConditionView = Type.Object({
  crumbs: CrumbList,
  name: Type.String(),
  nameInSentence: Type.String(),
  category: LinkView,
  synonyms: Type.Array(Type.String()),
  ids: Type.Array(IdView),
  answer: Type.String(),
  /** Verdict on the supplements that help and those that do not, in a sentence or two. */
  verdict: Type.String(),
  /** Answers from results in people who have the condition. */
  answers: ConditionAnswers,
  /** Number of assessed answers and of sources, in a sentence. */
  held: Type.String(),
  /** Note that sources are assigned to a wider topic than the condition; "" if they are not. */
  wider: Type.String(),
  redFlags: Type.Array(Type.String()),
  seeDoctor: Type.Array(Type.String()),
  care: CareView,
  /**
   * Findings that editors wrote on the outcomes of the condition, in any population; they do not answer a question about the
   * condition.
   */
  related: Type.Array(ConditionFinding),
  /** Supplements with sources on the outcomes and without a finding by an editor. */
  unread: Type.Array(Unread),
  never: Type.Array(LinkView),
  ask: Type.Array(Type.String()),
  prose: Type.String(),
  sources: Type.Array(SourceView),
  total: Type.Integer(),
  allHref: Type.String(),
  reading: Type.Array(LinkView),
  editedOn: Type.String(),
  history: HistoryView,
});
export type ConditionView = Static<typeof ConditionView>;

export interface ConditionMaterial {
  readonly row: ConditionRow;
  readonly terms: Terms;
  readonly claims: readonly ConditionClaim[];
  readonly find: (ref: string) => SourceRow | null;
  /** Questions whose outcome belongs to the condition. */
  readonly verticals: readonly VerticalCount[];
  /** Grades by vertical. */
  readonly grades: ReadonlyMap<string, OutcomeGrade>;
}

export const standingOf = ({ tiers }: VerticalCount): number => TIERS.reduce((sum, tier) => sum + tiers[tier], 0);

const bestOf = ({ tiers }: VerticalCount) => {
  const best = TIERS.find((tier) => tiers[tier] > 0);
  return best ? tierView(best) : null;
};

const gradeOf = (grade: OutcomeGrade | undefined, terms: Terms) => (grade ? gradeView(grade, terms) : null);

/** Maximum number of sources shown for one finding, strongest first. */
const SHOWN_SOURCES = 3;

const findingOf = ({ supplement, claim }: ConditionClaim, material: ConditionMaterial): ConditionFinding => {
  const { find, verticals, terms, grades } = material;
  const rows = [...new Set(claim.sources.map(find).filter((source) => source !== null))].sort(byStrength);
  const best = strongest(rows);
  const sound = standing(rows);
  const tier = bestTier(rows);
  const vertical = verticals.find((count) => count.supplement === supplement.slug && count.topic === claim.topic);
  return {
    supplement: { name: supplement.name, href: `/supplements/${supplement.slug}` },
    outcome: terms.topics.get(claim.topic)?.name ?? claim.topic,
    question: `${inSentence(supplement.name)} and ${inSentence(terms.topics.get(claim.topic)?.name ?? claim.topic)}`,
    direction: rows.length && !sound.length ? RETRACTED_DIRECTION : directionView(claim.direction),
    statement: claim.statement,
    tier: tier && tierView(tier),
    people: sound.length ? peopleBehind(rows) : '',
    grade: gradeOf(grades.get(`${supplement.slug}-${claim.topic}`), terms),
    design: best ? designOf(best) : '',
    sources: sound.length,
    retracted: rows.length - sound.length,
    list: rows.slice(0, SHOWN_SOURCES).map(toSourceView),
    more: Math.max(0, rows.length - SHOWN_SOURCES),
    href: vertical ? `/evidence/${vertical.vertical}` : '',
    inBase: vertical ? standingOf(vertical) : 0,
  };
};

const certainty = ({ tier }: ConditionFinding): number => (tier ? TIERS.indexOf(tier.letter as never) : TIERS.length);

/** Compares findings by tier (best first), then by number of sources, then by name. */
const byCertainty = (a: ConditionFinding, b: ConditionFinding): number =>
  certainty(a) - certainty(b) || b.sources - a.sources || byName(a.supplement, b.supplement);

export const relatedOf = (material: ConditionMaterial): ConditionView['related'] =>
  material.claims.map((claim) => findingOf(claim, material)).sort(byCertainty);

export const unreadOf = ({ terms, claims, verticals }: ConditionMaterial): ConditionView['unread'] => {
  const read = new Set(claims.map(({ supplement, claim }) => `${supplement.slug} ${claim.topic}`));
  const open = verticals.filter((count) => standingOf(count) && !read.has(`${count.supplement} ${count.topic}`));
  return [...Map.groupBy(open, ({ supplement }) => supplement)]
    .flatMap(([slug, counts]) => {
      const supplement = terms.supplements.get(slug);
      if (!supplement) return [];
      const outcomes = counts.map((count) => ({
        name: terms.topics.get(count.topic)?.name ?? count.topic,
        href: `/evidence/${count.vertical}`,
        count: standingOf(count),
        best: bestOf(count),
      }));
      const link = { name: supplement.name, href: `/supplements/${slug}` };
      return [{ supplement: link, outcomes, count: outcomes.reduce((sum, { count }) => sum + count, 0) }];
    })
    .sort((a, b) => b.count - a.count || byName(a.supplement, b.supplement));
};

/** Returns the supplements that no source in the database links to the condition. This is a gap and not evidence of anything. */
export const neverOf = ({ terms, claims, verticals }: ConditionMaterial): LinkView[] => {
  const met = new Set([
    ...verticals.map(({ supplement }) => supplement),
    ...claims.map(({ supplement }) => supplement.slug),
  ]);
  return [...terms.supplements.values()]
    .filter(({ slug }) => !met.has(slug))
    .map(({ slug, name }) => ({ name, href: `/supplements/${slug}` }))
    .sort(byName);
};

/** Returns a note if some outcomes are wider than the condition: their sources need not be about people who have it. */
export const widerOf = ({ row, terms }: Pick<ConditionMaterial, 'row' | 'terms'>): string => {
  const wider = row.topics.filter((slug) => slug !== row.slug).map((slug) => terms.topics.get(slug)?.name ?? slug);
  if (!wider.length) return '';
  const names = wider.map((name) => `“${name}”`).join(' and ');
  return `Sources are filed here under ${names}, which is not the same as ${inSentence(row.name)}: look at each finding for who was studied.`;
};

const figures = new Intl.NumberFormat('en-GB');
const counted = (n: number, one: string, many = `${one}s`): string => `${figures.format(n)} ${n === 1 ? one : many}`;

export const heldOf = (view: Pick<ConditionView, 'answers' | 'total'>): string => {
  const assessed = view.answers.reduce((sum, { answers }) => sum + answers.length, 0);
  const sources = view.total ? `${counted(view.total, 'source')} on related outcomes` : 'no source on related outcomes';
  return `${counted(assessed, 'question')} assessed for this condition; ${sources}.`;
};
