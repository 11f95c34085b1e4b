/** Builds the view of a rule: severity and action first, then the reason, the certainty and the sources. */
import { type Static, Type } from 'typebox';
import {
  dayInWords,
  inSentence,
  LinkView,
  OptionalTier,
  SourceView,
  type Tier,
  tierView,
  toSourceView,
} from '#plugins/evidence/index.ts';
import { OriginView, originView } from '#plugins/vocabulary/index.ts';
import { speaksOfPair } from '../book/grounds.ts';
import type { InteractionBook } from '../book/interaction-book.ts';
import type { CautionRecord, RuleRecord } from '../book/rule-record.ts';
import { effectOf, sourcesOf } from '../checker/finding.ts';
import type { Hit } from '../checker/lookup.ts';
import { type CitedSource, type EvidenceBasis, PRACTICE_WORDS, urlOf } from '../rules/cited-sources.ts';
import { BASIS_WORDS } from '../rules/grounds.ts';
import { labelAddress } from '../rules/label-rules.ts';
import type { CautionEntry, RuleEntry } from '../rules/schemas.ts';
import {
  CONDITION_WORDS,
  cautionSeverityWord,
  cautionToDo,
  doseInWords,
  LIKELIHOOD_WORDS,
  pairToDo,
  SEVERITIES,
  SEVERITY_WORDS,
  type Severity,
} from '../rules/severity-labels.ts';
import { severityReasons } from '../rules/severity-rule.ts';

export const SeverityView = Type.Object({ code: Type.String({ enum: [...SEVERITIES] }), word: Type.String() });
export const severityView = (code: Severity): Static<typeof SeverityView> => ({ code, word: SEVERITY_WORDS[code] });

const CitedView = Type.Object({
  /** Null for a source that is not in the database. */
  source: Type.Union([SourceView, Type.Null()]),
  name: Type.String(),
  detail: Type.String(),
  /** Short form of the target of `href` for the page of an authority; "" otherwise. The printed page shows the whole address. */
  site: Type.String(),
  href: Type.String(),
  quote: Type.String(),
});

export const RuleView = Type.Object({
  anchor: Type.String(),
  /** The other side of the interaction, as seen from the page. */
  heading: Type.String(),
  href: Type.String(),
  severity: SeverityView,
  toDo: Type.String(),
  recommendation: Type.String(),
  effect: Type.String(),
  mechanism: Type.String(),
  mechanismDetail: Type.String(),
  likelihood: Type.String(),
  tier: OptionalTier,
  evidence: Type.String(),
  basis: Type.String(),
  /** Grounds of the rule in this case, in one line; "" for a caution. */
  grounds: Type.String(),
  /** Reasons for the severity, by the written rule of severity; "" for a caution. */
  severityWhy: Type.String(),
  viaClass: Type.Union([LinkView, Type.Null()]),
  onset: Type.String(),
  timing: Type.String(),
  threshold: Type.String(),
  exceptions: Type.Array(Type.Object({ drug: Type.String(), note: Type.String() })),
  /** Links to the pages of the single medicines that a class rule applies to. */
  reaches: Type.Array(LinkView),
  sources: Type.Array(CitedView),
  reviewedOn: Type.String(),
  /** Origin of the entry: a source that was read, a quoted label, a data file or professional knowledge. */
  origin: OriginView,
});
export type RuleView = Static<typeof RuleView>;

const MECHANISM_WORDS: Readonly<Record<string, string>> = {
  pharmacokinetic: 'One changes how much of the other is in the body',
  pharmacodynamic: 'Both act on the same thing, or against each other',
  absorption: 'One keeps the other from being taken up in the gut',
  unknown: 'Why it happens is not known',
};
const ONSET_WORDS: Readonly<Record<string, string>> = {
  rapid: 'Within about a day',
  delayed: 'After days or weeks',
  unknown: 'Not known',
};

const EVIDENCE_WORDS: Readonly<Record<EvidenceBasis, string>> = {
  graded: 'best graded source',
  authority: 'an authority or a label states it; this base has no graded study of it',
  reference: 'papers are cited by title; none of them is graded in this base',
  practice: 'general professional knowledge, pending a source',
};

const monthFormat = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' });

/** Returns the place of a quote on DailyMed ("Drug interactions, label of 11 September 2023"); "" for other sources. */
const placeInLabel = ({ section = '', date = '' }: CitedSource['given']): string => {
  const name = section
    .replace(/_table$/, ' (table)')
    .replaceAll('_', ' ')
    .replace('and cautions', 'and precautions');
  const edition =
    date.length > 7
      ? `label of ${dayInWords(date)}`
      : `label as of ${date.length > 4 ? monthFormat.format(new Date(date)) : date}`;
  return [name && `${name.charAt(0).toUpperCase()}${name.slice(1)}`, date && edition].filter(Boolean).join(', ');
};

const citedView = (cited: CitedSource): Static<typeof CitedView> => {
  const { row, given } = cited;
  const site = given.authority ? (given.address ?? '').replace(/^https?:\/\/(www\.)?/, '').replace(/[?#].*$/, '') : '';
  const detail = [given.journal, given.year, given.pmid && `PMID ${given.pmid}`].filter(Boolean).join(', ');
  const name = given.authority ? [given.authority, given.title].filter(Boolean).join(': ') : (given.title ?? '');
  return {
    source: row && toSourceView(row),
    name: name || (given.ref ?? (given.practice ? PRACTICE_WORDS : '')),
    detail: given.ref && !row ? 'not in the base at present' : detail || placeInLabel(given),
    site,
    href: urlOf(cited),
    quote: given.quote ?? '',
  };
};

const hours = (n: number): string => `${n} hour${n === 1 ? '' : 's'}`;

const timingOf = ({ timing }: RuleEntry | CautionEntry): string => {
  if (!timing) return '';
  const apart = timing.separate_hours ? `Take them at least ${hours(timing.separate_hours)} apart.` : '';
  return [apart, timing.note].filter(Boolean).join(' ');
};

/**
 * Formats the dose threshold. A note such as "of leaf extract" continues after a colon; a separate sentence follows a full stop.
 */
const thresholdOf = ({ dose_threshold: dose }: RuleEntry | CautionEntry): string => {
  if (!dose) return '';
  const note = (dose.note ?? '').replace(/^Of /, 'of ');
  const sign = /^[A-Z]/.test(note) ? '.' : ':';
  return `From about ${doseInWords(dose)}${note ? `${sign} ${note}` : ''}`;
};

/** Returns the tier only for graded evidence: the letter rates the best study, so it needs a study. */
const tierShown = (basis: EvidenceBasis, tier: Tier) => (basis === 'graded' ? tierView(tier) : null);

const shared = (record: RuleRecord | CautionRecord) => {
  const { entry, sources, tier, evidenceBasis, origin } = record;
  return {
    recommendation: entry.recommendation.trim(),
    mechanism: MECHANISM_WORDS[entry.mechanism?.type ?? 'unknown'] ?? '',
    mechanismDetail: entry.mechanism?.detail ?? '',
    tier: tierShown(evidenceBasis, tier),
    evidence: EVIDENCE_WORDS[evidenceBasis],
    onset: ONSET_WORDS[entry.onset ?? 'unknown'] ?? '',
    timing: timingOf(entry),
    threshold: thresholdOf(entry),
    sources: sources.map(citedView),
    reviewedOn: dayInWords(entry.reviewed_at ?? record.changedAt),
    origin: originView(origin),
  };
};

export interface Shown {
  readonly heading: string;
  readonly href: string;
  /** The medicine that the page is about; "" for the supplement's own page. */
  readonly drug: string;
}

const basisOf = ({ rule, viaClass, grounds }: Hit, drug: string): string => {
  if (rule.target.kind === 'supplement' || rule.target.kind === 'food') return 'A rule about these two themselves.';
  if (!viaClass) return `A rule about ${rule.target.name} itself.`;
  if (drug && speaksOfPair(grounds))
    return `${BASIS_WORDS[grounds.basis]}. The severity is that of ${inSentence(viaClass.name)} as a class.`;
  return drug
    ? `Expected from the class: the sources speak of the group, and need not name ${drug}.`
    : 'Expected of every medicine of the class, unless it is named as an exception.';
};

/** Returns the labels that state a property of the medicine, each sentence once. */
const labelsOf = ({ grounds }: Hit): readonly CitedSource[] => {
  const read = grounds.facts.filter(({ basis, sentence }) => basis === 'label' && sentence);
  return [...new Map(read.map((fact) => [fact.sentence, fact])).values()].map(({ setId, sentence }) => ({
    kind: 'authority',
    row: null,
    given: { authority: 'FDA label of the medicine', address: labelAddress(setId), quote: sentence },
  }));
};

export const ruleView = (book: InteractionBook, hit: Hit, { heading, href, drug }: Shown): RuleView => {
  const { rule, viaClass } = hit;
  const reached =
    drug || !viaClass
      ? []
      : book
          .pairsOf(rule.subject.slug)
          .filter((pair) => pair.applied.some((applied) => applied.rule.slug === rule.slug));
  return {
    anchor: rule.slug,
    heading,
    href,
    // If the page is about the class itself, or about all interactions of a supplement, the heading already names the class.
    effect: drug || hit.only ? effectOf(hit) : rule.entry.effect.trim(),
    basis: basisOf(hit, drug),
    likelihood: LIKELIHOOD_WORDS[hit.grounds.likelihood],
    grounds: hit.grounds.statement,
    severityWhy: severityReasons(rule)
      .map(({ text }) => text)
      .join(' '),
    viaClass: viaClass && { name: viaClass.name, href: `/interactions/${book.hubOf('class', viaClass.slug)}` },
    exceptions: rule.exceptions.map((exception) => ({ drug: exception.drug, note: exception.note })),
    severity: severityView(rule.entry.severity),
    toDo: pairToDo(rule.entry.severity, rule.entry.action),
    reaches: reached.map((pair) => ({ name: pair.drug.name, href: `/interactions/${pair.slug}` })),
    ...shared(rule),
    sources: [...sourcesOf(hit), ...hit.grounds.studies, ...labelsOf(hit)].map(citedView),
  };
};

/** Builds the view of a caution; it reads like a rule whose other side is a state of the person. */
export const cautionView = (caution: CautionRecord): RuleView => ({
  anchor: caution.id.replaceAll(':', '-'),
  heading: caution.entry.name ?? CONDITION_WORDS[caution.entry.condition],
  href: '',
  effect: caution.entry.effect.trim(),
  severity: {
    code: caution.entry.severity,
    word: cautionSeverityWord(caution.entry.severity, Boolean(caution.entry.dose_threshold)),
  },
  toDo: cautionToDo(caution.entry.severity, caution.entry.action, Boolean(caution.entry.dose_threshold)),
  basis: '',
  likelihood: LIKELIHOOD_WORDS[caution.entry.likelihood],
  grounds: '',
  severityWhy: '',
  viaClass: null,
  exceptions: [],
  reaches: [],
  ...shared(caution),
});

/** One line of a list: a name, its page and its severity. */
export const LineView = Type.Object({
  name: Type.String(),
  href: Type.String(),
  severity: SeverityView,
  text: Type.String(),
});
export type LineView = Static<typeof LineView>;
