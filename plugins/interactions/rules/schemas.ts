/**
 * Schemas of content/interactions/*.yaml. The text for editors is in content/docs; checks across fields are in cross-check.ts.
 */
import { type Static, Type } from 'typebox';
import { EntryChanges, OriginCode, SourceRef } from '#plugins/vocabulary/index.ts';
import { THROUGH } from '../drugs/properties.ts';
import { BASES } from './grounds.ts';
import {
  ACTIONS,
  CAUTION_CONDITIONS,
  LIKELIHOODS,
  MECHANISMS,
  ONSETS,
  RULE_DIRECTIONS,
  SEVERITIES,
} from './severity-labels.ts';

const Slug = Type.String({ pattern: '^[a-z0-9]+(-[a-z0-9]+)*$', maxLength: 120 });
const Text = Type.String({ minLength: 1 });
const Day = Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' });
const word = <T extends string>(values: readonly T[]) => Type.Unsafe<T>({ type: 'string', enum: [...values] });
const strict = { additionalProperties: false };

/**
 * A source of one of four kinds: `ref`; `pmid` with `title`; `authority` with `address`; `practice`, for a warning whose source
 * is still to be opened.
 */
export const RuleSource = Type.Object(
  {
    ref: Type.Optional(SourceRef),
    pmid: Type.Optional(Type.String({ pattern: '^[1-9][0-9]{0,8}$' })),
    doi: Type.Optional(Type.String({ pattern: '^10\\.[0-9]{4,9}/\\S+$' })),
    title: Type.Optional(Text),
    year: Type.Optional(Type.Integer({ minimum: 1800, maximum: 2100 })),
    journal: Type.Optional(Text),
    authority: Type.Optional(Text),
    address: Type.Optional(Type.String({ format: 'uri', pattern: '^https?://' })),
    practice: Type.Optional(Type.Literal(true)),
    /** For a label: the section that contains the quote, and the day or month of the edition. */
    section: Type.Optional(Text),
    date: Type.Optional(Type.String({ pattern: '^\\d{4}(-\\d{2}){0,2}$' })),
    /** Only if the licence of the source allows it. */
    quote: Type.Optional(Text),
  },
  strict,
);
export type RuleSource = Static<typeof RuleSource>;
const Sources = Type.Array(RuleSource, { minItems: 1 });

/** Exactly one member is set. */
const With = Type.Object(
  {
    class: Type.Optional(Slug),
    drug: Type.Optional(Text),
    supplement: Type.Optional(Slug),
    food: Type.Optional(Slug),
  },
  strict,
);

const Mechanism = Type.Object(
  {
    type: word(MECHANISMS),
    detail: Type.Optional(Text),
    /** The targets of the mechanism; a class rule applies only to members in which one of them is possible. */
    through: Type.Optional(Type.Array(word(THROUGH), { minItems: 1 })),
  },
  strict,
);
const Timing = Type.Object(
  { separate_hours: Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: 72 })), note: Type.Optional(Text) },
  { ...strict, minProperties: 1 },
);
const DoseThreshold = Type.Object(
  {
    amount: Type.Number({ exclusiveMinimum: 0 }),
    unit: Text,
    per: Type.Optional(Text),
    note: Type.Optional(Text),
  },
  strict,
);

const weight = { severity: word(SEVERITIES), action: word(ACTIONS), likelihood: word(LIKELIHOODS) };
const details = {
  mechanism: Type.Optional(Mechanism),
  onset: Type.Optional(word(ONSETS)),
  timing: Type.Optional(Timing),
  dose_threshold: Type.Optional(DoseThreshold),
  direction: Type.Optional(word(RULE_DIRECTIONS)),
  reviewed_at: Type.Optional(Day),
  /** Only if it differs from the origin that the sources imply: an editor opened the page of the authority. */
  origin: Type.Optional(OriginCode),
  changes: Type.Optional(EntryChanges),
};

export const RuleEntry = Type.Object(
  {
    slug: Slug,
    with: With,
    /** Basis of the pair itself, where the sources do not show it; set only in rules built from the label tables. */
    basis: Type.Optional(word(BASES)),
    ...weight,
    /** Why the severity differs from the one that the written rule of severity derives from the record. */
    severity_reason: Type.Optional(Text),
    effect: Text,
    recommendation: Text,
    ...details,
    /** Members of the class with which it was studied, each with the study. */
    studied: Type.Optional(Type.Array(Type.Object({ drug: Text, sources: Sources }, strict))),
    exceptions: Type.Optional(
      Type.Array(Type.Object({ drug: Text, note: Text, sources: Type.Optional(Type.Array(RuleSource)) }, strict)),
    ),
    sources: Sources,
  },
  strict,
);
export type RuleEntry = Static<typeof RuleEntry>;

export const CautionEntry = Type.Object(
  {
    condition: word(CAUTION_CONDITIONS),
    /** Name of the state if the condition is `other`. */
    name: Type.Optional(Text),
    ...weight,
    effect: Text,
    recommendation: Text,
    ...details,
    sources: Sources,
  },
  strict,
);
export type CautionEntry = Static<typeof CautionEntry>;

export const InteractionFile = Type.Object(
  {
    subject: Slug,
    rules: Type.Optional(Type.Array(RuleEntry)),
    cautions: Type.Optional(Type.Array(CautionEntry)),
  },
  strict,
);
export type InteractionFile = Static<typeof InteractionFile>;

/** The interactions and the states of health that a form's scope covers; the note gives the reason. */
const FormScope = Type.Object(
  {
    classes: Type.Optional(Type.Array(Slug, { minItems: 1 })),
    drugs: Type.Optional(Type.Array(Text, { minItems: 1 })),
    supplements: Type.Optional(Type.Array(Slug, { minItems: 1 })),
    conditions: Type.Optional(Type.Array(word(CAUTION_CONDITIONS), { minItems: 1 })),
    /** Names of cautions whose condition is `other`. */
    states: Type.Optional(Type.Array(Text, { minItems: 1 })),
    note: Text,
  },
  strict,
);
/** A form, product or food with its own names; `not` and `only` limit the rules of the supplement. */
export const FormEntry = Type.Object(
  {
    slug: Slug,
    supplement: Slug,
    name: Text,
    names: Type.Array(Text, { minItems: 1 }),
    also: Type.Optional(Type.Array(Slug, { minItems: 1 })),
    not: Type.Optional(FormScope),
    only: Type.Optional(FormScope),
  },
  strict,
);
export type FormEntry = Static<typeof FormEntry>;
export const FormList = Type.Array(FormEntry);

export const DEPLETION_KINDS = ['depletion', 'antagonism', 'monitoring', 'reduced_absorption'] as const;
/** The effect of a medicine on a nutrient; exactly one of `drug` and `class` is set. */
export const DepletionEntry = Type.Object(
  {
    slug: Slug,
    drug: Type.Optional(Text),
    class: Type.Optional(Slug),
    nutrient: Slug,
    kind: word(DEPLETION_KINDS),
    likelihood: word(LIKELIHOODS),
    effect: Text,
    note: Text,
    onset: Type.Optional(Text),
    sources: Sources,
    changes: Type.Optional(EntryChanges),
  },
  strict,
);
export type DepletionEntry = Static<typeof DepletionEntry>;
export const DepletionList = Type.Array(DepletionEntry);

/** Counts of reports to an authority; they never prove a cause. */
export const SignalEntry = Type.Object(
  {
    /** Slug of a supplement or a substance. */
    supplement: Slug,
    reports: Type.Integer({ minimum: 0 }),
    serious: Type.Integer({ minimum: 0 }),
    /** Reports by outcome; one report may count in several. */
    outcomes: Type.Record(Type.String({ pattern: '^[a-z_]+$' }), Type.Integer({ minimum: 0 })),
    /** First and last year of the reports: "2004-2025". */
    years: Type.String({ pattern: '^\\d{4}-\\d{4}$' }),
  },
  strict,
);
export type SignalEntry = Static<typeof SignalEntry>;
export const SignalFile = Type.Object(
  {
    as_of: Day,
    source: Type.Object({ name: Text, address: Type.String({ format: 'uri' }) }, strict),
    signals: Type.Array(SignalEntry),
  },
  strict,
);
export type SignalFile = Static<typeof SignalFile>;
