/**
 * Reads the properties of medicines: their routes of administration, their elimination, the enzymes that they change, and the
 * effects to which a supplement can add. The rows are in content/drugs/properties.tsv, one for each medicine, property and value,
 * with the basis of each. A property that nobody has read is unknown; an unknown property never rules anything out.
 */
import type { Reviewed } from '#core/content-check/reviewed.ts';
import { ContentError } from '#core/errors.ts';
import type { ContentFile } from '#core/plugin.ts';
import type { PropertyRow } from '../rules/entries.ts';
import { SET_ID } from '../rules/label-rules.ts';
import { rowsOf } from '../rules/table-rows.ts';

/** Enzymes and transporters that supplements are known to change. */
export const ENZYMES = [
  'CYP1A2',
  'CYP2A6',
  'CYP2B6',
  'CYP2C8',
  'CYP2C9',
  'CYP2C19',
  'CYP2D6',
  'CYP2E1',
  'CYP3A4',
  'UGT',
  'P-gp',
  'BCRP',
  'OATP1B1',
  '11beta-HSD',
] as const;
/** Elimination routes that no supplement is known to speed up or slow down, except for lithium's renal elimination. */
const OTHER_WAYS = ['renal', 'bile', 'esterases', 'proteolysis', 'MAO', 'other enzymes', 'no enzyme'] as const;
const FLAGS = [
  'narrow_therapeutic_index',
  'binds_metals',
  'serotonergic',
  'sedating',
  'raises_potassium',
  'lengthens_qt',
  'lowers_seizure_threshold',
  'lowers_glucose',
  'raises_bleeding',
  'vitamin_k_antagonist',
  'lowers_blood_pressure',
  'immunosuppressant',
] as const;

const WAYS: readonly string[] = [...ENZYMES, ...OTHER_WAYS];
const VALUES = {
  route: /^[a-z]+( [a-z]+)*$/,
  /** `no`: the medicine is not given by mouth anywhere. The absence of such a route from our labels is not sufficient. */
  by_mouth: ['no'],
  molecule: ['small', 'biologic'],
  /** A route that eliminates a relevant share of the medicine. */
  eliminated_by: WAYS,
  /** `complete`: the rows of `eliminated_by` name every relevant route, so that no other route matters. */
  elimination: ['complete'],
  /** Transporters of the gut wall that take it up; `none` for a medicine that crosses the wall without a transporter. */
  taken_up_by: ['OATP1A2', 'OATP2B1', 'none'],
  inhibits: WAYS,
  induces: WAYS,
  ...(Object.fromEntries(FLAGS.map((flag) => [flag, ['yes', 'no']])) as Record<(typeof FLAGS)[number], string[]>),
} as const;
export type DrugProperty = keyof typeof VALUES;
export const DRUG_PROPERTIES = Object.keys(VALUES) as DrugProperty[];
const STRENGTHS = ['', 'weak', 'moderate', 'strong'];

export const PROPERTY_COLUMNS = [
  'medicine',
  'property',
  'value',
  'strength',
  'basis',
  'set_id',
  'section',
  'sentence',
] as const;

/** One known fact about a medicine, with its basis. */
export interface PropertyFact {
  readonly property: DrugProperty;
  readonly value: string;
  /** Strength of an inhibition or induction; "" where nobody states it. */
  readonly strength: string;
  /** `label`, `practice` (general professional knowledge, pending a source), or the name of an authority. */
  readonly basis: string;
  readonly setId: string;
  readonly section: string;
  /** A quote from the label or the authority, or a note of ours for `practice`. */
  readonly sentence: string;
}

export interface PlacedProperty {
  readonly line: number;
  readonly medicine: string;
  readonly fact: PropertyFact;
}

const fits = (property: DrugProperty, value: string): boolean => {
  const allowed: RegExp | readonly string[] = VALUES[property];
  return allowed instanceof RegExp ? allowed.test(value) : allowed.includes(value);
};

/**
 * Parses the table of properties.
 * @throws ContentError with the number of the invalid line.
 */
export const readProperties = (file: ContentFile): readonly PlacedProperty[] =>
  rowsOf(file, PROPERTY_COLUMNS).map(({ line, cells }) => {
    const refuse = (message: string): never => {
      throw new ContentError(file.path, line, message);
    };
    const { medicine, value, strength, basis, set_id: setId, section, sentence } = cells;
    const property =
      DRUG_PROPERTIES.find((one) => one === cells.property) ??
      refuse(`"${cells.property}" is none of ${DRUG_PROPERTIES.join(', ')}`);
    if (!fits(property, value)) refuse(`"${value}" is no value of ${property}`);
    if (!STRENGTHS.includes(strength)) refuse(`"${strength}" is none of weak, moderate, strong`);
    if (!basis) refuse('a property needs its basis');
    if (basis === 'label' && !(SET_ID.test(setId) && section && sentence))
      refuse('a property of a label needs set id, section and sentence');
    if (basis !== 'label' && basis !== 'practice' && !sentence) refuse('say what the authority states');
    return { line, medicine, fact: { property, value, strength, basis, setId, section, sentence } };
  });

export const reviewProperties = (file: ContentFile): Reviewed => ({
  kind: 'drug-properties',
  entries: readProperties(file).length,
  offers: [],
  names: [],
  reviewedAt: [],
  toldDays: [],
  passages: [],
});

/** All known facts about one medicine. */
export type DrugFacts = readonly PropertyFact[];
export type DrugProperties = ReadonlyMap<string, DrugFacts>;

export const propertiesOf = (rows: readonly PropertyRow[]): DrugProperties =>
  new Map(rows.map(({ subject, data }) => [subject, data.facts]));

/**
 * Targets through which a rule's mechanism works: an enzyme or transporter that eliminates the medicine (`gut CYP3A4`: only
 * during absorption), its uptake from the gut, or an effect that the medicine has as well. `class`: the property that makes a
 * medicine a member of the class.
 */
export const THROUGH = [
  ...ENZYMES,
  'gut CYP3A4',
  'renal',
  'by mouth',
  'metal binding',
  'carrier uptake',
  ...FLAGS,
  'class',
] as const;
export type Through = (typeof THROUGH)[number];

export type Fit = 'holds' | 'unknown' | 'cannot';
export interface Fitting {
  readonly fit: Fit;
  /** The targets that have this fit. */
  readonly through: readonly Through[];
  /** The facts on which the judgement rests. */
  readonly facts: DrugFacts;
}

const BY_MOUTH = new Set(['oral', 'enteral', 'buccal', 'sublingual']);

const valuesOf = (facts: DrugFacts, property: DrugProperty): DrugFacts =>
  facts.filter((fact) => fact.property === property);

const answer = (fit: Fit, facts: DrugFacts = []): Omit<Fitting, 'through'> => ({ fit, facts });

const byMouth = (facts: DrugFacts): Omit<Fitting, 'through'> => {
  const swallowed = valuesOf(facts, 'route').filter(({ value }) => BY_MOUTH.has(value));
  if (swallowed.length) return answer('holds', swallowed);
  const never = valuesOf(facts, 'by_mouth');
  return never.length ? answer('cannot', never) : answer('unknown');
};

const flagged = (facts: DrugFacts, property: DrugProperty): Omit<Fitting, 'through'> => {
  const [fact] = valuesOf(facts, property);
  if (!fact) return answer('unknown');
  return answer(fact.value === 'no' || fact.value === 'none' ? 'cannot' : 'holds', [fact]);
};

/**
 * Returns whether the medicine is eliminated by an enzyme. Other known routes rule the enzyme out only if the list is complete.
 */
const removedBy = (facts: DrugFacts, way: string): Omit<Fitting, 'through'> => {
  const ways = valuesOf(facts, 'eliminated_by');
  const same = ways.filter(({ value }) => value === way);
  if (same.length) return answer('holds', same);
  return valuesOf(facts, 'elimination').length ? answer('cannot', ways) : answer('unknown');
};

const bothOf = (a: Omit<Fitting, 'through'>, b: Omit<Fitting, 'through'>): Omit<Fitting, 'through'> => {
  const bad = [a, b].find(({ fit }) => fit === 'cannot') ?? [a, b].find(({ fit }) => fit === 'unknown');
  return bad ?? answer('holds', [...a.facts, ...b.facts]);
};

const fitOfOne = (through: Through, facts: DrugFacts): Omit<Fitting, 'through'> => {
  switch (through) {
    case 'class':
      return answer('holds');
    case 'by mouth':
      return byMouth(facts);
    case 'metal binding':
      return bothOf(flagged(facts, 'binds_metals'), byMouth(facts));
    case 'carrier uptake':
      return bothOf(flagged(facts, 'taken_up_by'), byMouth(facts));
    case 'gut CYP3A4': {
      const removed = removedBy(facts, 'CYP3A4');
      const mouth = byMouth(facts);
      return removed.fit === 'holds' && mouth.fit === 'cannot' ? mouth : removed;
    }
    default:
      return FLAGS.some((flag) => flag === through)
        ? flagged(facts, through as DrugProperty)
        : removedBy(facts, through);
  }
};

/**
 * Returns whether a mechanism can work in this medicine through at least one target; "unknown" takes precedence over "cannot".
 */
export const fitOf = (through: readonly Through[], facts: DrugFacts): Fitting => {
  const each = through.map((one) => ({ one, ...fitOfOne(one, facts) }));
  for (const fit of ['holds', 'unknown', 'cannot'] as const) {
    const same = each.filter((item) => item.fit === fit);
    if (same.length)
      return { fit, through: same.map(({ one }) => one), facts: [...new Set(same.flatMap((item) => item.facts))] };
  }
  return { fit: 'unknown', through: [], facts: [] };
};
