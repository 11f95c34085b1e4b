/**
 * Scales of an interaction, most serious first, and their labels for readers. Severity, likelihood and evidence are separate
 * scales.
 */

export const SEVERITIES = ['contraindicated', 'major', 'moderate', 'minor', 'unknown'] as const;
export type Severity = (typeof SEVERITIES)[number];
export const ACTIONS = ['avoid', 'caution', 'monitor', 'separate', 'inform'] as const;
export type Action = (typeof ACTIONS)[number];
export const LIKELIHOODS = ['likely', 'probable', 'possible', 'unlikely'] as const;
export type Likelihood = (typeof LIKELIHOODS)[number];
export const MECHANISMS = ['pharmacokinetic', 'pharmacodynamic', 'absorption', 'unknown'] as const;
export const ONSETS = ['rapid', 'delayed', 'unknown'] as const;
export const RULE_DIRECTIONS = ['harmful', 'beneficial', 'monitoring'] as const;
/** States of a person that a caution may be about; medicines are not among them. */
export const CAUTION_CONDITIONS = [
  'pregnancy',
  'breastfeeding',
  'trying-to-conceive',
  'surgery',
  'kidney-disease',
  'liver-disease',
  'bleeding-disorder',
  'diabetes',
  'hypertension',
  'heart-disease',
  'seizures',
  'autoimmune',
  'immunocompromised',
  'thyroid',
  'high-cholesterol',
  'children',
  'older-adults',
  'driving',
  'lab-tests',
  'other',
] as const;
export type CautionCondition = (typeof CAUTION_CONDITIONS)[number];

export const SEVERITY_WORDS: Readonly<Record<Severity, string>> = {
  contraindicated: 'Do not combine',
  major: 'Major',
  moderate: 'Moderate',
  minor: 'Minor',
  unknown: 'Severity not known',
};

/** Recommended action, which the reader sees directly after the severity. */
export const ACTION_WORDS: Readonly<Record<Action, string>> = {
  avoid: 'Avoid the combination unless a doctor who knows of both agrees',
  caution: 'Talk to a doctor or pharmacist before combining',
  monitor: 'Have it monitored by the doctor who prescribed the medicine',
  separate: 'Take them apart in time',
  inform: 'Mention it to a doctor or pharmacist',
};

/** Returns the recommended action for a pair. For a contraindicated pair the first line names no exception. */
export const pairToDo = (severity: Severity, action: Action): string =>
  severity === 'contraindicated' && action === 'avoid'
    ? 'Do not take them together; ask a doctor before you change either'
    : ACTION_WORDS[action];

/**
 * Returns the severity label of a caution. A state of the person is not a combination, so the most serious label differs; some
 * cautions begin at a dose.
 */
export const cautionSeverityWord = (severity: Severity, beginsAtDose: boolean): string => {
  if (severity === 'unknown') return 'Too little is known';
  if (severity !== 'contraindicated') return SEVERITY_WORDS[severity];
  return beginsAtDose ? 'Not above a dose' : 'Do not take it';
};

const CAUTION_ACTION_WORDS: Readonly<Record<Action, string>> = {
  avoid: 'Leave it out unless a doctor who knows of this agrees',
  caution: 'Talk to a doctor or pharmacist before taking it',
  monitor: 'Have a doctor watch it',
  separate: 'Mind when it is taken',
  inform: 'Mention it to a doctor or pharmacist',
};
/** Returns the recommended action for a state of health. */
export const cautionToDo = (severity: Severity, action: Action, beginsAtDose: boolean): string => {
  if (severity !== 'contraindicated' || action !== 'avoid') return CAUTION_ACTION_WORDS[action];
  return beginsAtDose
    ? 'Stay below the dose named here; ask a doctor if you have taken more'
    : 'Leave it out, and tell a doctor if you have taken it';
};

/** Returns the most serious severity of a list of rules and cautions, and its label. */
export const worstWord = (
  rules: Severity | null,
  cautions: Severity | null,
): { code: Severity; word: string } | null => {
  const code = SEVERITIES.find((severity) => severity === rules || severity === cautions);
  if (!code) return null;
  const only = code === 'contraindicated' && rules !== code;
  return { code, word: only ? 'Not for some people' : SEVERITY_WORDS[code] };
};

export const LIKELIHOOD_WORDS: Readonly<Record<Likelihood, string>> = {
  likely: 'Likely: well documented',
  probable: 'Probable: documented, with gaps',
  possible: 'Possible: from theory, animals or a few reports',
  unlikely: 'Unlikely',
};

export const CONDITION_WORDS: Readonly<Record<CautionCondition, string>> = {
  pregnancy: 'Pregnancy',
  breastfeeding: 'Breastfeeding',
  'trying-to-conceive': 'Trying to conceive',
  surgery: 'Surgery',
  'kidney-disease': 'Kidney disease',
  'liver-disease': 'Liver disease',
  'bleeding-disorder': 'Bleeding disorder',
  diabetes: 'Diabetes',
  hypertension: 'High blood pressure',
  'heart-disease': 'Heart disease',
  seizures: 'Seizures',
  autoimmune: 'Autoimmune disease',
  immunocompromised: 'Weakened immune system',
  thyroid: 'Thyroid disease',
  'high-cholesterol': 'High cholesterol',
  children: 'Children',
  'older-adults': 'Older adults',
  driving: 'Driving and machines',
  'lab-tests': 'Laboratory tests',
  other: 'Other',
};

/** Returns the rank of a severity; 0 is the most serious. */
export const severityRank = (severity: Severity): number => SEVERITIES.indexOf(severity);

interface Weight {
  readonly severity: Severity;
  readonly action: Action;
  readonly likelihood: Likelihood;
}

/** Compares two entries by severity (most serious first), then action ("avoid" first), then likelihood. */
export const gravestFirst = (a: Weight, b: Weight): number =>
  severityRank(a.severity) - severityRank(b.severity) ||
  ACTIONS.indexOf(a.action) - ACTIONS.indexOf(b.action) ||
  LIKELIHOODS.indexOf(a.likelihood) - LIKELIHOODS.indexOf(b.likelihood);

export const NOT_FOUND_MESSAGE = 'No record in our sources. This does not mean the combination is safe.';
export const NOTHING_CHECKED_MESSAGE = 'Nothing was checked: give both a supplement and a drug.';
export const ASK_A_PHARMACIST = 'Medicine with medicine is not covered here: ask a pharmacist.';
export const TWO_MEDICINES_MESSAGE = `${ASK_A_PHARMACIST} Nothing was checked, which does not mean that the two are safe together.`;
export const TWO_SUPPLEMENTS_MESSAGE = `${NOT_FOUND_MESSAGE} Few pairs of supplements are covered here: ask a pharmacist.`;
/** Authorities that list the combinations to avoid with a medicine; their pages have existed for many years. */
export const AUTHORITIES = [
  { name: 'NHS: medicines A to Z', url: 'https://www.nhs.uk/medicines/' },
  { name: 'MedlinePlus: drugs, herbs and supplements', url: 'https://medlineplus.gov/druginformation.html' },
] as const;
export const SIGNAL_CAVEAT =
  'Reports are not proof of cause: anyone may send one, many name several products, and nobody knows how many people took the product without harm.';

/** Formats a dose: "10,000 IU per day", "400 µg per day". */
export const doseInWords = ({
  amount,
  unit,
  per,
}: {
  amount: number;
  unit: string;
  per?: string | undefined;
}): string => `${amount.toLocaleString('en-GB')} ${unit === 'mcg' ? 'µg' : unit}${per ? ` per ${per}` : ''}`;
