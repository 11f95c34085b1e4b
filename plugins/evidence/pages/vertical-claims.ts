/**
 * Builds the part of a question page before its sources: the entry's claims with their weight, and the most serious safety note.
 */
import { type Static, Type } from 'typebox';
import type { YearCount } from '#core/render/charts/year-columns.ts';
import type { SupplementRow, TopicRow } from '#plugins/vocabulary/index.ts';
import type { LightRow } from './vertical-rows.ts';
import { DirectionView, directionView, RETRACTED_DIRECTION, SourceView, TierView } from './views.ts';

/** A claim of the supplement's entry on the outcome; `shaken` when one of its sources was retracted. */
export const ClaimView = Type.Object({
  statement: Type.String(),
  direction: DirectionView,
  shaken: Type.Boolean(),
  /** Number of valid sources of the statement that are filed under this question. */
  sources: Type.Integer(),
  /** Weight of the best of them; null when there is none. */
  weight: Type.Union([
    Type.Null(),
    Type.Object({ tier: TierView, design: Type.String(), people: Type.String(), links: SourceView.properties.links }),
  ]),
});
type ClaimView = Static<typeof ClaimView>;

interface Filed {
  /** Sources that are not retracted, strongest first. */
  readonly standing: readonly SourceView[];
  readonly retracted: readonly Pick<LightRow, 'pmid' | 'doi' | 'nctId'>[];
}

/** Returns `pmid:1`, `doi:10.…` and `nct:NCT…` of a source, as entries cite it. */
const refsOf = ({ links }: SourceView): readonly string[] =>
  links.map(({ kind, id }) => `${kind === 'Trial' ? 'nct' : kind.toLowerCase()}:${id}`);

export const claimsOn = (
  { entry }: Pick<SupplementRow, 'entry'>,
  { slug }: Pick<TopicRow, 'slug'>,
  { standing, retracted }: Filed,
): ClaimView[] => {
  const lost = new Set(retracted.flatMap(({ pmid, doi, nctId }) => [`pmid:${pmid}`, `doi:${doi}`, `nct:${nctId}`]));
  return entry.evidence
    .filter(({ topic }) => topic === slug)
    .map(({ statement, direction, sources }) => {
      const behind = standing.filter((source) => refsOf(source).some((ref) => sources.includes(ref)));
      const [best] = behind;
      return {
        statement,
        direction: sources.every((ref) => lost.has(ref)) ? RETRACTED_DIRECTION : directionView(direction),
        shaken: sources.some((ref) => lost.has(ref)),
        sources: behind.length,
        weight: best ? { tier: best.tier, design: best.design, people: best.people, links: best.links } : null,
      };
    });
};

export const SafetyFact = Type.Object({ level: Type.String(), word: Type.String(), text: Type.String() });

const LEVEL_WORDS = { warning: 'Warning', caution: 'Caution' } as const;

/** Returns the most serious safety note of the entry; notes that only inform appear on the supplement's own page. */
export const safetyFact = ({ entry }: Pick<SupplementRow, 'entry'>): Static<typeof SafetyFact> | null => {
  for (const level of ['warning', 'caution'] as const) {
    const note = entry.safety.find((one) => one.level === level);
    if (note) return { level, word: LEVEL_WORDS[level], text: note.statement.trim() };
  }
  return null;
};

/** Returns the years of sources for the chart, without registry entries, which have no results yet. */
export const yearsOf = (rows: readonly LightRow[]): YearCount[] =>
  rows
    .filter(({ sourceClass }) => sourceClass !== 'clinical_trial')
    .map(({ year, qualityTier }) => ({ year, tier: qualityTier, count: 1 }));
