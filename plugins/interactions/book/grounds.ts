/**
 * Determines the grounds of a pair: whether the mechanism of a rule can work in a medicine, and what is known about it there. A
 * pair is never dropped because something is unknown; it is classified as theory instead.
 */
import { inSentence } from '#plugins/evidence/index.ts';
import type { Drug } from '../drugs/drug-book.ts';
import { type DrugFacts, ENZYMES, type Fitting, fitOf, type Through } from '../drugs/properties.ts';
import type { CitedSource } from '../rules/cited-sources.ts';
import { type Basis, betterBasis, likelihoodOn } from '../rules/grounds.ts';
import type { MechanismFact } from '../rules/mechanism-table.ts';
import { type Likelihood, severityRank } from '../rules/severity-labels.ts';
import type { RuleRecord } from './rule-record.ts';

/** Grounds of one rule, for one medicine or as a whole. */
export interface Grounds {
  readonly basis: Basis;
  readonly likelihood: Likelihood;
  /** One line for readers. */
  readonly statement: string;
  /** Facts about the medicine. */
  readonly facts: DrugFacts;
  /** Known mechanisms of the supplement. */
  readonly mechanisms: readonly MechanismFact[];
  /** Studies of this exact pair that the class rule names. */
  readonly studies: readonly CitedSource[];
  /** Sources of the rules for this exact pair that make a class rule equally well documented. */
  readonly named: readonly CitedSource[];
}

/** Returns whether the sources are about the pair itself, not only about the class. */
export const speaksOfPair = ({ studies, named }: Pick<Grounds, 'studies' | 'named'>): boolean =>
  studies.length > 0 || named.length > 0;

const NOTHING = { facts: [], mechanisms: [], studies: [], named: [] } as const;

/** Returns whether a source is a study. A PubMed id is enough: the paper need not be in the database. */
const isStudy = ({ given, row }: CitedSource): boolean => Boolean(row ?? given.ref ?? given.pmid);
const isLabel = ({ given }: CitedSource): boolean => /dailymed/i.test(`${given.authority} ${given.address}`);

/** Returns the basis of a rule that names both sides itself. */
const directBasis = ({ entry, sources }: RuleRecord): Basis => {
  if (entry.basis) return entry.basis;
  if (sources.some(isStudy)) return 'studied';
  if (sources.some(isLabel)) return 'label';
  return sources.some(({ given }) => given.authority) ? 'authority' : 'practice';
};

const DIRECT_WORDS: Readonly<Record<Basis, (subject: string, other: string) => string>> = {
  studied: () => 'This pair itself was studied, or cases of it were described.',
  label: (subject, other) => `The label of ${other} names ${subject}.`,
  authority: () => 'The page of an authority names this pair.',
  mechanism: (subject, other) =>
    `The label of ${other} speaks of a group of medicines or substances to which ${subject} belongs.`,
  practice: () => 'General professional knowledge; no source is cited for it yet.',
  theory: () => 'Theory: neither a study nor a label names this pair.',
};

/** Returns the grounds of a rule about one medicine, supplement or food. */
export const groundsOfRule = (rule: RuleRecord): Grounds => {
  const basis = directBasis(rule);
  return {
    ...NOTHING,
    basis,
    likelihood: likelihoodOn(basis, rule.entry.likelihood),
    statement: DIRECT_WORDS[basis](inSentence(rule.subject.name), inSentence(rule.target.name)),
  };
};

const list = (words: readonly string[]): string =>
  words.length > 1 ? `${words.slice(0, -1).join(', ')} and ${words.at(-1)}` : (words[0] ?? '');

const WAY_WORDS: Readonly<Record<string, string>> = {
  UGT: 'UGT enzymes',
  'P-gp': 'the P-glycoprotein pump',
  OATP1B1: 'the OATP1B1 carrier',
  '11beta-HSD': 'the enzyme 11beta-HSD',
  'gut CYP3A4': 'CYP3A4 in the gut wall',
  renal: 'the kidneys',
};
const DOES_WORDS: Readonly<Partial<Record<Through, string>>> = {
  'by mouth': 'is taken by mouth',
  'metal binding': 'binds metals and is taken by mouth',
  'carrier uptake': 'is taken up by a carrier of the gut wall',
  narrow_therapeutic_index: 'has a narrow range of safe amounts',
  binds_metals: 'binds metals',
  serotonergic: 'acts on serotonin',
  sedating: 'makes drowsy',
  raises_potassium: 'raises potassium',
  lengthens_qt: 'lengthens the QT interval',
  lowers_seizure_threshold: 'makes seizures more likely',
  lowers_glucose: 'lowers blood sugar',
  raises_bleeding: 'raises the risk of bleeding',
  vitamin_k_antagonist: 'works against vitamin K',
  lowers_blood_pressure: 'lowers blood pressure',
  immunosuppressant: 'dampens the immune system',
  class: 'belongs to the class by this very action',
};
const REMOVING: ReadonlySet<Through> = new Set<Through>([...ENZYMES, 'gut CYP3A4', 'renal']);

/** Returns a phrase such as "is removed by CYP3A4 and makes drowsy". */
const doing = (through: readonly Through[]): string => {
  const ways = through.filter((one) => REMOVING.has(one)).map((one) => WAY_WORDS[one] ?? one);
  const others = through.flatMap((one) => DOES_WORDS[one] ?? []);
  return list([...(ways.length ? [`is removed by ${list(ways)}`] : []), ...others]);
};

/** Returns the supplement's known actions on the given targets. The target `class` needs no row of its own. */
const actionsIn = (known: readonly MechanismFact[], through: readonly Through[]): readonly MechanismFact[] =>
  known.filter(({ target }) => through.includes(target));

const ofMember = (rule: RuleRecord, drug: Drug, fitting: Fitting, known: readonly MechanismFact[]) => {
  const subject = inSentence(rule.subject.name);
  const stated = rule.entry.mechanism?.through;
  if (!stated)
    return {
      basis: 'theory' as const,
      mechanisms: [],
      statement:
        'Theory: expected from the class. How it comes about is not known well enough to tell for which of its medicines it holds.',
    };
  if (fitting.fit === 'unknown')
    return {
      basis: 'theory' as const,
      mechanisms: actionsIn(known, fitting.through),
      statement: `Theory: expected from the class. Nobody has read yet whether ${drug.name} ${doing(fitting.through)}.`,
    };
  const mechanisms = actionsIn(known, fitting.through);
  const isShown = fitting.through.includes('class') || mechanisms.some(({ shownIn }) => shownIn === 'people');
  return isShown
    ? {
        basis: 'mechanism' as const,
        mechanisms,
        statement: fitting.through.includes('class')
          ? `Known mechanism: what makes ${drug.name} a member of the class is what ${subject} acts on.`
          : `Known mechanism: ${drug.name} ${doing(fitting.through)}, and ${subject} acts on the same thing.`,
      }
    : {
        basis: 'theory' as const,
        mechanisms,
        statement: `Theory: ${drug.name} ${doing(fitting.through)}; that ${subject} acts on it in people has not been shown.`,
      };
};

/** Returns the grounds of a class rule for one member; null if its mechanism cannot work there. */
export const groundsOfMember = (
  rule: RuleRecord,
  drug: Drug,
  facts: DrugFacts,
  known: readonly MechanismFact[],
): Grounds | null => {
  const { through, type } = rule.entry.mechanism ?? {};
  const fitting = fitOf(through ?? [], facts);
  if (through && fitting.fit === 'cannot') return null;
  const study = rule.studied.find(({ drugSlug }) => drugSlug === drug.slug);
  const { basis, mechanisms, statement } = study
    ? {
        basis: 'studied' as const,
        mechanisms: actionsIn(known, fitting.through),
        statement: DIRECT_WORDS.studied('', ''),
      }
    : ofMember(rule, drug, fitting, type ? known : []);
  return {
    basis,
    likelihood: likelihoodOn(basis, rule.entry.likelihood),
    statement,
    facts: fitting.facts,
    mechanisms,
    studies: study?.sources ?? [],
    named: [],
  };
};

/**
 * Raises the grounds of a class rule when a label, a study or an authority is about the pair itself and the mechanism is of the
 * same type: the class rule is then equally well documented, and shows those sources.
 */
export const raisedBy = (rule: RuleRecord, grounds: Grounds, direct: readonly RuleRecord[]): Grounds => {
  const type = rule.entry.mechanism?.type;
  const naming = direct
    .filter(({ entry }) => entry.mechanism?.type === type)
    .map((one) => ({ rule: one, grounds: groundsOfRule(one) }))
    .filter(({ grounds: { basis } }) => NAMING.has(basis));
  const best = naming.reduce<Grounds | null>(
    (found, { grounds: one }) => (found && betterBasis(found.basis, one.basis) === found.basis ? found : one),
    null,
  );
  if (!best) return grounds;
  // A source that rates the pair much milder is no evidence for the severity of the class.
  const isNear = ({ entry }: RuleRecord): boolean =>
    severityRank(entry.severity) - severityRank(rule.entry.severity) <= 1;
  const named = naming
    .filter((one) => one.grounds.basis === best.basis && isNear(one.rule))
    .flatMap((one) => one.rule.sources);
  if (betterBasis(grounds.basis, best.basis) === grounds.basis) return { ...grounds, named };
  const { basis, statement } = best;
  return { ...grounds, basis, statement, likelihood: likelihoodOn(basis, rule.entry.likelihood), named };
};

/** Bases on which a source names both sides. */
const NAMING: ReadonlySet<Basis> = new Set<Basis>(['studied', 'label', 'authority']);

/** Returns the grounds of a class rule as a whole: those of its best documented member, which the statement names. */
export const groundsOfClass = (rule: RuleRecord, members: readonly { drug: Drug; grounds: Grounds }[]): Grounds => {
  const best = members.reduce<(typeof members)[number] | null>(
    (found, one) =>
      found && betterBasis(found.grounds.basis, one.grounds.basis) === found.grounds.basis ? found : one,
    null,
  );
  const basis = best?.grounds.basis ?? 'theory';
  const same = members.filter(({ grounds }) => grounds.basis === basis).length;
  return {
    ...NOTHING,
    basis,
    likelihood: likelihoodOn(basis, rule.entry.likelihood),
    statement: best
      ? `${CLASS_WORDS[basis]} for ${same} of the ${members.length} ${members.length === 1 ? 'medicine' : 'medicines'} of this class that it reaches.`
      : 'It reaches no medicine of this class.',
  };
};

const CLASS_WORDS: Readonly<Record<Basis, string>> = {
  studied: 'A study of the very pair stands behind it',
  label: 'The label of the medicine names it',
  authority: 'An authority names it',
  mechanism: 'The mechanism is known',
  practice: 'It is professional knowledge',
  theory: 'It is theory',
};
