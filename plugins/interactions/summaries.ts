/** Summaries of interactions for other plugins: one line per rule, counts per supplement, every pair. */
import type { Tier } from '#plugins/evidence/index.ts';
import type { InteractionBook } from './book/interaction-book.ts';
import type { RuleRecord } from './book/rule-record.ts';
import type { CautionEntry } from './rules/schemas.ts';
import {
  type Action,
  CONDITION_WORDS,
  doseInWords,
  type Likelihood,
  SEVERITIES,
  type Severity,
  severityRank,
} from './rules/severity-labels.ts';

export interface InteractionSummary {
  readonly slug: string;
  readonly supplementSlug: string;
  readonly supplement: string;
  /** Name of the drug, class, supplement or food. */
  readonly with: string;
  readonly withKind: 'drug' | 'class' | 'supplement' | 'food' | 'condition';
  readonly severity: Severity;
  readonly action: Action;
  readonly effect: string;
  readonly recommendation: string;
  readonly likelihood: Likelihood;
  readonly evidenceTier: Tier;
  readonly basis: 'pair' | 'class';
  readonly sourceCount: number;
  readonly url: string;
}

export interface InteractionCount {
  readonly rules: number;
  /** Number of single drugs to which the rules apply. */
  readonly drugs: number;
  readonly worst: Severity;
}

export interface InteractionPair {
  readonly supplementSlug: string;
  readonly drugSlug: string;
  readonly drug: string;
  readonly severity: Severity;
  readonly tier: Tier;
  readonly slug: string;
}

const urlOfRule = (book: InteractionBook, { subject, target, slug }: RuleRecord): string => {
  const pair = target.kind === 'drug' ? book.pair(subject.slug, target.slug) : null;
  return pair ? `/interactions/${pair.slug}` : `/interactions/${subject.slug}#${slug}`;
};

/** Returns the summary as seen from `from`: a rule of another supplement that names it is shown with that other supplement. */
export const summaryOf = (book: InteractionBook, rule: RuleRecord, from: string): InteractionSummary => {
  const { subject, target, entry } = rule;
  const own = subject.slug === from;
  const other = own ? target : { kind: 'supplement' as const, name: subject.name };
  return {
    slug: rule.slug,
    supplementSlug: from,
    supplement: own ? subject.name : target.name,
    with: other.name,
    withKind: other.kind,
    severity: entry.severity,
    action: entry.action,
    effect: entry.effect.trim(),
    recommendation: entry.recommendation.trim(),
    likelihood: book.groundsOf(rule).likelihood,
    evidenceTier: rule.tier,
    basis: target.kind === 'class' ? 'class' : 'pair',
    sourceCount: rule.sources.length,
    url: urlOfRule(book, rule),
  };
};

export const summariesOf = (book: InteractionBook, slug: string): readonly InteractionSummary[] =>
  book.rulesOf(slug).map((rule) => summaryOf(book, rule, slug));

/** Memoizes a function per book, because pages call it thousands of times. */
const oncePerBook = <T>(make: (book: InteractionBook) => T): ((book: InteractionBook) => T) => {
  const made = new WeakMap<InteractionBook, { readonly value: T }>();
  return (book) => {
    const known = made.get(book) ?? { value: make(book) };
    made.set(book, known);
    return known.value;
  };
};

/** Counts by supplement slug; supplements without a rule are omitted. */
export const countsOf = oncePerBook(
  (book): ReadonlyMap<string, InteractionCount> =>
    new Map(
      [...book.subjects.keys()].flatMap((slug): [string, InteractionCount][] => {
        const rules = book.rulesOf(slug);
        const severities = new Set(rules.map(({ entry }) => entry.severity));
        const worst = SEVERITIES.find((severity) => severities.has(severity));
        return worst ? [[slug, { rules: rules.length, drugs: book.pairsOf(slug).length, worst }]] : [];
      }),
    ),
);

const doseWords = (dose: CautionEntry['dose_threshold']): string | null =>
  dose ? `from about ${doseInWords(dose)}` : null;

/** One state of health in which a supplement or substance needs care. */
export interface CautionSummary {
  readonly state: string;
  readonly severity: Severity;
  /** The amount from which the caution applies, "from about 10,000 IU per day"; null for any amount. */
  readonly fromDose: string | null;
}

/** Cautions by slug, most serious first; subjects without cautions are omitted. */
export const cautionsBySlug = oncePerBook(
  (book): ReadonlyMap<string, readonly CautionSummary[]> =>
    new Map(
      [...book.subjects.keys()].flatMap((slug): [string, readonly CautionSummary[]][] => {
        const cautions = book
          .cautionsOf(slug)
          .map(({ entry }) => ({
            state: entry.name ?? CONDITION_WORDS[entry.condition],
            severity: entry.severity,
            fromDose: doseWords(entry.dose_threshold),
          }))
          .sort((a, b) => severityRank(a.severity) - severityRank(b.severity) || (a.state < b.state ? -1 : 1));
        return cautions.length ? [[slug, cautions]] : [];
      }),
    ),
);

export const pairsOf = oncePerBook((book): readonly InteractionPair[] =>
  book.pairs.map(({ slug, subject, drug, applied: [{ rule }] }) => ({
    supplementSlug: subject.slug,
    drugSlug: drug.slug,
    drug: drug.name,
    severity: rule.entry.severity,
    tier: rule.tier,
    slug,
  })),
);
