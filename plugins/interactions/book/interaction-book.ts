/** Every rule expanded to the drugs it reaches, in memory: pages and the checker read nothing else. */
import { versionOf } from '#plugins/evidence/index.ts';
import type { Drug, DrugBook } from '../drugs/drug-book.ts';
import { canWork, type DrugProperties, propertiesOf } from '../drugs/properties.ts';
import type { FloorData } from '../floor/floor-table.ts';
import type { EntryRow, SignalData } from '../rules/entries.ts';
import { type Address, addressesOf } from './addresses.ts';
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
  /** At least one, gravest first: the first is the answer, the others are shown beside it. */
  readonly applied: readonly [Applied, ...Applied[]];
}

/** A drug that a rule of its class leaves out. */
export interface KnownException extends RuleException {
  readonly rule: RuleRecord;
}

export interface InteractionBook {
  readonly drugs: DrugBook;
  readonly subjects: ReadonlyMap<string, Subject>;
  readonly rules: readonly RuleRecord[];
  /** By subject, then by drug. */
  readonly pairs: readonly Pair[];
  pair(subjectSlug: string, drugSlug: string): Pair | null;
  pairsOf(subjectSlug: string): readonly Pair[];
  pairsOfDrug(drugSlug: string): readonly Pair[];
  /** Rules of a subject, and rules of others that name it; gravest first. */
  rulesOf(subjectSlug: string): readonly RuleRecord[];
  /** Rules between two supplements or foods, whichever of them the rule is about. */
  between(a: string, b: string): readonly RuleRecord[];
  cautionsOf(subjectSlug: string): readonly CautionRecord[];
  readonly depletions: readonly DepletionRecord[];
  readonly signals: ReadonlyMap<string, SignalData>;
  /** By supplement: upper intake, and what was not studied. */
  readonly floors: ReadonlyMap<string, FloorData>;
  exceptionsOf(subjectSlug: string, drugSlug: string): readonly KnownException[];
  /** What an address below /interactions/ means. */
  address(slug: string): Address | null;
  addresses(): Iterable<readonly [string, Address]>;
  /** The last part of the address of a drug's or class's own page. */
  hubOf(kind: 'drug' | 'class', slug: string): string;
  /** Changes with anything in the book. */
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

/**
 * A class reaches its members and those of its narrower classes, without the exceptions of the rule and without those in which
 * its mechanism cannot work.
 */
const reachOf = (rule: RuleRecord, drugs: DrugBook, properties: DrugProperties): readonly Drug[] => {
  const { target, exceptions } = rule;
  if (target.kind === 'drug') {
    const drug = drugs.drug(target.slug);
    return drug ? [drug] : [];
  }
  if (target.kind !== 'class') return [];
  const left = new Set(exceptions.map(({ drugSlug }) => drugSlug));
  const mechanism = rule.entry.mechanism?.type ?? 'unknown';
  return drugs.membersOf(target.slug).filter(({ slug }) => !left.has(slug) && canWork(mechanism, properties.get(slug)));
};

const expand = (rules: readonly RuleRecord[], drugs: DrugBook, properties: DrugProperties): readonly Expanded[] => {
  const byKey = new Map<string, Expanded>();
  for (const rule of rules) {
    const viaClass = rule.target.kind === 'class' ? (drugs.classes.get(rule.target.slug) ?? null) : null;
    for (const drug of reachOf(rule, drugs, properties)) {
      const key = keyOf(rule.subject.slug, drug.slug);
      const known = byKey.get(key) ?? { subject: rule.subject, drug, applied: [] };
      known.applied.push({ rule, viaClass });
      byKey.set(key, known);
    }
  }
  const ordered = [...byKey.values()];
  for (const { applied } of ordered) applied.sort(byGravityApplied);
  return ordered.sort((a, b) =>
    a.subject.slug === b.subject.slug ? (a.drug.slug < b.drug.slug ? -1 : 1) : a.subject.slug < b.subject.slug ? -1 : 1,
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
  const properties = propertiesOf(of('property'));
  const expanded = expand(rules, drugs, properties);
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
  const addresses = addressesOf(expanded, { named, depleting, drugs, subjects });
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
    signals: new Map(of('signal').map(({ subject, data }) => [subject, data])),
    floors: new Map(of('floor').map(({ subject, data }) => [subject, data])),
    exceptionsOf: (subject, drug) =>
      (bySubject.get(subject) ?? []).flatMap((rule) =>
        rule.subject.slug === subject
          ? rule.exceptions.filter(({ drugSlug }) => drugSlug === drug).map((exception) => ({ ...exception, rule }))
          : [],
      ),
    address: addresses.find,
    addresses: addresses.all,
    hubOf: addresses.hubOf,
    version: versionOf(
      weighed.map(({ digest }) => digest),
      of('signal').map(({ digest }) => digest),
      of('property').map(({ digest }) => digest),
      of('floor').map(({ digest }) => digest),
      drugs.version,
      [...subjects.values()],
    ),
  };
};
