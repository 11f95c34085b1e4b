/** Doses as studied: those for everybody, those of special groups separately, and all convertible amounts on one axis. */
import { type Static, Type } from 'typebox';
import { DoseChartView } from '#core/render/charts/dose-chart.ts';
import { groupsInWords, type SourceRow } from '#plugins/evidence/index.ts';
import { groupsOfDose } from '#plugins/outcomes/index.ts';
import { type MarketProfile, type StudiedDose, supplementDoses } from '#plugins/products/index.ts';
import type { SupplementEntry, Terms } from '#plugins/vocabulary/index.ts';
import type { Material } from './supplement-view.ts';

const DoseView = Type.Object({
  context: Type.String(),
  dose: Type.String(),
  duration: Type.String(),
  cites: Type.Array(Type.Integer()),
});

export const DosesView = Type.Object({
  general: Type.Array(DoseView),
  /** Doses for infants, children, pregnancy or breastfeeding only, by group. */
  groups: Type.Array(Type.Object({ population: Type.String(), doses: Type.Array(DoseView) })),
  chart: Type.Union([DoseChartView, Type.Null()]),
});
export type DosesView = Static<typeof DosesView>;

type Dosing = SupplementEntry['dosing'][number];
type Given = Pick<Material, 'row' | 'numbering' | 'find'> & { readonly terms: Pick<Terms, 'intakes'> };

const populationOf = ({ context, dose, duration = '', sources }: Dosing, find: Given['find']): string => {
  const known = sources.flatMap((ref) => {
    const source = find(ref);
    return source ? [[ref, { population: source.population }] as const] : [];
  });
  return groupsInWords(groupsOfDose({ context, dose, duration, sources }, new Map(known)));
};

const isLost = (sources: readonly (SourceRow | null)[]): boolean =>
  sources.length > 0 && sources.every((source) => source?.retractionStatus === 'retracted');

/** Returns the numeric amounts whose sources were not all retracted. */
const studiedOf = (dosing: readonly Dosing[], find: Given['find']): StudiedDose[] =>
  dosing.flatMap((one) => {
    const { amount, context, sources } = one;
    if (!amount || isLost(sources.map(find))) return [];
    const { min, max, unit, of = '' } = amount;
    return [{ name: context, min, max, unit, of, isOfGroup: populationOf(one, find) !== '' }];
  });

/**
 * Builds the doses section.
 * @param labels Amounts on product labels; null if too few state one.
 */
export const dosesView = (given: Given, labels: MarketProfile['dose_distribution']): DosesView => {
  const { row, numbering, find, terms } = given;
  const shown = row.entry.dosing.map((one) => {
    const { context, dose, duration = '', sources } = one;
    return { population: populationOf(one, find), view: { context, dose, duration, cites: numbering.all(sources) } };
  });
  const apart = Map.groupBy(
    shown.filter(({ population }) => population !== ''),
    ({ population }) => population,
  );
  const onFile = {
    slug: row.slug,
    name: row.name,
    studied: studiedOf(row.entry.dosing, find),
    intake: terms.intakes.get(row.slug) ?? null,
    labels,
  };
  return {
    general: shown.filter(({ population }) => population === '').map(({ view }) => view),
    groups: [...apart].map(([population, doses]) => ({ population, doses: doses.map(({ view }) => view) })),
    chart: supplementDoses(onFile, 'dose-chart'),
  };
};
