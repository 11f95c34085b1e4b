import type { SourceRecord } from '../source-record.ts';
import { BIAS_POINTS } from './formula.ts';
import type { RecordText } from './record-text.ts';
import type { BiasFamily, BiasSignal, StudyKind } from './study-kind.ts';

const PATTERNS: Readonly<Record<BiasSignal, RegExp>> = {
  randomised: /\brandom(?:i[sz]ed|i[sz]ation|ly|i[sz]e)?\b/,
  double_blind:
    /\b(?:double|triple|quadruple)[- ]?(?:blind(?:ed|ly)?|mask(?:ed)?)\b|\b(?:participants|patients|subjects),? (?:and|[a-z]+, and) (?:[a-z]+ ){0,3}(?:were|are) (?:blinded|masked)\b|\bmasking: (?:double|triple|quadruple)\b/,
  single_blind: /\b(?:single|observer|assessor|investigator|evaluator)[- ]?(?:blind(?:ed)?|mask(?:ed)?)\b/,
  placebo: /\bplacebo(?:s|-controlled)?\b|\bsham\b|\bdummy\b/,
  preregistered:
    /\bnct ?\d{8}\b|\bisrctn ?\d+|\bactrn ?\d+|\birct ?\d+|\bchictr|\bctri\/|\bumin ?\d+|\bdrks ?\d+|\bjprn|\beudract|\bprospero\b|\bcrd ?\d{8,}|\btrial regist(?:ration|ered|ry)\b|\bclinicaltrials\.gov\b|\bopen science framework\b|\bregistered (?:at|in|with|on|under)\b/,
  allocation:
    /\ballocation concealment\b|\bconcealed allocation\b|\ballocation was concealed\b|\bopaque,? (?:\w+,? )?(?:sealed )?envelopes?\b|\bsealed envelopes?\b|\bcomputer-generated\b|\bintention[- ]to[- ]treat\b|\bintent-to-treat\b|\bcentral(?:ly)? randomi[sz]/,
  randomised_trials_only:
    /\b(?:randomi[sz]ed (?:clinical |placebo-controlled |double-blind |controlled )?(?:clinical )?(?:trials|studies)|rcts|randomi[sz]ed controlled trials?)\b/,
  bias_assessed:
    /\brisk of bias\b|\bcochrane (?:collaboration'?s? )?(?:tool|risk|handbook)\b|\bjadad\b|\bgrade\b(?= approach| system| methodology| criteria| quality| certainty|\))|\bquality (?:assessment|of (?:the )?(?:evidence|studies|trials|included))\b|\bpedro\b|\brob ?2\b|\bnewcastle-ottawa\b|\bmethodological quality\b|\bamstar\b|\bcertainty of (?:the )?evidence\b/,
  several_databases:
    /\b(?:pubmed|medline|embase|cochrane|scopus|web of science|central|cinahl|psycinfo|lilacs|google scholar)\b[^.]{0,120}\b(?:pubmed|medline|embase|cochrane|scopus|web of science|central|cinahl|psycinfo|lilacs|google scholar)\b|\b(?:electronic|several|multiple|three|four|five|six|seven|eight) (?:\w+ )?databases\b/,
  prospective: /\bprospective(?:ly)?\b|\bfollow(?:ed)?[- ]?up\b|\bperson-years\b/,
  adjusted:
    /\badjust(?:ed|ing|ment)\b|\bmultivaria(?:ble|te)\b|\bconfound(?:ers|ing)\b|\bmatched\b|\bpropensity\b|\bcox proportional\b|\blogistic regression\b/,
  systematic_basis: /\bsystematic(?:ally)?\b|\bgrade\b|\bevidence-based\b|\bmeta-?analys/,
};

const FAMILIES: Readonly<Partial<Record<StudyKind, BiasFamily>>> = {
  rct: 'trial',
  non_randomised_trial: 'trial',
  registered_trial: 'trial',
  meta_analysis: 'review',
  systematic_review: 'review',
  cohort: 'observational',
  case_control: 'observational',
  cross_sectional: 'observational',
  guideline: 'guideline',
};

/** Returns the family of designs that selects the table of safeguards for a kind of study. */
export const biasFamilyOf = (kind: StudyKind): BiasFamily => FAMILIES[kind] ?? 'none';

const METHODS_PART = 20_000;

/** Finds the safeguards that the title, the abstract and the first part of the full text state. */
export const findBiasSignals = (record: SourceRecord, text: RecordText, kind: StudyKind): ReadonlySet<BiasSignal> => {
  const all = `${text.title} . ${text.abstract} . ${text.body.slice(0, METHODS_PART)}`;
  const found = new Set<BiasSignal>();
  for (const { signal } of BIAS_POINTS[biasFamilyOf(kind)]) if (PATTERNS[signal].test(all)) found.add(signal);
  if (record.nctId !== '') found.add('preregistered');
  if (record.publicationTypes.some((type) => /^(?:rct|randomi[sz]ed(?: controlled trial)?)$/i.test(type)))
    found.add('randomised');
  if (kind === 'non_randomised_trial') found.delete('randomised');
  if (found.has('double_blind')) found.delete('single_blind');
  return found;
};

const CLINICAL_OUTCOME =
  /\b(?:mortality|deaths?|survival|incidence|symptoms?|pain|falls?|fractures?|infections?|episodes?|relapses?|remission|hospitali[sz]ations?|hospital stay|length of stay|quality of life|depression|depressive|anxiety|insomnia|sleep|fatigue|cognitive|cognition|memory|performance|strength|blood pressure|birth weight|preterm birth|preeclampsia|pre-eclampsia|cancer|stroke|myocardial infarction|diabetes incidence|incident|seizures?|migraine|headache|nausea|vomiting|diarrh(?:o)?ea|constipation|colic|body weight|weight loss|growth|height|stunting|wound healing|walking|function scores?|womac|scores?|severity|duration of|recurrence|pregnancy rate|live birth|time to exhaustion|adverse events|delirium|enterocolitis|sepsis|dyspepsia|hot flashes|visual acuity|bone mineral density|muscle mass|lean mass)\b/;

/**
 * Returns whether the title or abstract measures something that a person feels, does or suffers, rather than a laboratory value
 * alone.
 */
export const hasClinicalOutcome = (text: RecordText): boolean =>
  CLINICAL_OUTCOME.test(text.title) || CLINICAL_OUTCOME.test(text.ownWork);
