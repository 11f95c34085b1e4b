/** Rules and cautions as the book stores them: the entry with its names, its sources and their strength. */
import type { Tier } from '#plugins/evidence/index.ts';
import type { Origin } from '#plugins/vocabulary/index.ts';
import type { DrugBook, DrugClass } from '../drugs/drug-book.ts';
import {
  basisOf,
  type CitedSource,
  type EvidenceBasis,
  originOf,
  type SourceFinder,
  tierOf,
} from '../rules/cited-sources.ts';
import { drugNamed } from '../rules/cross-check.ts';
import type { CautionRow, DepletionRow, RuleRow } from '../rules/entries.ts';
import type { CautionEntry, DepletionEntry, RuleEntry } from '../rules/schemas.ts';
import { LIKELIHOODS, severityRank } from '../rules/severity-labels.ts';
import type { Grounds } from './grounds.ts';

/** The subject of a rule: a supplement, or a substance with its kind ("food", "restricted" …). */
export interface Subject {
  readonly slug: string;
  readonly name: string;
  readonly kind: 'supplement' | 'substance';
  /** "" for supplements that no law bans or restricts. */
  readonly substanceKind: string;
  /** Why a substance carries a warning, or why a supplement is banned or restricted; "" for all others. */
  readonly statement: string;
  readonly authority: { readonly name: string; readonly address: string } | null;
  /** `2026-01`, or "". */
  readonly statusAsOf: string;
}

export interface Target {
  readonly kind: 'class' | 'drug' | 'supplement' | 'food';
  readonly slug: string;
  readonly name: string;
}

interface Weighed {
  readonly sources: readonly CitedSource[];
  readonly tier: Tier;
  readonly evidenceBasis: EvidenceBasis;
  readonly origin: Origin;
  readonly digest: string;
  readonly changedAt: string;
}

export interface RuleException {
  readonly drugSlug: string;
  readonly drug: string;
  readonly note: string;
  readonly sources: readonly CitedSource[];
}

export interface RuleRecord extends Weighed {
  readonly slug: string;
  readonly subject: Subject;
  readonly target: Target;
  readonly entry: RuleEntry;
  readonly exceptions: readonly RuleException[];
  /** Members of the class with which it was studied. */
  readonly studied: readonly { readonly drugSlug: string; readonly sources: readonly CitedSource[] }[];
}

export interface CautionRecord extends Weighed {
  readonly id: string;
  readonly subject: Subject;
  readonly entry: CautionEntry;
}

export interface DepletionRecord extends Weighed {
  readonly slug: string;
  readonly nutrient: Subject;
  readonly target: Target;
  readonly entry: DepletionEntry;
}

/** The subjects, drugs and sources from which records are built. */
export interface Surroundings {
  readonly subjects: ReadonlyMap<string, Subject>;
  readonly drugs: DrugBook;
  readonly find: SourceFinder;
}

const weigh = (row: RuleRow | CautionRow | DepletionRow, find: SourceFinder): Weighed => {
  const sources = row.data.sources.map(find);
  const { digest, changedAt } = row;
  const states = sources.map(({ row: source }) => source && [source.sourceId, Number(source.revision)]);
  return {
    sources,
    tier: tierOf(sources),
    evidenceBasis: basisOf(sources),
    origin: originOf('origin' in row.data ? row.data.origin : undefined, sources),
    digest: `${digest} ${JSON.stringify(states)}`,
    changedAt:
      [changedAt, ...sources.map(({ row: source }) => source?.updatedAt.toISOString() ?? '')].sort().at(-1) ?? '',
  };
};

/**
 * Resolves the target of a rule; null for a name that was removed since the entry was read. The file is rejected when it is next
 * edited.
 */
const targetOf = (given: RuleEntry['with'], { subjects, drugs }: Surroundings): Target | null => {
  if (given.class !== undefined) {
    const found = drugs.classes.get(given.class);
    return found ? { kind: 'class', slug: found.slug, name: found.name } : null;
  }
  if (given.drug !== undefined) {
    const found = drugNamed(drugs, given.drug);
    return found && { kind: 'drug', slug: found.slug, name: found.name };
  }
  const subject = subjects.get(given.supplement ?? given.food ?? '');
  if (!subject) return null;
  return { kind: subject.substanceKind === 'food' ? 'food' : 'supplement', slug: subject.slug, name: subject.name };
};

export const toRule = (row: RuleRow, around: Surroundings): RuleRecord | null => {
  const subject = around.subjects.get(row.subject);
  const target = targetOf(row.data.with, around);
  if (!subject || !target) return null;
  const exceptions = (row.data.exceptions ?? []).flatMap(({ drug, note, sources = [] }): RuleException[] => {
    const found = drugNamed(around.drugs, drug);
    return found ? [{ drugSlug: found.slug, drug: found.name, note, sources: sources.map(around.find) }] : [];
  });
  const studied = (row.data.studied ?? []).flatMap(({ drug, sources }) => {
    const found = drugNamed(around.drugs, drug);
    return found ? [{ drugSlug: found.slug, sources: sources.map(around.find) }] : [];
  });
  return { slug: row.id, subject, target, entry: row.data, exceptions, studied, ...weigh(row, around.find) };
};

export const toCaution = (row: CautionRow, around: Surroundings): CautionRecord | null => {
  const subject = around.subjects.get(row.subject);
  return subject ? { id: row.id, subject, entry: row.data, ...weigh(row, around.find) } : null;
};

export const toDepletion = (row: DepletionRow, around: Surroundings): DepletionRecord | null => {
  const nutrient = around.subjects.get(row.subject);
  const target = targetOf({ class: row.data.class, drug: row.data.drug }, around);
  return nutrient && target
    ? { slug: row.data.slug, nutrient, target, entry: row.data, ...weigh(row, around.find) }
    : null;
};

/** A rule as it applies to one drug. */
export interface Applied {
  readonly rule: RuleRecord;
  /** The class through which it applies; null if it names the drug itself. */
  readonly viaClass: DrugClass | null;
  /** The grounds of the rule for this drug. */
  readonly grounds: Grounds;
}

const likelihoodRank = ({ entry }: { readonly entry: Pick<RuleEntry, 'likelihood'> }): number =>
  LIKELIHOODS.indexOf(entry.likelihood);

/** Compares rules: by severity (most serious first), then likelihood, then tier, then slug. This is the only order of rules. */
export const byGravity = (a: RuleRecord, b: RuleRecord): number =>
  severityRank(a.entry.severity) - severityRank(b.entry.severity) ||
  likelihoodRank(a) - likelihoodRank(b) ||
  (a.tier < b.tier ? -1 : a.tier > b.tier ? 1 : 0) ||
  (a.slug < b.slug ? -1 : a.slug > b.slug ? 1 : 0);

/** Compares applied rules; of two equally serious rules, the one that names the drug itself comes first. */
export const byGravityApplied = (a: Applied, b: Applied): number =>
  severityRank(a.rule.entry.severity) - severityRank(b.rule.entry.severity) ||
  Number(a.viaClass !== null) - Number(b.viaClass !== null) ||
  LIKELIHOODS.indexOf(a.grounds.likelihood) - LIKELIHOODS.indexOf(b.grounds.likelihood) ||
  byGravity(a.rule, b.rule);
