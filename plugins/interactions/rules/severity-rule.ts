/**
 * Implements the written rule of severity: it derives the reasons for a severity from the record. It explains an entered severity
 * and shows where the two differ, but changes none, because no program may lower a severity that an editor or a label gave.
 */
import { NARROW_INDEX } from './narrow-index.ts';
import type { RuleEntry } from './schemas.ts';
import { SEVERITIES, type Severity, severityRank } from './severity-labels.ts';

export const SEVERITY_FACTORS = ['outcome', 'exposure', 'narrow_index', 'stated'] as const;
export type SeverityFactor = (typeof SEVERITY_FACTORS)[number];

export interface SeverityReason {
  readonly factor: SeverityFactor;
  /** The line of the rule that applies. */
  readonly level: string;
  readonly text: string;
  /** The lowest severity that the factor supports; null for a factor that only shifts another one. */
  readonly points_to: Severity | null;
}

/** Worst first: the first level whose words occur in the effect is the outcome. */
export const OUTCOME_LEVELS = [
  {
    level: 'life_threatening',
    points_to: 'major',
    text: 'The effect named can be life-threatening or leave lasting harm.',
    words:
      /serotonin|crisis|shoot up|dangerous|heartbeat|heart rhythm|seizure|breathing|life-threatening|death|fatal|coma\b|stroke|muscle breakdown|rhabdomyolysis|poison|overdose|toxic/i,
  },
  {
    level: 'lost_protection',
    points_to: 'major',
    text: 'A treatment may fail where failure is grave: a transplant, a virus, cancer, a clot, an unwanted pregnancy.',
    words:
      /transplant|reject|\bHIV\b|virus|resistant|malaria|fung(?:us|al)|cancer|tumou?r|\bclots?\b|pregnan|contracepti/i,
  },
  {
    level: 'serious',
    points_to: 'moderate',
    text: 'The effect named may need treatment or another dose.',
    words:
      /bleed|blood (?:sugar|pressure|glucose)|glucose|drows|sedat|sleepi|liver|kidney|potassium|calcium in the blood|side effects|may not work|stop working|work against|harmful|thyroid|infection/i,
  },
] as const;
export const NO_OUTCOME = {
  level: 'slight',
  points_to: 'minor',
  text: 'No outcome is named that would need treatment.',
} as const;

/** Thresholds that regulators use for the strength of a change in exposure. */
export const EXPOSURE_LEVELS = [
  {
    level: 'strong',
    points_to: 'major',
    rise: 5,
    fall: 80,
    text: 'Exposure to the medicine rises fivefold or more, or falls by 80 % or more.',
  },
  {
    level: 'moderate',
    points_to: 'moderate',
    rise: 2,
    fall: 50,
    text: 'Exposure to the medicine rises two to five times, or falls by 50 to 80 %.',
  },
  {
    level: 'weak',
    points_to: 'minor',
    rise: 1,
    fall: 0,
    text: 'Exposure to the medicine changes by less than that.',
  },
] as const;
export const NOT_MEASURED = {
  level: 'not_measured',
  points_to: 'moderate',
  text: 'The level of the medicine changes; by how much is not stated.',
} as const;
export const NARROW = {
  level: 'narrow',
  text: 'A small change in the level of this medicine can harm: so the severity is one step higher than the change alone.',
} as const;
export const STATED = {
  level: 'must_not',
  points_to: 'contraindicated',
  text: 'An editor or a label states that the two must not be taken together.',
} as const;
export const STATED_BY_LABEL = {
  level: 'label',
  points_to: 'contraindicated',
  text: 'The label says that the two must not be taken together.',
} as const;
/** An editor's reason why the severity differs from the one that the rule derives from the record. */
export const EXPLAINED = 'explained';
export const NOT_KNOWN = {
  level: 'not_known',
  points_to: 'unknown',
  text: 'What is known is too little to set a severity. That does not mean that it is slight.',
} as const;

const ABOUT_LEVEL = /\b(?:AUC|exposure|levels?|concentrations?|bioavailability|absorption|uptake)\b/i;
const LESS = /\b(?:lower|decreas|reduc|fell|falls?|less|drop)/i;

interface Change {
  readonly rise: number;
  readonly fall: number;
}

/** Returns the largest change that a sentence about a level states; null if there is none. */
const statedChange = (texts: readonly string[]): Change | null => {
  const changes = texts
    .flatMap((text) => text.split(/(?<=[.;])\s+/))
    .filter((sentence) => ABOUT_LEVEL.test(sentence))
    .flatMap((sentence): Change[] => [
      ...[...sentence.matchAll(/(\d+(?:\.\d+)?)[ -]?(?:fold|times)\b/g)].map(([, fold]) => ({
        rise: Number(fold),
        fall: 0,
      })),
      ...[...sentence.matchAll(/(\d+(?:\.\d+)?) ?(?:%|per ?cent)/g)].map(([, share]) =>
        LESS.test(sentence)
          ? { rise: 0, fall: Math.min(100, Number(share)) }
          : { rise: 1 + Number(share) / 100, fall: 0 },
      ),
    ]);
  if (!changes.length) return null;
  return { rise: Math.max(...changes.map(({ rise }) => rise)), fall: Math.max(...changes.map(({ fall }) => fall)) };
};

/** Returns the exposure factor of a rule; null if the mechanism does not concern the level of the medicine. */
const exposureOf = (entry: RuleEntry): (Pick<SeverityReason, 'level' | 'text'> & { points_to: Severity }) | null => {
  const { type, detail = '' } = entry.mechanism ?? { type: 'unknown' as const };
  if (type !== 'pharmacokinetic' && type !== 'absorption') return null;
  const change = statedChange([entry.effect, detail, ...entry.sources.map(({ quote = '' }) => quote)]);
  if (!change) return NOT_MEASURED;
  const step = EXPOSURE_LEVELS.find(({ rise, fall }) => change.rise >= rise || (fall > 0 && change.fall >= fall));
  const { level, points_to, text } = step ?? EXPOSURE_LEVELS[2];
  return { level, points_to, text };
};

const oneStepGraver = (severity: Severity): Severity => (severity === 'minor' ? 'moderate' : 'major');

/** A rule with its target, as far as the severity needs it. */
interface Rated {
  readonly target: { readonly kind: string; readonly slug: string };
  readonly entry: RuleEntry;
}

/** Phrases with which a label forbids a combination; "is not recommended" is milder. */
const FORBIDS =
  /contraindicat|\bdo not (?:use|take|consume)\b|\b(?:must|should) not (?:be (?:used|taken)|take)\b|\bmust (?:be )?avoid(?:ed)?\b/i;

const isForbiddenByLabel = ({ sources }: RuleEntry): boolean =>
  sources.some(
    ({ section = '', quote = '' }) => quote !== '' && (section === 'contraindications' || FORBIDS.test(quote)),
  );

const statedReasons = (entry: RuleEntry): readonly SeverityReason[] => [
  ...(entry.severity === 'contraindicated'
    ? [{ factor: 'stated' as const, ...(isForbiddenByLabel(entry) ? STATED_BY_LABEL : STATED) }]
    : []),
  ...(entry.severity_reason
    ? [{ factor: 'stated' as const, level: EXPLAINED, text: entry.severity_reason, points_to: entry.severity }]
    : []),
];

export const severityReasons = ({ target, entry }: Rated): readonly SeverityReason[] => {
  if (entry.severity === 'unknown') return [{ factor: 'stated', ...NOT_KNOWN }];
  const { level, points_to, text } = OUTCOME_LEVELS.find(({ words }) => words.test(entry.effect)) ?? NO_OUTCOME;
  const exposure = exposureOf(entry);
  const isNarrow = exposure && NARROW_INDEX.has(target.slug);
  return [
    ...statedReasons(entry),
    { factor: 'outcome', level, points_to, text },
    ...(exposure ? [{ factor: 'exposure' as const, ...exposure }] : []),
    ...(isNarrow ? [{ factor: 'narrow_index' as const, ...NARROW, points_to: oneStepGraver(exposure.points_to) }] : []),
  ];
};

/** Returns the most serious severity that a factor supports. Of the entered (stated) factors only a label's ban counts. */
export const severityByRule = (rated: Rated): Severity => {
  const found = severityReasons(rated).flatMap(({ factor, level, points_to: to }) =>
    to && (factor !== 'stated' || level === STATED_BY_LABEL.level) ? [to] : [],
  );
  return SEVERITIES.find((severity) => found.includes(severity)) ?? 'unknown';
};

/** Returns by how many steps the entered severity is above the rule (positive) or below it (negative). */
export const stepsApart = (rated: Rated): number =>
  severityRank(severityByRule(rated)) - severityRank(rated.entry.severity);

/** Returns whether the severities differ by two steps or more without a reason in words. */
export const isUnexplained = (rated: Rated): boolean =>
  Math.abs(stepsApart(rated)) >= 2 && !rated.entry.severity_reason;

/**
 * Returns the entry as it counts for a medicine that a class rule covers by theory alone: "contraindicated" becomes "major",
 * unless the editor gave a reason.
 */
export const inTheory = (entry: RuleEntry): RuleEntry =>
  entry.severity === 'contraindicated' && !entry.severity_reason
    ? {
        ...entry,
        severity: 'major',
        severity_reason:
          'For other medicines of the class the two must not be combined. For this one the mechanism is theory, so that it counts as major.',
      }
    : entry;
