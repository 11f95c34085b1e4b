/** Conversions between UCUM units by the National Library of Medicine's package; only what it cannot tell is ours. */
import { createRequire } from 'node:module';

interface Converted {
  readonly status: string;
  readonly toVal: number | null;
}
interface Ucum {
  convertUnitTo(
    from: string,
    value: number,
    to: string,
    options?: { readonly molecularWeight?: number; readonly charge?: number },
  ): Converted;
  validateUnitString(unit: string): { readonly status: string };
}
interface UcumPackage {
  readonly UcumLhcUtils: { getInstance(): Ucum };
}

let opened: Ucum | null = null;
/** Opened when first needed: it reads its table of units then. */
const ucum = (): Ucum => {
  opened ??= (createRequire(import.meta.url)('@lhncbc/ucum-lhc') as UcumPackage).UcumLhcUtils.getInstance();
  return opened;
};

/** What is known of the molecule, for conversions between mass, amount and charge. */
export interface Molecule {
  /** Grams per mole. */
  readonly weight?: number | undefined;
  /** Charges per ion, without sign. */
  readonly charge?: number | undefined;
}

/** Float dust off: 12 digits are more than any laboratory prints. */
export const clean = (value: number): number => Number(value.toPrecision(12));

const PART =
  /^(?:(10\*\d+)|[kdmunpf]?(g|mol|eq|U|kat|L|osm|\[IU\]|\[arb'U\])|(%|\[pH\]|\[HPF\]|\[LPF\])|(?:m)?(m)|(s|min|h|d|\(24\.h\)))?((?:\{[^{}]*\})?)$/;

/**
 * What a unit measures: units of one kind differ by a number only. Annotations count ({FEU} is not {DDU}); "%" is of a kind
 * with nothing else, though UCUM takes all pure numbers for one. Null: not a unit of ours.
 */
export const kindOf = (unit: string): string | null => {
  const kinds: string[] = [];
  for (const [at, part] of unit.split('/').entries()) {
    const found = PART.exec(part);
    if (!found) return null;
    const [, power, scaled, alone, length, time, note] = found;
    // A katal is an enzyme unit of another size.
    const kind =
      (scaled === 'U' ? 'kat' : scaled) ??
      alone ??
      length ??
      (time && 'time') ??
      (power || (at === 0 && !note) ? 'count' : '');
    if (at > 0 && !kind && !note) return null;
    kinds.push(`${kind}${note}`);
  }
  return kinds.join('/');
};

/** Arbitrary units convert among themselves by their prefixes, like grams; UCUM's package refuses them. */
const plain = (unit: string): string =>
  unit.replace(/\[IU\]|\[arb'U\]/g, 'g').replace(/\{[^{}]*\}/g, (_, at: number) => (at === 0 ? 'g' : ''));

const KEPT = 2_000;
const kept = new Map<string, number | null>();

const scaleOf = (from: string, to: string): number | null => {
  const kind = kindOf(from);
  if (kind === null || kind !== kindOf(to)) return null;
  const { status, toVal } = ucum().convertUnitTo(plain(from).replace(/^\//, '1/'), 1, plain(to).replace(/^\//, '1/'));
  return status === 'succeeded' && toVal !== null ? clean(toVal) : null;
};

/** What a number of `from` is to be multiplied with to be one of `to`; null when they are of different kinds. */
export const scale = (from: string, to: string): number | null => {
  if (from === to) return 1;
  const key = `${from} ${to}`;
  const known = kept.get(key);
  if (known !== undefined) return known;
  const found = scaleOf(from, to);
  if (kept.size >= KEPT) kept.clear();
  kept.set(key, found);
  return found;
};

const ARBITRARY = /\[IU\]|\[arb'U\]|'U\}/;

/** The same for a marker's own units, with what is known of the molecule: "mg/dL" to "mmol/L". Null when that is not enough. */
export const scaleByMolecule = (from: string, to: string, { weight, charge }: Molecule): number | null => {
  const same = scale(from, to);
  if (same !== null || ARBITRARY.test(from) || ARBITRARY.test(to)) return same;
  const options = { ...(weight && { molecularWeight: weight }), ...(charge && { charge }) };
  const { status, toVal } = ucum().convertUnitTo(plain(from), 1, plain(to), options);
  return status === 'succeeded' && toVal !== null ? clean(toVal) : null;
};

export const isUcum = (unit: string): boolean => ucum().validateUnitString(unit).status === 'valid';
