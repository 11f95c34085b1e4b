/** Computes the facts of each supplement for cards and market figures, once per version of content and sources. */
import type { EntityManager } from '@mikro-orm/postgresql';
import {
  groupsIn,
  readCited,
  readSupplementCounts,
  type SourceRow,
  sourceFinder,
  TIERS,
  type Tier,
} from '#plugins/evidence/index.ts';
import type { IntakeRow, SupplementRow, Terms } from '#plugins/vocabulary/index.ts';
import { type DoseRange, inBaseUnit } from './dose.ts';

export interface Outcome {
  /** Slug of the topic. */
  readonly topic: string;
  readonly name: string;
  /** Slug of a condition that this topic belongs to, or "". */
  readonly condition: string;
  /** Tier of the best source that is not retracted; null when there is none. */
  readonly grade: Tier | null;
  readonly direction: string;
}

/** Range of daily doses in the trials of an entry, for one substance. */
export interface TrialDose extends DoseRange {
  /** "root extract"; "" for the plain substance. */
  readonly of: string;
}

export interface SupplementFacts {
  readonly slug: string;
  readonly name: string;
  readonly sources: number;
  readonly bestTier: Tier | null;
  readonly outcomes: readonly Outcome[];
  readonly doses: readonly TrialDose[];
  readonly intake: IntakeRow | null;
}

const gradeOf = (rows: readonly SourceRow[]): Tier | null => {
  const tiers = new Set(rows.filter((row) => row.retractionStatus !== 'retracted').map((row) => row.qualityTier));
  return TIERS.find((tier) => tiers.has(tier)) ?? null;
};

/**
 * Returns one range per substance, over the doses whose units convert to the first one's unit. Doses for infants, children,
 * pregnancy and breastfeeding are left out, because a label for the general public is not compared with them.
 */
export const trialDosesOf = ({ slug, entry }: SupplementRow): readonly TrialDose[] => {
  const ranges = new Map<string, TrialDose>();
  for (const { amount, context, dose, duration = '' } of entry.dosing) {
    if (!amount || groupsIn(`${context}; ${dose}; ${duration}`).length) continue;
    const of = amount.of ?? '';
    const known = ranges.get(of);
    if (!known) {
      ranges.set(of, { min: amount.min, max: amount.max, unit: amount.unit, of });
      continue;
    }
    const one = inBaseUnit(slug, 1, known.unit);
    const [low, high] = [inBaseUnit(slug, amount.min, amount.unit), inBaseUnit(slug, amount.max, amount.unit)];
    if (!one || !low || !high || low.unit !== one.unit) continue;
    const round = (value: number): number => Number((value / one.value).toPrecision(6));
    ranges.set(of, {
      ...known,
      min: Math.min(known.min, round(low.value)),
      max: Math.max(known.max, round(high.value)),
    });
  }
  return [...ranges.values()];
};

/** Maps each topic to the first condition that names it. */
const conditionsByTopic = ({ conditions }: Terms): ReadonlyMap<string, string> => {
  const found = new Map<string, string>();
  for (const { slug, topics } of conditions.values())
    for (const topic of topics) if (!found.has(topic)) found.set(topic, slug);
  return found;
};

export const readSupplementFacts = async (
  em: EntityManager,
  terms: Terms,
): Promise<ReadonlyMap<string, SupplementFacts>> => {
  const rows = [...terms.supplements.values()];
  const refs = rows.flatMap(({ entry }) => entry.evidence.flatMap(({ sources }) => sources));
  const find = sourceFinder(refs.length ? await readCited(em, [...new Set(refs)]) : []);
  const counts = new Map((await readSupplementCounts(em)).map((count) => [count.supplement, count]));
  const conditionOf = conditionsByTopic(terms);
  return new Map(
    rows.map((row) => [
      row.slug,
      {
        slug: row.slug,
        name: row.name,
        sources: counts.get(row.slug)?.n ?? 0,
        bestTier: counts.get(row.slug)?.best ?? null,
        outcomes: row.entry.evidence.map(({ topic, direction, sources }) => ({
          topic,
          name: terms.topics.get(topic)?.name ?? topic,
          condition: conditionOf.get(topic) ?? '',
          grade: gradeOf(sources.map(find).filter((source) => source !== null)),
          direction,
        })),
        doses: trialDosesOf(row),
        intake: terms.intakes.get(row.slug) ?? null,
      },
    ]),
  );
};
