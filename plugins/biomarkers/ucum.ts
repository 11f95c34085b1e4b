/**
 * Converts between UCUM units with the National Library of Medicine's package; only the conversions that it does not support are
 * implemented here.
 */
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
/** Loads the package lazily, because it parses its table of units when it is loaded. */
const ucum = (): Ucum => {
  opened ??= (createRequire(import.meta.url)('@lhncbc/ucum-lhc') as UcumPackage).UcumLhcUtils.getInstance();
  return opened;
};

/** Properties of the molecule, for conversions between mass, amount and charge. */
export interface Molecule {
  /** Grams per mole. */
  readonly weight?: number | undefined;
  /** Charges per ion, without sign. */
  readonly charge?: number | undefined;
}

/** Removes floating-point noise: 12 significant digits are more than any laboratory prints. */
export const clean = (value: number): number => Number(value.toPrecision(12));

const PART =
  /^(?:(10\*\d+)|[kdmunpf]?(g|mol|eq|U|kat|L|osm|\[IU\]|\[arb'U\])|(%|\[pH\]|\[HPF\]|\[LPF\])|(?:m)?(m)|(s|min|h|d|\(24\.h\)))?((?:\{[^{}]*\})?)$/;

/**
 * Returns the kind of quantity that a unit measures; units of one kind differ only by a factor. Annotations are significant
 * ({FEU} is not {DDU}); "%" is a kind of its own, although UCUM treats all pure numbers as one. Returns null for a unit that is
 * not supported.
 */
export const kindOf = (unit: string): string | null => {
  const kinds: string[] = [];
  for (const [at, part] of unit.split('/').entries()) {
    const found = PART.exec(part);
    if (!found) return null;
    const [, power, scaled, alone, length, time, note] = found;
    // A katal is an enzyme unit of another magnitude.
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

/** Replaces arbitrary units by grams, because they convert among themselves by their prefixes and UCUM's package refuses them. */
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

/** Returns the factor that converts a number in `from` to `to`, or null when the units are of different kinds. */
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

/**
 * Returns the factor between two units of a marker, such as "mg/dL" to "mmol/L", using the properties of the molecule. Returns
 * null when they do not suffice.
 */
export const scaleByMolecule = (from: string, to: string, { weight, charge }: Molecule): number | null => {
  const same = scale(from, to);
  if (same !== null || ARBITRARY.test(from) || ARBITRARY.test(to)) return same;
  const options = { ...(weight && { molecularWeight: weight }), ...(charge && { charge }) };
  const { status, toVal } = ucum().convertUnitTo(plain(from), 1, plain(to), options);
  return status === 'succeeded' && toVal !== null ? clean(toVal) : null;
};

export const isUcum = (unit: string): boolean => ucum().validateUnitString(unit).status === 'valid';
