/** Lists the spellings of units and their parts as laboratories print them; keys are lower case without spaces and full stops. */

const each = (pairs: Readonly<Record<string, string>>): [string, string][] =>
  Object.entries(pairs).flatMap(([ucum, words]) => words.split(' ').map((word): [string, string] => [word, ucum]));

/** Multipliers of cell counts: "Tsd./µl", "K/uL", "Mio/µl", "Gpt/l". */
export const COUNTS: ReadonlyMap<string, string> = new Map(
  each({
    '10*3': 'k tsd tsd. thou thous thousand thousands th 1000 mille tausend miles',
    '10*6': 'm mil mill mill. mio mio. million millions millionen millones',
    '10*9': 'gpt giga mrd mrd. g/pt billion',
    '10*12': 'tpt tera téra bill bill.',
  }),
);

const PREFIXED = (unit: string, spellings: readonly string[], prefixes: string): [string, string][] =>
  prefixes.split(',').flatMap((prefix) => {
    const printed = prefix === 'u' ? ['u', 'mc'] : [prefix];
    return spellings.flatMap((spelling) =>
      printed.map((first): [string, string] => [`${first}${spelling}`, `${prefix}${unit}`]),
    );
  });

/** Units in the numerator. */
export const AMOUNTS: ReadonlyMap<string, string> = new Map([
  ...PREFIXED('g', ['g', 'gm', 'gr'], ',k,m,u,n,p,f'),
  ['gramm', 'g'],
  ...PREFIXED('mol', ['mol', 'mole', 'moles'], ',m,u,n,p,f'),
  ...PREFIXED('eq', ['eq', 'val'], 'm,u'),
  ...PREFIXED('[IU]', ['iu', 'ui', 'ie', '[iu]'], ',k,m,u'),
  // No report uses pico-units here: the µ was read as a p.
  ['piu', 'u[IU]'],
  ['pui', 'u[IU]'],
  ...PREFIXED('U', ['u', 'unit', 'units', 'e'], ',k,m,u'),
  ...PREFIXED('kat', ['kat'], ',m,u,n'),
  ['au', "[arb'U]"],
  ["[arb'u]", "[arb'U]"],
  ['eu', "{Ehrlich'U}"],
  ["{ehrlich'u}", "{Ehrlich'U}"],
  ['ehrlichunits', "{Ehrlich'U}"],
  ...PREFIXED('L', ['l'], ',m'),
  ...PREFIXED('osm', ['osm', 'osmol'], 'm'),
  ['mm', 'mm'],
]);

/** Units in the denominator. */
export const PER: ReadonlyMap<string, string> = new Map([
  ...each({
    L: 'l liter litre litro',
    dL: 'dl 100ml deciliter',
    mL: 'ml cc cm3',
    uL: 'ul mcl mm3 cmm cumm mmc',
    nL: 'nl',
    pL: 'pl',
    g: 'g gm',
    kg: 'kg',
    mg: 'mg',
    mmol: 'mmol',
    mol: 'mol',
    h: 'h hr hrs hour 1h std stunde 1std heure hora',
    min: 'min minute',
    '[HPF]': 'hpf [hpf] field gf gesichtsfeld champ campo cga',
    '[LPF]': 'lpf [lpf]',
  }),
]);

/** Units that are read as a whole. */
export const WHOLE: ReadonlyMap<string, string> = new Map([
  ...each({
    '%': '% percent prozent pct vol% vol-%',
    fL: 'fl um3 cu.um µ3',
    pg: 'pg pg/cell pg/zelle',
    fmol: 'fmol fmol/cell',
    s: 's sec secs sek seconds second sekunden segundos secondes seg',
    '{INR}': 'inr {inr}',
    '{ratio}': 'ratio {ratio} quotient index rapport',
    '[pH]': 'ph [ph]',
    'mg/dL': 'mg% mgs%',
    'g/dL': 'g% gm%',
    'L/L': 'l/l',
  }),
  ['vol %', '%'],
  ['ph units', '[pH]'],
]);
