/** Turns a confirmed sentence of an FDA label into a rule: the wording is ours, the quote is the label's. Pure. */
import type { RuleEntry } from './schemas.ts';
import type { Action, Severity } from './severity-labels.ts';

/** Pattern of the id of a label on DailyMed (the set id), which is the same for all its versions. */
export const SET_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Effects of the combination on the medicine or on the supplement. */
export const AFFECTED = [
  'medicine_lower',
  'medicine_higher',
  'supplement_lower',
  'supplement_higher',
  'additive_harm',
  'opposes_medicine',
] as const;
export type Affected = (typeof AFFECTED)[number];

export const LABEL_MECHANISMS = [
  'chelation',
  'adsorption',
  'ph',
  'cyp3a4_induction',
  'cyp3a4_inhibition',
  'p_gp_induction',
  'serotonergic',
  'potassium',
  'bleeding',
  'antagonism',
  'additive',
  'other',
  'not_stated',
] as const;
export type LabelMechanism = (typeof LABEL_MECHANISMS)[number];

/**
 * How the label names the supplement: by its own name, or by a group to which it belongs, such as inducers of CYP3A. `practice`:
 * none of our labels states it, but pharmacists warn of it.
 */
export const LABEL_NAMES = ['supplement', 'class', 'practice'] as const;

/** One pair that a reader found in a label. */
export interface LabelStatement {
  readonly supplement: { readonly slug: string; readonly name: string };
  readonly medicine: string;
  readonly affected: Affected;
  readonly mechanism: LabelMechanism;
  readonly severity: Severity;
  readonly names: (typeof LABEL_NAMES)[number];
  /** Minimum number of hours by which the medicine is taken before the supplement; null if the label does not say. */
  readonly hoursBefore: number | null;
  readonly hoursAfter: number | null;
  readonly setId: string;
  /** Day or month of the label, or of the day on which it was read: "2026-07". */
  readonly date: string;
  /** openFDA's name of the section that contains the quote: `drug_interactions`. */
  readonly section: string;
  readonly quote: string;
  /** An additional sentence of ours on the form, dose or people concerned; "" for most. */
  readonly note: string;
}

const capitalized = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

type Words = (supplement: string, medicine: string) => string;

/** Sentences by effect, then by mechanism; `other` is the fallback for a mechanism without a sentence of its own. */
const EFFECTS: Readonly<
  Record<Affected, Readonly<Partial<Record<LabelMechanism, Words>>> & { readonly other: Words }>
> = {
  medicine_lower: {
    chelation: (s, m) => `${s} binds ${m} in the gut, so that less of it is taken up and it may not work.`,
    adsorption: (s, m) => `${s} holds ${m} back in the gut, so that less of it is taken up.`,
    ph: (s, m) => `${s} changes how acid the stomach or the urine is, so that less ${m} is left to work.`,
    cyp3a4_induction: (s, m) => `${s} speeds up the breakdown of ${m}: its level falls, and it may stop working.`,
    p_gp_induction: (s, m) => `${s} makes the body clear ${m} faster: its level falls, and it may stop working.`,
    other: (s, m) => `${s} can lower the level of ${m}, so that it may not work.`,
  },
  medicine_higher: {
    cyp3a4_inhibition: (s, m) => `${s} slows the breakdown of ${m}: its level rises, and its side effects with it.`,
    ph: (s, m) => `${s} changes how much ${m} the body takes up or keeps, so that its level can rise.`,
    other: (s, m) => `${s} can raise the level of ${m}, and its side effects with it.`,
  },
  supplement_lower: {
    adsorption: (s, m) => `${capitalized(m)} holds ${s} back in the gut, so that less of it is taken up.`,
    ph: (s, m) => `${capitalized(m)} makes the stomach less acid, so that less ${s} is taken up.`,
    antagonism: (s, m) => `${capitalized(m)} can undo what ${s} is taken for.`,
    not_stated: (s, m) => `${capitalized(m)} can lessen how much ${s} is taken up from what is swallowed.`,
    other: (s, m) => `${capitalized(m)} can lower the level of ${s} in the body.`,
  },
  supplement_higher: {
    other: (s, m) => `${capitalized(m)} can raise the level of ${s} in the body, up to harmful amounts.`,
  },
  additive_harm: {
    serotonergic: (s, m) =>
      `${s} and ${m} both raise serotonin. Together they can cause serotonin syndrome: agitation, fever, tremor and a racing heart.`,
    potassium: (s, m) => `${s} and ${m} both raise potassium in the blood, which can disturb the heartbeat.`,
    bleeding: (s, m) => `${s} and ${m} can each make bleeding more likely, and more so together.`,
    other: (s, m) => `${s} and ${m} can be harmful together.`,
  },
  opposes_medicine: {
    other: (s, m) => `${s} can work against ${m}.`,
  },
};

const hours = (count: number): string => {
  if (count === 0.5) return 'half an hour';
  return `${count} ${count === 1 ? 'hour' : 'hours'}`;
};

/** Returns the interval as text ("at least 2 hours before or 6 hours after"); "" if the label gives no time. */
const apart = ({ hoursBefore: before, hoursAfter: after }: LabelStatement): string => {
  if (before !== null && after !== null)
    return before === after
      ? `at least ${hours(before)} before or after`
      : `at least ${hours(before)} before or ${hours(after)} after`;
  if (before !== null) return `at least ${hours(before)} before`;
  return after === null ? '' : `at least ${hours(after)} after`;
};

/** Returns a note if the label allows a shorter interval in one order. The stated interval itself applies in both orders. */
const timingNote = ({
  medicine,
  hoursBefore: before,
  hoursAfter: after,
}: LabelStatement): { readonly note?: string } =>
  before !== null && after !== null && before < after
    ? { note: `If ${medicine} comes first, ${hours(before)} ${before > 1 ? 'are' : 'is'} enough.` }
    : {};

const actionOf = (statement: LabelStatement): Action => {
  if (statement.severity === 'contraindicated') return 'avoid';
  if (apart(statement)) return 'separate';
  if (statement.severity === 'major') return 'avoid';
  return statement.severity === 'moderate' ? 'caution' : 'inform';
};

const RECOMMENDATIONS: Readonly<Record<Action, (supplement: string, medicine: string, time: string) => string>> = {
  avoid: (s, m) =>
    `Leave ${s} out while you take ${m}. Do not stop ${m} on your own; tell the doctor who prescribed it if you took both.`,
  separate: (s, m, time) => `Take ${m} ${time} ${s}.`,
  caution: (s, m) => `Ask the doctor or pharmacist who knows of your ${m} before you take ${s}.`,
  monitor: (s, m) => `Tell the doctor who prescribed ${m} that you take ${s}, so that it can be watched.`,
  inform: (s, m) => `Mention ${s} to the doctor who prescribed ${m}.`,
};

const ABSORPTION: readonly LabelMechanism[] = ['chelation', 'adsorption', 'ph'];
const PHARMACODYNAMIC: readonly LabelMechanism[] = ['serotonergic', 'potassium', 'bleeding', 'antagonism', 'additive'];

const typeOf = ({
  mechanism,
  affected,
}: LabelStatement): 'pharmacokinetic' | 'pharmacodynamic' | 'absorption' | 'unknown' => {
  if (ABSORPTION.includes(mechanism)) return 'absorption';
  if (PHARMACODYNAMIC.includes(mechanism)) return 'pharmacodynamic';
  return affected.endsWith('_lower') || affected.endsWith('_higher') ? 'pharmacokinetic' : 'unknown';
};

/** Supplements that act like adrenaline or are converted into it, and foods that release it. */
const SYMPATHOMIMETICS: ReadonlySet<string> = new Set([
  'bitter-orange',
  'caffeine',
  'ephedra',
  'hordenine',
  'l-tyrosine',
  'phenylethylamine',
  'tyramine',
  'yohimbe',
]);
const MAO_INHIBITORS =
  /^(?:isocarboxazid|linezolid|methylene blue|moclobemide|phenelzine|rasagiline|safinamide|selegiline|tranylcypromine)$/;
const ORAL_RETINOIDS = /^(?:acitretin|alitretinoin|isotretinoin|tretinoin)$/;

/** Consequences when a medicine stops working, by the ending of its international nonproprietary name or by its name. */
const LOST: readonly (readonly [RegExp, string])[] = [
  [/vir\b|virine\b|\bcobicistat\b/, 'The virus can then come back and become resistant.'],
  [/tinib\b/, 'The cancer may then grow.'],
  [/conazonium\b|conazole\b/, 'A fungal infection may then get worse.'],
  [/^artemether|^lumefantrine/, 'The malaria may then not be cured.'],
  [/^mavacamten$/, 'When it is stopped, the level rises again and can weaken the heart dangerously.'],
];

/** Returns the outcome as a sentence, for labels whose quote only states that the two must not be combined; "" for most. */
const outcomeOf = ({ supplement, medicine, affected, severity }: LabelStatement): string => {
  if (SYMPATHOMIMETICS.has(supplement.slug) && MAO_INHIBITORS.test(medicine))
    return 'Blood pressure can shoot up, with a severe headache, chest pain or a stroke.';
  if (supplement.slug === 'vitamin-a' && ORAL_RETINOIDS.test(medicine))
    return 'Both are forms of vitamin A, and together they can reach poisonous amounts.';
  if (affected !== 'medicine_lower' || severity === 'minor') return '';
  return LOST.find(([name]) => name.test(medicine))?.[1] ?? '';
};

/** A label that lists many medicines and supplements without a figure describes at most a slight effect. */
const LONG_LIST = 6;
const isOneOfMany = ({ names, quote }: LabelStatement): boolean =>
  names === 'supplement' && quote.split(',').length > LONG_LIST && !/\d ?%|-fold/.test(quote);

/**
 * Formats a name for use within a sentence: "St John's wort" and "S-Adenosylmethionine" keep their capitals, "Calcium" and
 * "Vitamin A" do not.
 */
const within = (name: string): string =>
  /^[A-Z][a-z]+(?:[ -][a-z]| \(| [A-Z]\d*\b|$)/.test(name) ? `${name.charAt(0).toLowerCase()}${name.slice(1)}` : name;

export const labelAddress = (setId: string): string =>
  `https://dailymed.nlm.nih.gov/dailymed/drugInfo.cfm?setid=${encodeURIComponent(setId)}`;

/** A label that names a group only states a mechanism; that the supplement belongs to the group is our own judgement. */
const BASIS_OF_NAMES = { supplement: 'label', class: 'mechanism', practice: 'practice' } as const;

/** Builds the rule of a statement. It counts as well documented if the label names the supplement itself. */
export const ruleOfLabel = (slug: string, statement: LabelStatement): RuleEntry => {
  const { supplement, medicine, affected, mechanism, severity, setId, section, date, quote } = statement;
  const inside = within(supplement.name);
  const words = EFFECTS[affected][mechanism] ?? EFFECTS[affected].other;
  const action = actionOf(statement);
  const time = apart(statement);
  const longest = Math.max(statement.hoursBefore ?? 0, statement.hoursAfter ?? 0);
  return {
    slug,
    with: { drug: medicine },
    severity,
    action,
    basis: BASIS_OF_NAMES[statement.names],
    likelihood: statement.names === 'supplement' ? 'likely' : 'probable',
    ...(severity === 'minor' &&
      isOneOfMany(statement) && { severity_reason: 'The label lists it among many others, without a figure.' }),
    effect: [
      words(affected.startsWith('supplement') ? inside : supplement.name, medicine),
      outcomeOf(statement),
      statement.note,
    ]
      .filter(Boolean)
      .join(' '),
    recommendation: RECOMMENDATIONS[action](inside, medicine, time),
    mechanism: {
      type: typeOf(statement),
      ...(statement.names === 'class' && {
        detail: `The label speaks of a group of medicines or substances. ${supplement.name} acts in the same way.`,
      }),
    },
    ...(time && longest > 0 && { timing: { separate_hours: longest, ...timingNote(statement) } }),
    direction: 'harmful',
    sources: [
      statement.names === 'practice'
        ? { practice: true as const }
        : { authority: `FDA label of ${medicine}`, address: labelAddress(setId), section, date, quote },
    ],
  };
};
