/**
 * Builds the list of factors that change a marker: graded outcomes, the nutrient that it measures, and medicines that lower a
 * nutrient.
 */
import { type Static, Type } from 'typebox';
import { byName, GradeView, inSentence, LinkView } from '#plugins/evidence/index.ts';
import type { InteractionBook } from '#plugins/interactions/index.ts';
import { CERTAINTIES, gradeView, type OutcomeGrade } from '#plugins/outcomes/index.ts';
import type { Terms } from '#plugins/vocabulary/index.ts';
import type { BiomarkerEntry } from './schemas.ts';

const Mover = Type.Object({
  supplement: LinkView,
  /** Link to the question, such as "Magnesium and sleep". */
  question: LinkView,
  grade: GradeView,
  sources: Type.Integer(),
});

export const MovedBy = Type.Object({
  outcomes: Type.Array(
    Type.Object({
      topic: Type.String(),
      /** True when the outcome is broader than the marker, as is every outcome except the level of a nutrient. */
      wider: Type.Boolean(),
      /** Movers of higher than very low certainty, the most certain first. */
      surer: Type.Array(Mover),
      /** Movers of very low certainty. */
      unsure: Type.Array(Mover),
    }),
  ),
  nutrients: Type.Array(LinkView),
  medicines: Type.Array(
    Type.Object({
      medicine: LinkView,
      nutrient: Type.String(),
      effect: Type.String(),
      note: Type.String(),
      namedBy: Type.Array(LinkView),
    }),
  ),
  conditions: Type.Array(LinkView),
});
export type MovedBy = Static<typeof MovedBy>;

export interface Known {
  readonly terms: Terms;
  readonly grades: readonly OutcomeGrade[];
  readonly book: InteractionBook;
}

/** Slug of the outcome about the level of the nutrient itself. */
const LEVEL = 'nutrient-status';

const bySurety = (a: OutcomeGrade, b: OutcomeGrade): number =>
  CERTAINTIES.indexOf(a.certainty) - CERTAINTIES.indexOf(b.certainty) ||
  b.source_count - a.source_count ||
  (a.vertical < b.vertical ? -1 : 1);

const moverOf = (grade: OutcomeGrade, terms: Terms): Static<typeof Mover>[] => {
  const { supplements, topics } = terms;
  const supplement = supplements.get(grade.supplement_slug);
  if (!supplement) return [];
  const topic = topics.get(grade.topic_slug)?.name ?? grade.topic_slug;
  return [
    {
      supplement: { name: supplement.name, href: `/supplements/${supplement.slug}` },
      question: { name: `${supplement.name} and ${inSentence(topic)}`, href: `/evidence/${grade.vertical}` },
      grade: gradeView(grade, terms),
      sources: grade.source_count,
    },
  ];
};

const outcomeOf = (topic: string, nutrients: readonly string[], { terms, grades }: Known) => {
  const filed = grades.filter(
    ({ assessed, topic_slug: slug, supplement_slug: supplement }) =>
      assessed && slug === topic && (topic !== LEVEL || nutrients.includes(supplement)),
  );
  const sorted = filed.toSorted(bySurety);
  const of = (isUnsure: boolean) =>
    sorted.filter(({ certainty }) => (certainty === 'very_low') === isUnsure).flatMap((grade) => moverOf(grade, terms));
  return { topic: terms.topics.get(topic)?.name ?? topic, wider: topic !== LEVEL, surer: of(false), unsure: of(true) };
};

const medicinesOf = (nutrients: readonly string[], book: InteractionBook): MovedBy['medicines'] =>
  book.depletions
    .filter(({ nutrient }) => nutrients.includes(nutrient.slug))
    .map(({ nutrient, target, entry, sources }) => ({
      medicine: {
        name: `${target.name.charAt(0).toUpperCase()}${target.name.slice(1)}`,
        href:
          target.kind === 'drug' || target.kind === 'class'
            ? `/interactions/${book.hubOf(target.kind, target.slug)}`
            : '/interactions',
      },
      nutrient: nutrient.name,
      effect: entry.effect.trim(),
      note: entry.note.trim(),
      namedBy: sources.flatMap(({ row, given }) => {
        const name = given.authority ?? row?.title ?? given.title ?? '';
        return given.address && name ? [{ name, href: given.address }] : [];
      }),
    }));

const conditionsOf = (
  { topics = [], conditions: named = [] }: BiomarkerEntry,
  { conditions }: Terms,
): MovedBy['conditions'] =>
  [...conditions.values()]
    .filter((row) => named.includes(row.slug) || row.topics.some((topic) => topic !== LEVEL && topics.includes(topic)))
    .map(({ name, slug }) => ({ name, href: `/conditions/${slug}` }))
    .sort(byName);

export const movedBy = (entry: BiomarkerEntry, known: Known): MovedBy => {
  const { topics = [], nutrients = [] } = entry;
  return {
    outcomes: topics
      .map((topic) => outcomeOf(topic, nutrients, known))
      .filter(({ surer, unsure }) => surer.length + unsure.length > 0),
    nutrients: nutrients.flatMap((slug) => {
      const { supplements, substances } = known.terms;
      const [supplement, substance] = [supplements.get(slug), substances.get(slug)];
      if (supplement) return [{ name: supplement.name, href: `/supplements/${slug}` }];
      return substance ? [{ name: substance.name, href: `/interactions/${known.book.hubOf('subject', slug)}` }] : [];
    }),
    medicines: medicinesOf(nutrients, known.book),
    conditions: conditionsOf(entry, known.terms),
  };
};
