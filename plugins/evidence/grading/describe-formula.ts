import { CAPS } from './caps.ts';
import {
  BIAS_POINTS,
  DESIGN_POINTS,
  DIRECTNESS_POINTS,
  FORMULA_VERSION,
  MAX_POINTS,
  SIZE_SCALE,
  SIZE_STEPS,
  TIERS,
  type Tier,
} from './formula.ts';
import { levelOf } from './study-design.ts';
import type { StudyKind } from './study-kind.ts';

/** The formula as data for `/api/methodology` and the methodology page, built from the tables that grade() reads. */
export interface FormulaDescription {
  readonly version: string;
  readonly max: number;
  readonly parts: readonly FormulaPart[];
  readonly caps: readonly {
    readonly id: string;
    readonly tier: Tier;
    readonly ceiling: number;
    readonly reason: string;
  }[];
  readonly tiers: typeof TIERS;
}

export interface FormulaPart {
  readonly part: 'design' | 'size' | 'bias' | 'directness';
  readonly max: number;
  readonly summary: string;
  /** The `group` of a row names its scale or family; "" where the part has only one table. */
  readonly rows: readonly { readonly group: string; readonly label: string; readonly points: number }[];
}

const kindsOf = (scale: string): string =>
  Object.entries(SIZE_SCALE)
    .filter(([, used]) => used === scale)
    .map(([kind]) => DESIGN_POINTS[kind as StudyKind].label)
    .join(', ');

const designRows = () =>
  Object.entries(DESIGN_POINTS).map(([kind, { points, label }]) => ({
    group: levelOf(kind as StudyKind),
    label,
    points,
  }));

const sizeRows = () =>
  Object.entries(SIZE_STEPS).flatMap(([scale, { steps, unknown }]) =>
    steps.length === 0
      ? []
      : [
          ...steps.map(([least, points]) => ({
            group: kindsOf(scale),
            label: `${least.toLocaleString('en-GB')} people or more`,
            points,
          })),
          { group: kindsOf(scale), label: 'number not known', points: unknown },
        ],
  );

const biasRows = () =>
  Object.entries(BIAS_POINTS).flatMap(([family, signals]) =>
    signals.map(({ label, points }) => ({ group: family, label, points })),
  );

const directnessRows = () =>
  Object.values(DIRECTNESS_POINTS).map(({ label, points }) => ({ group: '', label, points }));

/** Describes the formula: its version, the parts with their tables, the caps and the tiers. */
export const describeFormula = (): FormulaDescription => ({
  version: FORMULA_VERSION,
  max: Object.values(MAX_POINTS).reduce((sum, points) => sum + points, 0),
  parts: [
    { part: 'design', max: MAX_POINTS.design, summary: 'What kind of study it is.', rows: designRows() },
    { part: 'size', max: MAX_POINTS.size, summary: 'How many people were studied or pooled.', rows: sizeRows() },
    { part: 'bias', max: MAX_POINTS.bias, summary: 'Which safeguards against bias the text states.', rows: biasRows() },
    {
      part: 'directness',
      max: MAX_POINTS.directness,
      summary: 'How close the study comes to what a reader asks.',
      rows: directnessRows(),
    },
  ],
  caps: CAPS.map(({ id, tier, ceiling, reason }) => ({ id, tier, ceiling, reason })),
  tiers: TIERS,
});
