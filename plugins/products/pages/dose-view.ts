/**
 * Builds the comparison of a dose on a label with the doses in trials and the upper limit: figures, a verdict in words, and
 * an axis when a comparison is possible.
 */
import { type Static, Type } from 'typebox';
import type { CardLine } from '../card/evidence-card.ts';
import type { IngredientsExtent } from '../label.ts';
import { type DoseAxis, doseAxis } from './dose-axis.ts';
import { whyMissing } from './label-view.ts';
import { rangeWithUnit, withUnit } from './product-figures.ts';

const AxisView = Type.Union([
  Type.Null(),
  Type.Object({
    id: Type.String(),
    title: Type.String(),
    text: Type.String(),
    label: Type.Number(),
    trial: Type.Union([Type.Null(), Type.Object({ from: Type.Number(), width: Type.Number() })]),
    limit: Type.Union([Type.Null(), Type.Number()]),
    end: Type.String(),
  }),
]);

export const DoseLine = Type.Object({
  name: Type.String(),
  serving: Type.String(),
  stated: Type.Boolean(),
  trial: Type.String(),
  limit: Type.String(),
  limitHref: Type.String(),
  limitNote: Type.String(),
  verdict: Type.String(),
  /** Whether there is a comparison. When false, the verdict is the reason why there is none. */
  compared: Type.Boolean(),
  axis: AxisView,
});

const MATCH_WORDS = {
  below: 'One serving is below the doses in trials',
  within: 'One serving is within the doses in trials',
  above: 'One serving is above the doses in trials',
  unknown: '',
} as const;

const NOT_IN_DATA = 'The amount on the label is not in our data.';
const LIMIT_OPEN = 'The label’s unit does not convert to that of the upper limit, so whether it is above stays open.';

const verdictOf = ({ dose, stated, limit, isOverLimit }: CardLine, extent: IngredientsExtent): string => {
  if (!stated && extent !== 'label') return NOT_IN_DATA;
  const words = dose.match === 'unknown' ? dose.reason : `${MATCH_WORDS[dose.match]}.`;
  if (isOverLimit !== null) {
    const note = limit?.note ? ` (${limit.note})` : '';
    return `${words} One serving alone is ${isOverLimit ? 'above' : 'not above'} the upper limit${note}.`;
  }
  return stated?.source === 'label' && limit ? `${words} ${LIMIT_OPEN}` : words;
};

export const doseLines = (lines: readonly CardLine[], extent: IngredientsExtent): Static<typeof DoseLine>[] =>
  lines.map((line) => {
    const { slug, facts, stated, trial, limit } = line;
    // An amount from a name is not compared, because the axis would contradict the text.
    const comparable = stated?.source === 'label' && (line.dose.match !== 'unknown' || line.isOverLimit !== null);
    const axis: DoseAxis | null =
      comparable && stated
        ? doseAxis({
            slug,
            name: facts.name,
            label: stated,
            trial: line.dose.match === 'unknown' ? null : trial,
            limit: line.isOverLimit === null ? null : limit,
          })
        : null;
    return {
      name: facts.name,
      serving: stated
        ? `${withUnit(stated.amount, stated.unit)}${stated.source === 'name' ? ', from the name' : ''}`
        : whyMissing(extent),
      stated: stated !== null,
      trial: trial ? `${rangeWithUnit(trial)}${trial.of && ` of ${trial.of}`}` : '',
      limit: limit ? withUnit(limit.amount, limit.unit) : '',
      limitHref: limit?.address ?? '',
      limitNote: limit ? `${limit.authority}${limit.note && `; ${limit.note}`}` : '',
      verdict: verdictOf(line, extent),
      compared: line.dose.match !== 'unknown',
      axis,
    };
  });
