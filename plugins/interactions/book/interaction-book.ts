/** Expands every rule to the drugs that it applies to, in memory. Pages and the checker read only this book. */
import { versionOf } from '#plugins/evidence/index.ts';
import type { Drug, DrugBook } from '../drugs/drug-book.ts';
import { type DrugProperties, propertiesOf } from '../drugs/properties.ts';
import type { FloorData } from '../floor/floor-table.ts';
import type { EntryRow, SignalData } from '../rules/entries.ts';
import type { MechanismFact } from '../rules/mechanism-table.ts';
import { inTheory } from '../rules/severity-rule.ts';
import { type Address, addressesOf } from './addresses.ts';
import { type Forms, formsOf } from './forms.ts';
import { type Grounds, groundsOfClass, groundsOfMember, groundsOfRule, raisedBy } from './grounds.ts';
import { medicinesAmong } from './medicines-among.ts';
import {
  type Applied,
  byGravity,
  byGravityApplied,
  type CautionRecord,
  type DepletionRecord,
  type RuleException,
  type RuleRecord,
  type Subject,
  type Surroundings,
  toCaution,
  toDepletion,
  toRule,
} from './rule-record.ts';

/** One supplement or substance with one drug. */
export interface Pair {
  readonly slug: string;
  readonly subject: Subject;
  readonly drug: Drug;
  /** At least one rule, most serious first: the first is the answer, the others are shown beside it. */
  readonly applied: readonly [Applied, ...Applied[]];
}

/** A drug that a rule of its class excludes. */
export interface KnownException extends RuleException {
  readonly rule: RuleRecord;
}

export interface InteractionBook {
  readonly drugs: DrugBook;
  readonly subjects: ReadonlyMap<string, Subject>;
  readonly rules: readonly RuleRecord[];
  /** Sorted by subject, then by drug. */
  readonly pairs: readonly Pair[];
  pair(subjectSlug: string, drugSlug: string): Pair | null;
  pairsOf(subjectSlug: string): readonly Pair[];
  pairsOfDrug(drugSlug: string): readonly Pair[];
  /** Rules of a subject, and rules of other subjects that name it; most serious first. */
  rulesOf(subjectSlug: string): readonly RuleRecord[];
  /** Returns the grounds of a rule as a whole; for a class rule, those of its best documented medicine. */
  groundsOf(rule: RuleRecord): Grounds;
  /** Returns the rules between two supplements or foods, whichever of the two the rule is about. */
  between(a: string, b: string): readonly RuleRecord[];
  cautionsOf(subjectSlug: string): readonly CautionRecord[];
  readonly depletions: readonly DepletionRecord[];
  readonly signals: ReadonlyMap<string, SignalData>;
  /** Upper intake, and topics that were not studied, by supplement. */
  readonly floors: ReadonlyMap<string, FloorData>;
  /** Forms of supplements, and foods and products that contain one. */
  readonly forms: Forms;
  exceptionsOf(subjectSlug: string, drugSlug: string): readonly KnownException[];
  /** Returns the meaning of an address below /interactions/. */
  address(slug: string): Address | null;
  addresses(): Iterable<readonly [string, Address]>;
  /** Returns the last path segment of the page of a supplement, substance, drug or class. */
  hubOf(kind: 'subject' | 'drug' | 'class', slug: string): string;
  /** Returns the medicine that a substance is, such as one found as a hidden ingredient of products; null for all others. */
  medicineOf(subjectSlug: string): Drug | null;
  /** Returns the substances that are this medicine. */
  substancesOf(drugSlug: string): readonly Subject[];
  /** Changes whenever anything in the book changes. */
  readonly version: string;
}

const keyOf = (a: string, b: string): string => `${a} ${b}`;

const push = <K, V>(lists: Map<K, V[]>, key: K, value: V): void => {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
};

interface Expanded {
  readonly subject: Subject;
  readonly drug: Drug;
  readonly applied: Applied[];
}

/** Known facts about medicines and supplements, by slug. */
interface Facts {
  readonly properties: DrugProperties;
  readonly mechanisms: ReadonlyMap<string, readonly MechanismFact[]>;
}

interface Reached {
  readonly drug: Drug;
  readonly grounds: Grounds;
}

/**
 * Returns the drugs that a rule applies to, each with its grounds. A class rule applies to the members of the class and of its
 * narrower classes, except the exceptions of the rule and the members in which its mechanism cannot work.
 */
const reachOf = (rule: RuleRecord, drugs: DrugBook, { properties, mechanisms }: Facts): readonly Reached[] => {
  const { target, exceptions, subject } = rule;
  if (target.kind === 'drug') {
    const drug = drugs.drug(target.slug);
    return drug ? [{ drug, grounds: groundsOfRule(rule) }] : [];
  }
  if (target.kind !== 'class') return [];
  const left = new Set(exceptions.map(({ drugSlug }) => drugSlug));
  const known = mechanisms.get(subject.slug) ?? [];
  return drugs.membersOf(target.slug).flatMap((drug): Reached[] => {
    if (left.has(drug.slug)) return [];
    const grounds = groundsOfMember(rule, drug, properties.get(drug.slug) ?? [], known);
    return grounds ? [{ drug, grounds }] : [];
  });
};

/** Adjusts the class rules of a pair: rules that name the pair can raise their grounds, and theory alone does not forbid. */
const inLightOf = (applied: readonly Applied[]): Applied[] => {
  const direct = applied.flatMap(({ rule, viaClass }) => (viaClass ? [] : [rule]));
  return applied.map((one) =>
    one.viaClass ? inTheoryMilder({ ...one, grounds: raisedBy(one.rule, one.grounds, direct) }) : one,
  );
};

/** Removes the pair's own sources from every rule but the first; a further class rule shows only the sources of the class. */
const citedOnce = (applied: Applied, at: number): Applied =>
  at > 0 && applied.grounds.named.length ? { ...applied, grounds: { ...applied.grounds, named: [] } } : applied;

/** Lowers "contraindicated" for a rule that rests on theory alone, see `inTheory`. */
const inTheoryMilder = (applied: Applied): Applied => {
  const entry = applied.grounds.basis === 'theory' ? inTheory(applied.rule.entry) : applied.rule.entry;
  return entry === applied.rule.entry ? applied : { ...applied, rule: { ...applied.rule, entry } };
};

const expand = (rules: readonly RuleRecord[], drugs: DrugBook, facts: Facts): readonly Expanded[] => {
  const byKey = new Map<string, Expanded>();
  for (const rule of rules) {
    const viaClass = rule.target.kind === 'class' ? (drugs.classes.get(rule.target.slug) ?? null) : null;
    for (const { drug, grounds } of reachOf(rule, drugs, facts)) {
      const key = keyOf(rule.subject.slug, drug.slug);
      const known = byKey.get(key) ?? { subject: rule.subject, drug, applied: [] };
      known.applied.push({ rule, viaClass, grounds });
      byKey.set(key, known);
    }
  }
  const ordered = [...byKey.values()].map(({ subject, drug, applied }) => ({
    subject,
    drug,
    applied: inLightOf(applied).sort(byGravityApplied).map(citedOnce),
  }));
  return ordered.sort((a, b) =>
    a.subject.slug === b.subject.slug ? (a.drug.slug < b.drug.slug ? -1 : 1) : a.subject.slug < b.subject.slug ? -1 : 1,
  );
};

/** Returns the grounds of each rule as a whole, by slug. */
const groundsByRule = (rules: readonly RuleRecord[], expanded: readonly Expanded[]): ReadonlyMap<string, Grounds> => {
  const reached = new Map<string, Reached[]>();
  for (const { drug, applied } of expanded)
    for (const { rule, viaClass, grounds } of applied) if (viaClass) push(reached, rule.slug, { drug, grounds });
  return new Map(
    rules.map((rule) => [
      rule.slug,
      rule.target.kind === 'class' ? groundsOfClass(rule, reached.get(rule.slug) ?? []) : groundsOfRule(rule),
    ]),
  );
};

const present = <T>(values: readonly (T | null)[]): T[] => values.filter((value) => value !== null);

const rulesBySubject = (rules: readonly RuleRecord[]): Map<string, RuleRecord[]> => {
  const lists = new Map<string, RuleRecord[]>();
  for (const rule of rules) {
    push(lists, rule.subject.slug, rule);
    const { kind, slug } = rule.target;
    if ((kind === 'supplement' || kind === 'food') && slug !== rule.subject.slug) push(lists, slug, rule);
  }
  return lists;
};

/** Builds the whole book; about 7,000 pairs take some tens of milliseconds. */
export const buildInteractionBook = (entries: readonly EntryRow[], around: Surroundings): InteractionBook => {
  const { drugs, subjects } = around;
  const of = <K extends EntryRow['kind']>(kind: K) =>
    entries.filter((row): row is Extract<EntryRow, { kind: K }> => row.kind === kind);
  const rules = present(of('rule').map((row) => toRule(row, around))).sort(byGravity);
  const cautions = present(of('caution').map((row) => toCaution(row, around)));
  const depletions = present(of('depletion').map((row) => toDepletion(row, around)));
  const facts: Facts = {
    properties: propertiesOf(of('property')),
    mechanisms: new Map(of('mechanism').map(({ subject, data }) => [subject, data.facts])),
  };
  const expanded = expand(rules, drugs, facts);
  const grounds = groundsByRule(rules, expanded);
  const bySubject = rulesBySubject(rules);
  const named = new Set(
    [...cautions.map(({ subject }) => subject), ...depletions.map(({ nutrient }) => nutrient)].map(({ slug }) => slug),
  );
  for (const slug of bySubject.keys()) named.add(slug);
  const depleting = new Set(
    depletions.flatMap(({ target }) =>
      target.kind === 'drug' ? [target.slug] : drugs.membersOf(target.slug).map(({ slug }) => slug),
    ),
  );
  const medicines = medicinesAmong(subjects, drugs);
  const substances = Map.groupBy(
    [...medicines.keys()].flatMap((slug) => subjects.get(slug) ?? []),
    ({ slug }) => medicines.get(slug)?.slug ?? '',
  );
  const addresses = addressesOf(expanded, { named, depleting, drugs, subjects, medicines });
  const pairs = expanded.map(({ subject, drug, applied }): Pair => {
    const slug = addresses.pair(subject.slug, drug.slug);
    return { slug, subject, drug, applied: applied as unknown as Pair['applied'] };
  });
  const byKey = new Map(pairs.map((pair) => [keyOf(pair.subject.slug, pair.drug.slug), pair]));
  const pairsBySubject = Map.groupBy(pairs, ({ subject }) => subject.slug);
  const pairsByDrug = Map.groupBy(pairs, ({ drug }) => drug.slug);
  const cautionsBySubject = Map.groupBy(cautions, ({ subject }) => subject.slug);
  const weighed = [...rules, ...cautions, ...depletions];
  return {
    drugs,
    subjects,
    rules,
    pairs,
    pair: (subject, drug) => byKey.get(keyOf(subject, drug)) ?? null,
    pairsOf: (subject) => pairsBySubject.get(subject) ?? [],
    pairsOfDrug: (drug) => pairsByDrug.get(drug) ?? [],
    rulesOf: (subject) => bySubject.get(subject) ?? [],
    between: (a, b) =>
      (bySubject.get(a) ?? []).filter(
        ({ subject, target }) =>
          (target.kind === 'supplement' || target.kind === 'food') &&
          ((subject.slug === a && target.slug === b) || (subject.slug === b && target.slug === a)),
      ),
    cautionsOf: (subject) => cautionsBySubject.get(subject) ?? [],
    depletions,
    groundsOf: (rule) => grounds.get(rule.slug) ?? groundsOfRule(rule),
    signals: new Map(of('signal').map(({ subject, data }) => [subject, data])),
    floors: new Map(of('floor').map(({ subject, data }) => [subject, data])),
    forms: formsOf(of('form'), subjects),
    exceptionsOf: (subject, drug) =>
      (bySubject.get(subject) ?? []).flatMap((rule) =>
        rule.subject.slug === subject
          ? rule.exceptions.filter(({ drugSlug }) => drugSlug === drug).map((exception) => ({ ...exception, rule }))
          : [],
      ),
    address: addresses.find,
    addresses: addresses.all,
    hubOf: addresses.hubOf,
    medicineOf: (subject) => medicines.get(subject) ?? null,
    substancesOf: (drug) => substances.get(drug) ?? [],
    version: versionOf(
      weighed.map(({ digest }) => digest),
      of('signal').map(({ digest }) => digest),
      [...of('property'), ...of('mechanism'), ...of('floor'), ...of('form')].map(({ digest }) => digest),
      drugs.version,
      [...subjects.values()],
    ),
  };
};
